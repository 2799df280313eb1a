import type { FrameType, Quality } from '#shared/domain/enums.ts';
import { AppError, type FieldIssue, invalidInput } from '#shared/domain/errors.ts';
import type { NormalPoint, PointConfig } from '../drivers/spi.ts';
import { toDriverSettings } from '../runtime/settings.ts';
import type { ChannelRuntime } from '../runtime/types.ts';
import { boundedIssues } from './field-messages.ts';
import { type CallContext, type Handlers, JsonText } from './handlers.ts';
import { findChannel, findPoint, findPointOf } from './lookup.ts';
import { changedDraft, draftOf, normalizeDrafts } from './point-drafts.ts';
import type { ServiceDeps } from './ports.ts';
import { RowTexts } from './row-text.ts';
import { rowOf } from './rows.ts';

type PointHandlers = Pick<Handlers, 'pointTable' | 'addPoints' | 'editPoint' | 'deletePoints' | 'readSinglePoint'>;

/** The point tables: pages from memory, points added, edited and deleted, one point read. */
export function pointHandlers(deps: ServiceDeps): PointHandlers {
  const session = () => deps.projects.current();
  const rows = new RowTexts();
  return {
    pointTable(query) {
      const { points } = findChannel(session(), query.channel_id);
      const page = points.page(
        {
          frameType: query.frame_type as FrameType | undefined,
          slaveId: query.slave_id,
          search: query.search,
          quality: query.quality as Quality | undefined,
          category: query.category,
          item: query.item,
        },
        query.sort ?? 'id',
        query.order ?? 'asc',
        (query.page - 1) * query.page_size,
        query.page_size,
      );
      return new JsonText(`{"total":${page.total},"items":${rows.list(points, page.ids)}}`);
    },
    addPoints({ channel_id, points }, context) {
      requireDistinctCodes(points);
      const channel = findChannel(session(), channel_id);
      const drafts = points.map((point, index) => ({ path: `points.${index}`, draft: draftOf(point) }));
      const normal = normalizeDrafts(channel.driver, toDriverSettings(channel.settings, channel.driver), drafts, context, channel.model());
      requireFreeCodes(channel, normal);
      warnOfMissingRelated(channel, normal, context);
      const added = session().store.points.add(channel.id, normal);
      channel.points.add(added);
      channel.pointsChanged();
      return { items: added.map((point) => rowOf(channel, point)) };
    },
    editPoint({ point_id, frame_type, ...changes }, context) {
      const { channel, point } = findPoint(session(), point_id, frame_type);
      const settings = toDriverSettings(channel.settings, channel.driver);
      const [normal] = normalizeDrafts(
        channel.driver,
        settings,
        [{ path: '', draft: changedDraft(point, changes, channel.driver) }],
        context,
        channel.model(),
      );
      const edited: PointConfig = { ...(normal ?? point), id: point.id, channelId: channel.id };
      if (edited.code !== point.code) requireFreeCodes(channel, [edited]);
      if (edited.relatedCode !== point.relatedCode) warnOfMissingRelated(channel, [edited], context);
      session().store.points.update(edited);
      channel.points.update(edited);
      channel.pointsChanged();
      return rowOf(channel, edited);
    },
    deletePoints({ channel_id, point_ids }) {
      const channel = findChannel(session(), channel_id);
      const ids = [...new Set(point_ids)];
      const missing = ids.filter((id) => channel.points.config(id) === undefined);
      if (missing.length > 0) {
        const named = missing.slice(0, 5).join(', ');
        const more = missing.length > 5 ? ` and ${missing.length - 5} more` : '';
        throw new AppError('CONFIG_NOT_FOUND', `Channel "${channel.settings.name}" has no point ${named}${more}; nothing was deleted.`);
      }
      session().store.points.remove(channel.id, ids);
      channel.points.remove(ids);
      channel.pointsChanged();
      return { deleted: ids.length };
    },
    async readSinglePoint({ channel_id, point_id, frame_type }) {
      const { channel, point } = findPointOf(findChannel(session(), channel_id), point_id, frame_type);
      await channel.readSingle(point.id);
      return rowOf(channel, channel.points.config(point.id) ?? point);
    },
  };
}

/** A code may stand once in a request. Throws `CONFIG_INVALID`. */
function requireDistinctCodes(points: readonly { readonly code: string }[]): void {
  const first = new Map<string, number>();
  const issues: FieldIssue[] = [];
  for (const [index, { code }] of points.entries()) {
    const before = first.get(code);
    if (before === undefined) first.set(code, index);
    else
      issues.push({
        path: `points.${index}.code`,
        message: `"${code}" is also the code of points.${before}; codes are unique in a channel`,
      });
  }
  if (issues.length > 0) throw invalidInput(boundedIssues(issues));
}

/** Throws `STATE_CONFLICT` that names the codes another point of the channel has. */
function requireFreeCodes(channel: ChannelRuntime, points: readonly NormalPoint[]): void {
  const taken = points.map((point) => point.code).filter((code) => channel.points.byCode(code) !== undefined);
  if (taken.length === 0) return;
  const named = taken
    .slice(0, 5)
    .map((code) => `"${code}"`)
    .join(', ');
  const more = taken.length > 5 ? ` and ${taken.length - 5} more` : '';
  throw new AppError(
    'STATE_CONFLICT',
    `Channel "${channel.settings.name}" has points with the code ${named}${more}; codes are unique in a channel.`,
  );
}

/** A related point may be added later, so a code without a point only warns. */
function warnOfMissingRelated(channel: ChannelRuntime, points: readonly NormalPoint[], context: CallContext): void {
  const codes = new Set(points.map((point) => point.code));
  for (const [index, { relatedCode }] of points.entries()) {
    if (relatedCode === '' || codes.has(relatedCode) || channel.points.byCode(relatedCode) !== undefined) continue;
    const path = points.length > 1 ? `points.${index}.related_code` : 'related_code';
    context.warn(path, `there is no point with the code "${relatedCode}" in this channel yet`);
  }
}
