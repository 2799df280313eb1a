import { closest } from 'fastest-levenshtein';
import type { CheckReference, CheckSeen } from '#shared/contract/check.ts';
import type { DataOf } from '#shared/contract/index.ts';
import { channelPlace } from '#shared/domain/check-place.ts';
import { isServing } from '#shared/domain/enums.ts';
import { AppError, type FieldIssue, fieldIssue, invalidField, invalidInput } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { PointConfig } from '../../drivers/spi/index.ts';
import type { StoredCheckItem } from '../../persistence/check-repositories.ts';
import { Turns } from '../../platform/turns.ts';
import { notStarted } from '../../runtime/not-started.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import { findChannel } from '../lookup.ts';
import type { ProjectSession } from '../ports.ts';
import type { CheckedChannel, CheckedPoint } from './elsewhere/checked-channel.ts';
import { seenNow } from './evidence.ts';
import { asJudged, exactly, isOfStates } from './exact.ts';
import type { ReferenceLine } from './reference-file.ts';
import { pointOfItem } from './states.ts';

/** Expectations that a value of a file, or of a simulated device, stands for. */
const COMPARED: readonly string[] = ['values', 'states'];

/** An item with what its value is compared with. */
export interface Compared {
  readonly item: StoredCheckItem;
  /** The reference as it is now; null: it has no good value. */
  wanted(): CheckReference | null;
  /** The value that it was seen in; null for one that stands in an expectation or a file. */
  seen(): CheckSeen | null;
  /** Where the reference is read; null for one that is in force all the time: of an expectation, a file, or a simulated device. */
  readonly source: { readonly channel: ChannelRuntime; readonly pointId: number } | null;
}

/** Where references come from, and how near a value has to be to one of another channel. */
export interface ReferenceSource {
  readonly channelId: number | undefined;
  readonly tolerance: number;
  readonly percent: number;
}

/**
 * The items that have something to be compared with, in their order. Throws `STATE_CONFLICT` where there is none, `CONFIG_NOT_FOUND` for a channel that is not there, `CONFIG_INVALID` for
 * one that holds items itself.
 */
export async function comparedItems(
  session: ProjectSession,
  items: readonly StoredCheckItem[],
  { channelId, tolerance, percent }: ReferenceSource,
): Promise<Compared[]> {
  const channel = channelId === undefined ? null : findChannel(session, channelId);
  if (channel && items.some((item) => item.channelId === channel.id))
    throw invalidField('reference_channel_id', say('check.own_reference'));
  const turns = new Turns();
  const comparedOf = (item: StoredCheckItem): Compared[] => {
    const found = pointOfItem(session, item);
    if (!isComparable(item, found)) return [];
    if (!channel) {
      const own = ownReference(asJudged(item, found?.point));
      return own ? [{ item, wanted: () => own, seen: () => null, source: null }] : [];
    }
    const id = pointLike(channel, item, found);
    if (id === undefined) return [];
    const isExact = isOfStates(item, found?.point, channel.points.config(id));
    return [
      {
        item,
        wanted() {
          const state = channel.points.state(id);
          if (state?.quality !== 'good' || !Number.isFinite(state.value)) return null;
          return isExact ? exactly(state) : { value: state.value, tolerance, percent };
        },
        seen() {
          const point = channel.points.config(id);
          return point ? { ...seenNow({ channel, point }), is_reference: true } : null;
        },
        source: isServing(channel.settings.conn_type) ? null : { channel, pointId: id },
      },
    ];
  };
  const compared: Compared[] = [];
  for (const item of items) {
    await turns.breathe();
    compared.push(...comparedOf(item));
  }
  if (compared.length === 0) throw new AppError('STATE_CONFLICT', say('check.no_reference'));
  return compared;
}

/** How many of these items have a reference of their own, and how many each other channel has a point for; a long list bit by bit. */
export async function referenceChoices(session: ProjectSession, items: readonly StoredCheckItem[]): Promise<DataOf<'checkReferences'>> {
  const turns = new Turns();
  const holders = new Set(items.map(({ channelId }) => channelId));
  const others = session.channels.list().filter(({ id }) => !holders.has(id));
  const matches = new Map(others.map(({ id }) => [id, 0]));
  let own = 0;
  for (const [at, item] of items.entries()) {
    if (at % ITEMS_A_LOOK === ITEMS_A_LOOK - 1) await turns.breathe();
    const found = pointOfItem(session, item);
    if (!isComparable(item, found)) continue;
    if (ownReference(item)) own += 1;
    for (const channel of others) {
      if (pointLike(channel, item, found) !== undefined) matches.set(channel.id, (matches.get(channel.id) ?? 0) + 1);
    }
  }
  const channels = others.map(({ id, settings }) => ({ channel_id: id, channel: settings.name, matches: matches.get(id) ?? 0 }));
  return {
    items: items.length,
    own,
    channels: channels.filter((each) => each.matches > 0).sort((one, other) => other.matches - one.matches),
  };
}

/** What nobody can read, what takes several values, and what is proved by sending, is left to the guided way. */
function isComparable({ expectation }: StoredCheckItem, found: CheckedPoint | undefined): boolean {
  if (expectation.kind !== 'values' || expectation.references.length > 1) return false;
  return !found || found.channel.driver.isReadable(found.point);
}

/** The point of a channel with the code and the type of an item. */
function pointLike({ points }: CheckedChannel, item: StoredCheckItem, found: CheckedPoint | undefined): number | undefined {
  const id = points.byCode(found?.point.code ?? item.code);
  return id !== undefined && points.config(id)?.frame_type === item.frameType ? id : undefined;
}

/**
 * The items that have a point of their code and type in a simulated device. Throws `STATE_CONFLICT` where there is none and for a channel that does not serve, `STATE_READ_ONLY`,
 * `STATE_NOT_STARTED`, `CONFIG_NOT_FOUND`.
 */
export async function tracedItems(session: ProjectSession, items: readonly StoredCheckItem[], channelId: number) {
  const below = findChannel(session, channelId);
  const { settings, points } = below;
  if (!isServing(settings.conn_type)) throw new AppError('STATE_CONFLICT', say('check.not_served', { channel: settings.name }));
  if (settings.read_only) throw new AppError('STATE_READ_ONLY', say('service.channel_read_only', { channel: settings.name }));
  const { status } = below.state();
  if (status !== 'running') throw notStarted(settings.name, status);
  const turns = new Turns();
  const traced: { readonly item: StoredCheckItem; readonly below: PointConfig }[] = [];
  for (const item of items) {
    await turns.breathe();
    const found = pointOfItem(session, item);
    const id = points.byCode(found?.point.code ?? item.code);
    const point = id === undefined ? undefined : points.config(id);
    if (!point || point.frame_type !== item.frameType || item.channelId === channelId) continue;
    const isSeen = !found || found.channel.driver.isReadable(found.point);
    if (isSeen && COMPARED.includes(item.expectation.kind)) traced.push({ item, below: point });
  }
  if (traced.length === 0) throw new AppError('STATE_CONFLICT', say('check.no_pairs'));
  return { below, items: traced };
}

/** Rows that do not fit and are told; one more line says how many there are. */
const MOST_TOLD = 100;

/** What is wrong with a file, told up to a bound. */
class FileFaults {
  readonly #told: FieldIssue[] = [];
  #count = 0;

  add(said: Parameters<typeof fieldIssue>[1]): void {
    this.#count += 1;
    if (this.#told.length < MOST_TOLD) this.#told.push(fieldIssue('file', said));
  }

  /** Throws `CONFIG_INVALID` with all of them. */
  settle(): void {
    if (this.#count === 0) return;
    const more = this.#count - this.#told.length;
    throw invalidInput(more === 0 ? this.#told : [...this.#told, fieldIssue('file', say('check.ref_more', { count: more }))]);
  }
}

/** Codes of a file that are unknown and get the nearest one told: to look for it takes long. */
const MOST_NEAR = 20;
const ITEMS_A_LOOK = 500;

/**
 * The items that a file names, with its references, bit by bit. Throws `CONFIG_INVALID` with every row that does not fit.
 */
export async function itemsOfFile(
  session: ProjectSession,
  items: readonly StoredCheckItem[],
  lines: readonly ReferenceLine[],
  { tolerance, percent }: Pick<ReferenceSource, 'tolerance' | 'percent'>,
): Promise<Compared[]> {
  const turns = new Turns();
  const byCode = new Map<string, { readonly item: StoredCheckItem; readonly found: CheckedPoint | undefined }[]>();
  for (const [at, item] of items.entries()) {
    if (at % ITEMS_A_LOOK === 0) await turns.breathe();
    const found = pointOfItem(session, item);
    const code = found?.point.code ?? item.code;
    byCode.set(code, [...(byCode.get(code) ?? []), { item, found }]);
  }
  const faults = new FileFaults();
  const compared: Compared[] = [];
  const codes = [...byCode.keys()];
  let near = 0;
  for (const line of lines) {
    await turns.breathe();
    if ('fault' in line) {
      faults.add(line.fault);
      continue;
    }
    const { row, channel, code, value, tolerance: own } = line;
    const all = byCode.get(code) ?? [];
    const chosen =
      channel === ''
        ? all
        : all.filter(({ item, found }) => [found?.channel.settings.name ?? item.channel, channelPlace(item)].includes(channel));
    const [only] = chosen;
    if (!only) {
      const nearest = near++ < MOST_NEAR && codes.length > 0 && all.length === 0 ? closest(code, codes) : null;
      faults.add(nearest === null ? say('check.ref_unknown', { row, code }) : say('check.ref_unknown_near', { row, code, near: nearest }));
    } else if (chosen.length > 1) {
      const channels = chosen
        .map(({ item, found }) => channelPlace({ service: item.service, channel: found?.channel.settings.name ?? item.channel }))
        .join(', ');
      faults.add(say('check.ref_channels', { row, code, channels }));
    } else if (!COMPARED.includes(only.item.expectation.kind) || (only.found && !only.found.channel.driver.isReadable(only.found.point))) {
      faults.add(say('check.ref_not_compared', { row, code }));
    } else {
      const isExact = isOfStates(only.item, only.found?.point);
      const reference = isExact ? exactly({ value }) : { value, tolerance: own ?? tolerance, percent };
      compared.push({ item: only.item, wanted: () => reference, seen: () => null, source: null });
    }
  }
  faults.settle();
  return compared;
}

/** The one value that an expectation has; null where it has none. */
function ownReference({ expectation }: StoredCheckItem): CheckReference | null {
  return expectation.kind === 'values' ? (expectation.references[0] ?? null) : null;
}
