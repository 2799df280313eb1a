import type { CheckReference } from '#shared/contract/check.ts';
import type { DataOf } from '#shared/contract/index.ts';
import { AppError, invalidField } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { StoredCheckItem } from '../../persistence/check-repositories.ts';
import { Turns } from '../../platform/turns.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import { type FoundPoint, findChannel } from '../lookup.ts';
import type { ProjectSession } from '../ports.ts';
import { pointOfItem } from './states.ts';
import type { Compared } from './unattended-run.ts';

/** Items that are looked at between two turns of the lines. */
const ITEMS_A_LOOK = 200;

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
export function comparedItems(
  session: ProjectSession,
  items: readonly StoredCheckItem[],
  { channelId, tolerance, percent }: ReferenceSource,
): Compared[] {
  const channel = channelId === undefined ? null : findChannel(session, channelId);
  if (channel && items.some((item) => item.channelId === channel.id))
    throw invalidField('reference_channel_id', say('check.own_reference'));
  const compared = items.flatMap((item): Compared[] => {
    const found = pointOfItem(session, item);
    if (!isComparable(item, found)) return [];
    if (!channel) {
      const own = ownReference(item);
      return own ? [{ item, reference: () => own }] : [];
    }
    const id = pointLike(channel, item, found);
    if (id === undefined) return [];
    return [
      {
        item,
        reference() {
          const state = channel.points.state(id);
          return state?.quality === 'good' && Number.isFinite(state.value) ? { value: state.value, tolerance, percent } : null;
        },
      },
    ];
  });
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
function isComparable({ expectation }: StoredCheckItem, found: FoundPoint | undefined): boolean {
  if (expectation.kind !== 'values' || expectation.references.length > 1) return false;
  return !found || found.channel.driver.isReadable(found.point);
}

/** The point of a channel with the code and the type of an item. */
function pointLike({ points }: ChannelRuntime, item: StoredCheckItem, found: FoundPoint | undefined): number | undefined {
  const id = points.byCode(found?.point.code ?? item.code);
  return id !== undefined && points.config(id)?.frame_type === item.frameType ? id : undefined;
}

/** The one value that an expectation has; null where it has none. */
function ownReference({ expectation }: StoredCheckItem): CheckReference | null {
  return expectation.kind === 'values' ? (expectation.references[0] ?? null) : null;
}
