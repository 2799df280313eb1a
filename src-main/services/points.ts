import type { FrameType, Quality } from '#shared/domain/enums.ts';
import { AppError, type FieldIssue, fieldIssue, invalidInput } from '#shared/domain/errors.ts';
import { firstOf, say } from '#shared/messages/index.ts';
import type { NormalPoint, PointConfig } from '../drivers/spi/index.ts';
import { Turns } from '../platform/turns.ts';
import { toDriverSettings } from '../runtime/settings.ts';
import type { ChannelRuntime } from '../runtime/types.ts';
import { boundedIssues } from './field-messages.ts';
import { type CallContext, type Handlers, JsonText } from './handlers.ts';
import { findChannel, findPoint, findPointOf } from './lookup.ts';
import { changedDraft, DraftCheck, draftOf } from './point-drafts.ts';
import type { ServiceDeps } from './ports.ts';
import { RowTexts } from './row-text.ts';
import { rowOf } from './rows.ts';
import type { TableChanges } from './table-changes.ts';

type PointHandlers = Pick<Handlers, 'pointTable' | 'addPoints' | 'editPoint' | 'editPoints' | 'deletePoints' | 'readSinglePoint'>;

/** The point tables: pages from memory, points added, edited and deleted, one point read. */
export function pointHandlers(deps: ServiceDeps, tables: TableChanges): PointHandlers {
  const session = () => deps.projects.current();
  const rows = new RowTexts();
  const rulesOf = (channel: ChannelRuntime, context: CallContext) => {
    const { driver, settings } = channel;
    return { driver, settings: toDriverSettings(settings, driver), context, model: channel.model() };
  };
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
    async addPoints({ channel_id, points }, context) {
      await requireDistinctCodes(points, new Turns());
      const target = findChannel(session(), channel_id);
      await target.modelReady();
      return tables.run(target, async (turns) => {
        const check = new DraftCheck(rulesOf(target, context));
        for (const [index, point] of points.entries()) {
          check.add({ path: `points.${index}`, draft: draftOf(point) });
          if (index % POINTS_A_LOOK === 0) await turns.breathe();
        }
        const normal = check.end();
        await requireFreeCodes(target, normal, turns);
        await warnOfMissingRelated(target, normal, context, turns);
        const added = await tables.make(target, { removed: [], changed: [], added: normal }, turns);
        return pointRows(rows, target, added, turns);
      });
    },
    editPoint({ point_id, frame_type, ...changes }, context) {
      return tables.run(findPoint(session(), point_id, frame_type).channel, async (turns) => {
        await findPoint(session(), point_id, frame_type).channel.modelReady();
        const { channel, point } = findPoint(session(), point_id, frame_type);
        const check = new DraftCheck(rulesOf(channel, context));
        check.add({ path: '', draft: changedDraft(point, changes, channel.driver) });
        const edited: PointConfig = { ...(check.end()[0] ?? point), id: point.id, channel_id: channel.id };
        await requireFreeCodes(channel, [edited], turns);
        if (edited.related_code !== point.related_code) await warnOfMissingRelated(channel, [edited], context, turns);
        await tables.make(channel, { removed: [], changed: [edited], added: [] }, turns);
        return rowOf(channel, edited);
      });
    },
    editPoints({ channel_id, points }, context) {
      return tables.run(findChannel(session(), channel_id), async (turns) => {
        await findChannel(session(), channel_id).modelReady();
        const channel = findChannel(session(), channel_id);
        const check = new DraftCheck(rulesOf(channel, context));
        const before: PointConfig[] = [];
        for (const [index, { point_id, frame_type, ...changes }] of points.entries()) {
          const { point } = findPointOf(channel, point_id, frame_type);
          before.push(point);
          check.add({ path: `points.${index}`, draft: changedDraft(point, changes, channel.driver) });
          if (index % POINTS_A_LOOK === 0) await turns.breathe();
        }
        await turns.next();
        requireDistinctPoints(points);
        const edited = check.end().map((point, index) => ({ ...point, id: points[index]?.point_id ?? 0, channel_id }));
        await requireDistinctCodes(edited, turns);
        await requireFreeCodes(channel, edited, turns);
        await warnOfRelations(channel, before, edited, context, turns);
        await tables.make(channel, { removed: [], changed: await inCodeOrder(channel, edited, turns), added: [] }, turns);
        return pointRows(rows, channel, edited, turns);
      });
    },
    deletePoints({ channel_id, point_ids }) {
      const channel = findChannel(session(), channel_id);
      return tables.run(channel, async (turns) => {
        const ids = [...new Set(point_ids)];
        const missing = ids.filter((id) => channel.points.config(id) === undefined);
        if (missing.length > 0) {
          const asked = { channel: channel.settings.name, points: firstOf(missing) };
          throw new AppError('CONFIG_NOT_FOUND', say('service.no_points_to_delete', asked));
        }
        await tables.make(channel, { removed: ids, changed: [], added: [] }, turns);
        return { deleted: ids.length };
      });
    },
    async readSinglePoint({ channel_id, point_id, frame_type }) {
      const { channel, point } = findPointOf(findChannel(session(), channel_id), point_id, frame_type);
      await channel.readSingle(point.id);
      return rowOf(channel, channel.points.config(point.id) ?? point);
    },
  };
}

/** Points that are looked at between two questions whether the lines should have their turn. */
const POINTS_A_LOOK = 64;
/** Rows of one piece of an answer. */
const ROWS_A_PIECE = 500;

/** The answer of added or changed points, in pieces: that of 100,000 has 35 million characters. */
async function pointRows(rows: RowTexts, channel: ChannelRuntime, added: readonly PointConfig[], turns: Turns): Promise<JsonText> {
  const pieces = ['{"items":['];
  for (let from = 0; from < added.length; from += ROWS_A_PIECE) {
    const ids = added.slice(from, from + ROWS_A_PIECE).map((point) => point.id);
    pieces.push(`${from === 0 ? '' : ','}${rows.list(channel.points, ids).slice(1, -1)}`);
    await turns.breathe();
  }
  return new JsonText(...pieces, ']}');
}

/** A code may stand once in a request. Throws `CONFIG_INVALID`. */
async function requireDistinctCodes(points: readonly { readonly code: string }[], turns: Turns): Promise<void> {
  const first = new Map<string, number>();
  const issues: FieldIssue[] = [];
  for (const [index, { code }] of points.entries()) {
    if (index % POINTS_A_LOOK === 0) await turns.breathe();
    const before = first.get(code);
    if (before === undefined) first.set(code, index);
    else issues.push(fieldIssue(`points.${index}.code`, say('point.code_twice', { code, index: before })));
  }
  if (issues.length > 0) throw invalidInput(boundedIssues(issues));
}

/** A point may stand once in a request. Throws `CONFIG_INVALID`. */
function requireDistinctPoints(points: readonly { readonly point_id: number }[]): void {
  const first = new Map<number, number>();
  const issues: FieldIssue[] = [];
  for (const [index, { point_id: id }] of points.entries()) {
    const before = first.get(id);
    if (before === undefined) first.set(id, index);
    else issues.push(fieldIssue(`points.${index}.point_id`, say('point.edited_twice', { id, index: before })));
  }
  if (issues.length > 0) throw invalidInput(boundedIssues(issues));
}

/** Throws `STATE_CONFLICT` that names the codes another point of the channel has; those of the points themselves are theirs to change. */
async function requireFreeCodes(
  channel: ChannelRuntime,
  points: readonly (NormalPoint & { readonly id?: number })[],
  turns: Turns,
): Promise<void> {
  const own = new Set(points.flatMap(({ id }) => id ?? []));
  const taken: string[] = [];
  for (const [index, { code }] of points.entries()) {
    if (index % POINTS_A_LOOK === 0) await turns.breathe();
    const holder = channel.points.byCode(code);
    if (holder !== undefined && !own.has(holder)) taken.push(code);
  }
  if (taken.length === 0) return;
  const codes = firstOf(taken.map((code) => `"${code}"`));
  throw new AppError('STATE_CONFLICT', say('service.codes_taken', { channel: channel.settings.name, codes }));
}

/**
 * The points in an order in which each code is free when a point takes it over from another one of them. Throws `STATE_CONFLICT` for codes that
 * go round: no order would do.
 */
async function inCodeOrder(channel: ChannelRuntime, edited: readonly PointConfig[], turns: Turns): Promise<PointConfig[]> {
  const byId = new Map(edited.map((point) => [point.id, point]));
  const ordered = new Set<PointConfig>();
  for (const [index, start] of edited.entries()) {
    if (index % POINTS_A_LOOK === 0) await turns.breathe();
    const chain = new Set<PointConfig>();
    let next: PointConfig | undefined = start;
    while (next && !ordered.has(next)) {
      if (chain.has(next))
        throw new AppError('STATE_CONFLICT', say('service.codes_go_round', { codes: firstOf([...chain].map(({ code }) => `"${code}"`)) }));
      chain.add(next);
      const holder = channel.points.byCode(next.code);
      next = holder === undefined || holder === next.id ? undefined : byId.get(holder);
    }
    for (const point of [...chain].reverse()) ordered.add(point);
  }
  return [...ordered];
}

/** A related point may be added later, so a code without a point only warns. */
async function warnOfMissingRelated(
  channel: ChannelRuntime,
  points: readonly NormalPoint[],
  context: CallContext,
  turns: Turns,
): Promise<void> {
  const isRelated = ({ related_code: relatedCode }: NormalPoint) => relatedCode !== '';
  if (!points.some(isRelated)) return;
  const codes = new Set<string>();
  for (const [index, { code }] of points.entries()) {
    if (index % POINTS_A_LOOK === 0) await turns.breathe();
    codes.add(code);
  }
  for (const [index, point] of points.entries()) {
    if (index % POINTS_A_LOOK === 0) await turns.breathe();
    const { related_code: relatedCode } = point;
    if (!isRelated(point) || codes.has(relatedCode) || channel.points.byCode(relatedCode) !== undefined) continue;
    const path = points.length > 1 ? `points.${index}.related_code` : 'related_code';
    context.warn(path, say('service.related_missing', { code: relatedCode }));
  }
}

/** Warns of related codes that the request enters and nobody has, and of points that name a code which the request takes away. */
async function warnOfRelations(
  channel: ChannelRuntime,
  before: readonly PointConfig[],
  edited: readonly PointConfig[],
  context: CallContext,
  turns: Turns,
): Promise<void> {
  const codes = new Set(edited.map(({ code }) => code));
  const own = new Set(edited.map(({ id }) => id));
  const gone = new Set(before.flatMap(({ code }) => (codes.has(code) ? [] : code)));
  await turns.breathe();
  const isThere = (code: string) => codes.has(code) || (!gone.has(code) && channel.points.byCode(code) !== undefined);
  const left: string[] = [];
  for (const [index, { code, related_code: related }] of edited.entries()) {
    if (index % POINTS_A_LOOK === 0) await turns.breathe();
    if (related === '' || isThere(related)) continue;
    if (related !== before[index]?.related_code) {
      context.warn(`points.${index}.related_code`, say('service.related_missing', { code: related }));
    } else if (gone.has(related)) left.push(`"${code}"`);
  }
  for (let from = 0; gone.size > 0 && from < channel.points.size; from += POINTS_A_LOOK) {
    for (const { id, code, related_code: related } of channel.points.configs(from, POINTS_A_LOOK)) {
      if (!own.has(id) && gone.has(related)) left.push(`"${code}"`);
    }
    await turns.breathe();
  }
  if (left.length > 0) context.warn('points', say('service.related_left', { points: firstOf(left) }));
}
