import type { CheckEntry, CheckItem } from '#shared/contract/check.ts';
import { CHECK_STATES, type CheckState, MOST_CHECK_ITEMS } from '#shared/domain/check.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { PointConfig } from '../../drivers/spi/index.ts';
import type { StoredCheckEntry, StoredCheckItem } from '../../persistence/check-repositories.ts';
import { Turns } from '../../platform/turns.ts';
import { configsInTurns } from '../../runtime/values/configs-in-turns.ts';
import type { Handlers } from '../handlers.ts';
import { findChannel } from '../lookup.ts';
import type { ProjectSession, ServiceDeps } from '../ports.ts';
import { natural, sortedByText } from './arrange.ts';
import { CheckBook, type Mark } from './check-book.ts';
import type { CheckedChannel } from './elsewhere/checked-channel.ts';
import { elsewhereRow, Mirrors } from './elsewhere/mirrors.ts';
import { type CheckRules, expectationOf } from './rules.ts';
import { type ItemState, statesOfItems } from './states.ts';

type ItemHandlers = Pick<Handlers, 'addCheckItems' | 'checkItems' | 'editCheckItems' | 'removeCheckItems'>;

const DEFAULT_PAGE = 100;
const NOTHING_KNOWN: ItemState = { state: 'not_checked', changed: [], found: undefined };
const ITEMS_A_LOOK = 200;
/** Places closer than this are given anew. */
const LEAST_STEP = 1e-6;

/** The items of a session. */
export function checkItemHandlers(deps: ServiceDeps): ItemHandlers {
  return {
    addCheckItems({ session_id, channel_id, service_id, point_ids, frame_types, group, ...rules }) {
      const book = CheckBook.of(deps);
      const { id } = book.find(session_id);
      return book.changing(id, async () => {
        book.find(id);
        const channel = await channelOf(deps, channel_id, service_id);
        const { service, id: channelId } = placeOf(channel);
        const chosen = (await chosenPoints(channel, point_ids)).filter(({ frame_type }) => frame_types?.includes(frame_type) ?? true);
        const present = book.items(id);
        const { name } = channel.settings;
        const isOfChannel = (item: StoredCheckItem) =>
          item.service === service && (service === '' ? item.channelId === channelId : item.channel === name);
        const there = new Set(present.filter(isOfChannel).map((item) => (service === '' ? item.pointId : item.code)));
        const added = chosen.filter(({ id: point, code }) => !there.has(service === '' ? point : code));
        if (present.length + added.length > MOST_CHECK_ITEMS) {
          const figures = { most: MOST_CHECK_ITEMS, more: added.length, there: present.length };
          throw new AppError('STATE_CONFLICT', say('check.too_many', figures));
        }
        const last = present.at(-1)?.place ?? 0;
        const turns = new Turns();
        const items: StoredCheckItem[] = [];
        for (const point of added) {
          if (items.length % ITEMS_A_LOOK === 0) await turns.breathe();
          items.push(newItem(deps.facts.newId(), last + 1 + items.length, channel, point, group, rules));
        }
        await book.putItems(id, items);
        return { added: items.length, already: chosen.length - items.length };
      });
    },
    async checkItems({ session_id, page = 1, page_size = DEFAULT_PAGE, sort, order, ...filter }) {
      const book = CheckBook.of(deps);
      const { id } = book.find(session_id);
      const session = deps.projects.current();
      const items = book.items(id);
      Mirrors.of(deps).show(items);
      const marks = await book.marks(id);
      const states = await statesOfItems(session, items, marks);
      const shown = [...items.entries()].filter(([at, item]) => isShown(item, states[at], filter));
      const sorted =
        sort === undefined
          ? shown
          : await sortedByText(shown, ([at, item]) => sortText(item, states[at], marks.get(item.uuid), sort), order === 'desc');
      const rows = sorted.slice((page - 1) * page_size, page * page_size).map(([at, item]) => {
        const mark = marks.get(item.uuid);
        return itemRow(session, item, states[at], mark && book.store.entry(id, mark.part, mark.seq));
      });
      return { total: shown.length, items: rows };
    },
    editCheckItems({ session_id, items: uuids, expectation, group, before }) {
      const book = CheckBook.of(deps);
      const { id } = book.find(session_id);
      return book.changing(id, async () => {
        const chosen = chosenItems(book, id, uuids);
        const edited = chosen.map((item) => ({ ...item, ...(expectation && { expectation }), ...(group !== undefined && { group }) }));
        await book.putItems(id, before === undefined ? edited : placed(book.items(id), edited, before));
        return { changed: chosen.length };
      });
    },
    removeCheckItems({ session_id, items: uuids }) {
      const book = CheckBook.of(deps);
      const { id } = book.find(session_id);
      return book.changing(id, async () => {
        book.requireAtRest(id);
        const chosen = chosenItems(book, id, uuids);
        await requireNoResults(book, id, chosen);
        await book.removeItems(id, chosen);
        return { removed: chosen.length };
      });
    },
  };
}

/** The channel of this project, or of another service by its number there. Throws what keeps it from being known. */
async function channelOf(deps: ServiceDeps, channelId: number, serviceId: number | undefined): Promise<CheckedChannel> {
  if (serviceId === undefined) return findChannel(deps.projects.current(), channelId);
  const mirror = await Mirrors.of(deps).open(serviceId, channelId);
  if (mirror.channel) return mirror.channel;
  throw new AppError('CONFIG_NOT_FOUND', say('check.elsewhere_no_number', { service: mirror.serviceName, id: channelId }));
}

/** How an item names its channel: that of another service has no number here. */
function placeOf({ id, elsewhere }: CheckedChannel): { readonly service: string; readonly id: number } {
  return elsewhere ? { service: elsewhere.service.name, id: 0 } : { service: '', id };
}

/** A point of the table as an item. */
function newItem(
  uuid: string,
  place: number,
  channel: CheckedChannel,
  point: PointConfig,
  group: string,
  rules: CheckRules,
): StoredCheckItem {
  const { service, id: channelId } = placeOf(channel);
  return {
    uuid,
    place,
    service,
    channelId,
    pointId: service === '' ? point.id : 0,
    frameType: point.frame_type,
    channel: channel.settings.name,
    code: point.code,
    name: point.name,
    group: group || point.category,
    expectation: expectationOf(channel, point, rules),
  };
}

/** All or none go. Throws `STATE_CONFLICT` for one that has results. */
async function requireNoResults(book: CheckBook, id: number, items: readonly StoredCheckItem[]): Promise<void> {
  const turns = new Turns();
  for (const { uuid, code } of items) {
    await turns.breathe();
    if (book.store.ofItem(id, uuid, 0, 0).total > 0) throw new AppError('STATE_CONFLICT', say('check.item_has_results', { code }));
  }
}

/** Points in the order of the table. Throws `CONFIG_NOT_FOUND` for an id that the channel has not. */
async function chosenPoints(channel: CheckedChannel, ids: readonly number[] | undefined): Promise<readonly PointConfig[]> {
  if (ids === undefined) return configsInTurns(channel.points, new Turns().breathe);
  return [...new Set(ids)]
    .sort((one, other) => one - other)
    .map((id) => {
      const point = channel.points.config(id);
      if (point) return point;
      throw new AppError('CONFIG_NOT_FOUND', say('service.no_point_in', { channel: channel.settings.name, point: id }));
    });
}

/** Items in the order of the session. Throws `CONFIG_NOT_FOUND` for one that it has not. */
function chosenItems(book: CheckBook, id: number, uuids: readonly string[]): StoredCheckItem[] {
  const wanted = new Set(uuids.map((uuid) => book.item(id, uuid)));
  return book.items(id).filter((item) => wanted.has(item));
}

/** Items with their new places in front of `before`, behind all where it is null; and all others, where there is no room between two places. */
function placed(all: readonly StoredCheckItem[], moved: readonly StoredCheckItem[], before: string | null): StoredCheckItem[] {
  const isMoved = new Set(moved.map(({ uuid }) => uuid));
  const rest = all.filter(({ uuid }) => !isMoved.has(uuid));
  const at = before === null ? rest.length : rest.findIndex(({ uuid }) => uuid === before);
  if (at < 0) throw new AppError('CONFIG_NOT_FOUND', say('check.no_item', { item: before ?? '' }));
  const from = rest[at - 1]?.place ?? (rest[at]?.place ?? 1) - 1 - moved.length;
  const to = rest[at]?.place ?? from + 1 + moved.length;
  const step = (to - from) / (moved.length + 1);
  if (step >= LEAST_STEP) return moved.map((item, index) => ({ ...item, place: from + step * (index + 1) }));
  return [...rest.slice(0, at), ...moved, ...rest.slice(at)].map((item, index) => ({ ...item, place: index + 1 }));
}

/** Text that an item is sorted by. */
function sortText(
  { code, name, service, channel, group }: StoredCheckItem,
  { state, found }: ItemState | undefined = NOTHING_KNOWN,
  mark: Mark | undefined,
  by: 'code' | 'name' | 'channel' | 'group' | 'state' | 'last',
): string {
  if (by === 'state') return String(CHECK_STATES.indexOf(state));
  if (by === 'last') return mark?.orderAt ?? '';
  if (by === 'group') return natural(group);
  if (by === 'channel') return natural(`${service} ${found?.channel.settings.name ?? channel}`);
  return natural(by === 'code' ? (found?.point.code ?? code) : (found?.point.name ?? name));
}

/** States that need nothing more. */
const DONE: readonly CheckState[] = ['passed', 'accepted'];

interface ItemFilter {
  readonly state?: CheckState | 'open' | undefined;
  readonly channel_id?: number | undefined;
  readonly service?: string | undefined;
  readonly frame_type?: number | undefined;
  readonly search?: string | undefined;
}

function isShown(
  item: StoredCheckItem,
  at: ItemState | undefined,
  { state, channel_id, service, frame_type, search }: ItemFilter,
): boolean {
  if (state === 'open' ? DONE.includes(at?.state ?? 'not_checked') : state !== undefined && at?.state !== state) return false;
  if (
    channel_id !== undefined &&
    (item.service !== (service ?? '') || (at?.found?.channel.elsewhere?.channelId ?? item.channelId) !== channel_id)
  )
    return false;
  if (service !== undefined && item.service !== service) return false;
  if (frame_type !== undefined && item.frameType !== frame_type) return false;
  if (search === undefined || search === '') return true;
  const words = search.toLowerCase();
  const { code = '', name = '' } = at?.found?.point ?? {};
  return [item.code, item.name, item.group, item.service, code, name].some((text) => text.toLowerCase().includes(words));
}

function itemRow(session: ProjectSession, item: StoredCheckItem, at: ItemState | undefined, last: StoredCheckEntry | undefined): CheckItem {
  const { channel, point } = at?.found ?? {};
  const elsewhere = elsewhereRow(session, item);
  return {
    item: item.uuid,
    ...elsewhere,
    channel_id: channel?.elsewhere?.channelId ?? item.channelId,
    channel: channel?.settings.name ?? item.channel,
    point_id: point?.id ?? item.pointId,
    frame_type: item.frameType,
    code: point?.code ?? item.code,
    name: point?.name ?? item.name,
    group: item.group,
    expectation: item.expectation,
    state: at?.state ?? 'not_checked',
    changed: [...(at?.changed ?? [])],
    is_there: point !== undefined || elsewhere.trouble !== undefined,
    last: last ? lastOf(JSON.parse(last.body) as CheckEntry) : null,
  };
}

function lastOf({ at, verdict, way, operator, remark, findings }: CheckEntry): CheckItem['last'] {
  return { at, verdict, way, operator, remark, findings };
}
