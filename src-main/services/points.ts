import type { FrameType, Quality } from '#shared/domain/enums.ts';
import { invalidField } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { Turns } from '../platform/turns.ts';
import { pointsInState } from './check/point-states.ts';
import { type Handlers, JsonText } from './handlers.ts';
import { findChannel, findPoint, findPointOf } from './lookup.ts';
import type { PointOp } from './point-changes/change-plan.ts';
import { PlacedRows } from './point-changes/placed-rows.ts';
import type { PointChanger } from './point-changes/point-changer.ts';
import { stepName } from './point-changes/step-name.ts';
import type { ServiceDeps } from './ports.ts';
import { RowTexts } from './row-text.ts';
import { rowOf } from './rows.ts';
import { differencesOf } from './table-differences.ts';

type PointHandlers = Pick<Handlers, 'pointTable' | 'addPoints' | 'editPoint' | 'editPoints' | 'deletePoints' | 'readSinglePoint'>;

/** The place of a change in requests that have a list of points. */
const IN_POINTS = { pathOf: (index: number) => `points.${index}`, placeOfAll: 'points' } as const;

/** The point tables: pages from memory, points added, edited and deleted, one point read. */
export function pointHandlers(deps: ServiceDeps, changer: PointChanger): PointHandlers {
  const session = () => deps.projects.current();
  const rows = new RowTexts();
  const placed = new PlacedRows(rows);
  return {
    async pointTable(query) {
      const project = session();
      const { points } = findChannel(project, query.channel_id);
      const { check_session_id, check_state } = query;
      const offset = (query.page - 1) * query.page_size;
      const pageOf = (from: number, size: number, sort = query.sort ?? 'id', order = query.order ?? 'asc') =>
        points.page(
          {
            frameType: query.frame_type as FrameType | undefined,
            slaveId: query.slave_id,
            search: query.search,
            quality: query.quality as Quality | undefined,
            category: query.category,
            item: query.item,
          },
          sort,
          order,
          from,
          size,
        );
      const inIdOrder = () => pageOf(0, Number.MAX_SAFE_INTEGER, 'id', 'asc').ids;
      const answer = async (total: number, ids: readonly number[], matching: () => readonly number[]) => {
        const differences = differencesOf(project, points, query.since);
        // of one state of the table with the ids: what is edited while the rows are written has a later revision
        const members = differences.members(matching);
        const items = await rows.pieces(points, differences.told(ids), new Turns());
        return items.length === 1
          ? new JsonText(`{"total":${total},"items":${items[0]}${members}}`)
          : new JsonText(`{"total":${total},"items":`, ...items, `${members}}`);
      };
      if (check_state === undefined) {
        const page = pageOf(offset, query.page_size);
        return answer(page.total, page.ids, inIdOrder);
      }
      if (check_session_id === undefined) throw invalidField('check_session_id', say('check.state_of_which'));
      const wanted = await pointsInState(deps, check_session_id, query.channel_id, check_state);
      const ids = pageOf(0, Number.MAX_SAFE_INTEGER).ids.filter((id) => wanted.has(id));
      const page = ids.slice(offset, offset + query.page_size);
      return answer(ids.length, page, () => inIdOrder().filter((id) => wanted.has(id)));
    },
    async addPoints({ channel_id, points }, context) {
      const channel = findChannel(session(), channel_id);
      await channel.modelReady();
      const ops = points.map((point): PointOp => ({ op: 'add', point }));
      return changer.make({ channel, ops, ...IN_POINTS, context }, stepName('add'), (done) => placed.answer('{', done));
    },
    async editPoint({ point_id, frame_type, ...changes }, context) {
      const { channel, point } = findPoint(session(), point_id, frame_type);
      await channel.modelReady();
      const ops: PointOp[] = [{ op: 'edit', id: point_id, frameType: frame_type, changes }];
      return changer.make({ channel, ops, pathOf: () => '', placeOfAll: '', context }, stepName('edit'), async () =>
        rowOf(channel, channel.points.config(point_id) ?? point),
      );
    },
    async editPoints({ channel_id, points }, context) {
      const channel = findChannel(session(), channel_id);
      await channel.modelReady();
      const ops = points.map(
        ({ point_id, frame_type, ...changes }): PointOp => ({ op: 'edit', id: point_id, frameType: frame_type, changes }),
      );
      return changer.make({ channel, ops, ...IN_POINTS, context }, stepName('edit'), (done) => placed.answer('{', done));
    },
    deletePoints({ channel_id, point_ids }, context) {
      const channel = findChannel(session(), channel_id);
      const ops = [...new Set(point_ids)].map((id): PointOp => ({ op: 'delete', id, frameType: null }));
      const request = { channel, ops, pathOf: (index: number) => `point_ids.${index}`, placeOfAll: 'point_ids', context };
      return changer.make(request, stepName('delete'), async ({ stepId }) => ({ deleted: ops.length, step_id: stepId }));
    },
    async readSinglePoint({ channel_id, point_id, frame_type }) {
      const { channel, point } = findPointOf(findChannel(session(), channel_id), point_id, frame_type);
      await channel.readSingle(point.id);
      return rowOf(channel, channel.points.config(point.id) ?? point);
    },
  };
}
