import type { CheckReference, CheckSeen } from '#shared/contract/check.ts';
import { AppError, invalidField } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { StoredCheckItem } from '../../persistence/check-repositories.ts';
import { findChannel } from '../lookup.ts';
import type { ProjectSession } from '../ports.ts';
import { seenNow } from './evidence.ts';
import { pointOfItem } from './states.ts';

/** An item with what its value is compared with. */
export interface Compared {
  readonly item: StoredCheckItem;
  /** The reference as it is now; null: it has no good value. */
  wanted(): CheckReference | null;
  /** The value that it was seen in; null for one that stands in an expectation or a file. */
  seen(): CheckSeen | null;
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
    // what nobody can read, what takes several values, and what is proved by sending, is left to the guided way
    const { expectation } = item;
    if (expectation.kind !== 'values' || expectation.references.length > 1) return [];
    if (found && !found.channel.driver.isReadable(found.point)) return [];
    if (!channel) {
      const own = ownReference(item);
      return own ? [{ item, wanted: () => own, seen: () => null }] : [];
    }
    const id = channel.points.byCode(found?.point.code ?? item.code);
    if (id === undefined || channel.points.config(id)?.frame_type !== item.frameType) return [];
    return [
      {
        item,
        wanted() {
          const state = channel.points.state(id);
          return state?.quality === 'good' && Number.isFinite(state.value) ? { value: state.value, tolerance, percent } : null;
        },
        seen() {
          const point = channel.points.config(id);
          return point ? { ...seenNow({ channel, point }), is_reference: true } : null;
        },
      },
    ];
  });
  if (compared.length === 0) throw new AppError('STATE_CONFLICT', say('check.no_reference'));
  return compared;
}

/** The one value that an expectation has; null where it has none. */
function ownReference({ expectation }: StoredCheckItem): CheckReference | null {
  return expectation.kind === 'values' ? (expectation.references[0] ?? null) : null;
}
