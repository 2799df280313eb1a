import { CHECK_STATES, type CheckState } from '#shared/domain/check.ts';
import { stateOfVerdict } from '#shared/domain/check-order.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { StoredCheckItem } from '../../persistence/check-repositories.ts';
import type { StoredChannel } from '../../persistence/repositories.ts';
import { Turns } from '../../platform/turns.ts';
import type { ProjectSession } from '../ports.ts';
import { canonical } from './chain.ts';
import type { Mark } from './check-book.ts';
import type { CheckedChannel, CheckedPoint } from './elsewhere/checked-channel.ts';
import { Mirrors, troubleOf } from './elsewhere/mirrors.ts';
import { type Mapping, mappingChanges, mappingOf, pointThen } from './mapping.ts';

/** Items that are looked at between two turns of the lines. */
const ITEMS_A_LOOK = 200;

/** Where an item stands. */
export interface ItemState {
  readonly state: CheckState;
  /** Settings that are otherwise than when it passed or was accepted. */
  readonly changed: readonly string[];
  /** The point; undefined: it is gone. */
  readonly found: CheckedPoint | undefined;
}

/** How many items are in each state. */
export type StateCounts = Record<CheckState, number>;

/** The point of an item; undefined where it or its channel is gone, or it is of another type now. */
export function pointOfItem(session: ProjectSession, item: StoredCheckItem): CheckedPoint | undefined {
  const channel = channelOfItem(session, item);
  const id = item.service === '' ? item.pointId : channel?.points.byCode(item.code);
  const point = id === undefined ? undefined : channel?.points.config(id);
  return channel && point && point.frame_type === item.frameType ? { channel, point } : undefined;
}

/** The channel of an item; undefined where it is gone, and for one of another service that nothing is known of. */
export function channelOfItem(session: ProjectSession, item: StoredCheckItem): CheckedChannel | undefined {
  return item.service === '' ? session.channels.get(item.channelId) : Mirrors.find(session, item)?.channel;
}

/** Why an item has no point now. */
export function goneOf(session: ProjectSession, item: StoredCheckItem): Message {
  const { service, channel, code } = item;
  const reason = troubleOf(session, item);
  if (reason) return say('check.elsewhere_trouble', { service, code, reason });
  return service === '' ? say('check.point_gone', { code }) : say('check.elsewhere_gone', { service, channel, code });
}

/** Where an item stands by its deciding result and by what its point is now. */
export function stateOfItem(session: ProjectSession, item: StoredCheckItem, mark: Mark | undefined): ItemState {
  const found = pointOfItem(session, item);
  if (!mark) return { state: 'not_checked', changed: [], found };
  const changed = found && (mark.verdict === 'passed' || mark.verdict === 'accepted') ? changesSince(mark, found) : [];
  return { state: stateOfVerdict(mark.verdict, changed.length > 0), changed, found };
}

/** What a point and its channel were when a mark was compared last. */
interface Compared {
  readonly settings: StoredChannel;
  readonly configRevision: number;
  readonly changed: readonly string[];
}

/** A page asks for thousands of them, once a second: they are compared when something was edited. */
const compared = new WeakMap<Mark, Compared>();

function changesSince(mark: Mark, found: CheckedPoint): readonly string[] {
  const { settings, points } = found.channel;
  const { configRevision } = points;
  const known = compared.get(mark);
  if (known?.settings === settings && known.configRevision === configRevision) return known.changed;
  const now = mappingOf(pointThen(found));
  const changed = canonical(now) === mark.mapping ? [] : mappingChanges(JSON.parse(mark.mapping) as Mapping, now);
  compared.set(mark, { settings, configRevision, changed });
  return changed;
}

/** Where all items stand, in their order, a long list bit by bit. */
export async function statesOfItems(
  session: ProjectSession,
  items: readonly StoredCheckItem[],
  marks: ReadonlyMap<string, Mark>,
): Promise<ItemState[]> {
  const turns = new Turns();
  const states: ItemState[] = [];
  for (const [at, item] of items.entries()) {
    if (at % ITEMS_A_LOOK === ITEMS_A_LOOK - 1) await turns.breathe();
    states.push(stateOfItem(session, item, marks.get(item.uuid)));
  }
  return states;
}

/** No item in any state. */
export function noCounts(): StateCounts {
  return Object.fromEntries(CHECK_STATES.map((state) => [state, 0])) as StateCounts;
}
