import type { CommandResult } from '#shared/contract/points.ts';
import type { PointConfig } from '../drivers/spi/index.ts';
import { delay } from '../platform/clock.ts';
import type { ChannelRuntime } from '../runtime/types.ts';
import type { FoundPoint } from './lookup.ts';
import type { ServiceDeps } from './ports.ts';
import { pointTextsOf, valueTextOf } from './rows.ts';

/** Pause between two looks at the related point, in milliseconds. */
export const LOOK_INTERVAL_MS = 100;
/** A value read within this time counts as the one before the command. */
const FRESH_MS = 1000;

type Reaction = CommandResult['reaction'];

/** Watches the point that shows the effect of a command. */
export interface ReactionWatch {
  /** Reads the related point until its value changes, for the time allowed from `since` (monotonic), when the device took the command. */
  wait(since: number): Promise<Reaction>;
  /** The answer for a command that had no effect. */
  unchanged(): Reaction;
}

/**
 * Notes the value of the related point before a command is sent; reads it when the last one is not fresh. A related point that is missing
 * or cannot be read gives a reaction of null, it never holds up the command with an error.
 */
export async function watchReaction(deps: ServiceDeps, { channel, point }: FoundPoint, timeoutMs: number): Promise<ReactionWatch> {
  const related = relatedPoint(channel, point);
  if (!related || timeoutMs === 0) return { wait: async () => null, unchanged: () => null };
  const before = await valueBefore(deps, channel, related);
  const beforeText = before === null ? '' : wordsOf(channel, related);
  const reaction = (after: number | null, delayMs: number | null): Reaction => {
    const afterText = after === null ? '' : after === before ? beforeText : wordsOf(channel, related);
    return {
      point_id: related.id,
      code: related.code,
      frame_type: related.frame_type,
      before,
      after,
      ...(beforeText && { before_text: beforeText }),
      ...(afterText && { after_text: afterText }),
      delay_ms: delayMs,
    };
  };
  return {
    unchanged: () => reaction(before, null),
    async wait(since) {
      const deadline = since + timeoutMs;
      let last = before;
      for (;;) {
        const now = await look(channel, related.id);
        const at = deps.clock.monotonicMs();
        if (now === 'gone') return reaction(last, null);
        if (now !== null) {
          last = now;
          if (now !== before) return reaction(now, Math.max(0, Math.round(changedAt(deps, channel, related.id) - since)));
        }
        if (at + LOOK_INTERVAL_MS > deadline) return reaction(last, null);
        await delay(deps.clock, LOOK_INTERVAL_MS);
      }
    },
  };
}

/** What stands in place of the value of a point now; empty where the number says it all. */
function wordsOf(channel: ChannelRuntime, related: PointConfig): string {
  const state = channel.points.state(related.id);
  return state ? valueTextOf(state, pointTextsOf(related)) : '';
}

/** Monotonic time of the change just seen: when the device sent it by itself, else now. */
export function changedAt({ clock }: ServiceDeps, channel: ChannelRuntime, pointId: number): number {
  const updatedAt = channel.driver.descriptor.reportsChanges ? channel.points.state(pointId)?.updatedAt : null;
  return updatedAt == null ? clock.monotonicMs() : clock.monotonicMs() - (clock.wallMs() - updatedAt);
}

export function relatedPoint(channel: ChannelRuntime, point: PointConfig): PointConfig | undefined {
  if (point.related_code === '') return undefined;
  const id = channel.points.byCode(point.related_code);
  const related = id === undefined ? undefined : channel.points.config(id);
  return related && channel.driver.isReadable(related) ? related : undefined;
}

async function valueBefore(deps: ServiceDeps, channel: ChannelRuntime, related: PointConfig): Promise<number | null> {
  const state = channel.points.state(related.id);
  const isFresh = state?.quality === 'good' && state.updatedAt !== null && deps.clock.wallMs() - state.updatedAt < FRESH_MS;
  if (isFresh) return state.value;
  const now = await look(channel, related.id);
  return now === 'gone' ? null : now;
}

/**
 * Reads a point now; null when the read failed or brought no good value, `gone` when the channel is not started any more. Where the device sends changes by itself the
 * table says what there is to know, and nothing is asked.
 */
export async function look(channel: ChannelRuntime, pointId: number): Promise<number | null | 'gone'> {
  const { status } = channel.state();
  if (status !== 'running' && status !== 'reconnecting') return 'gone';
  const state = channel.points.state(pointId);
  if (channel.driver.descriptor.reportsChanges) return state?.quality === 'good' ? state.value : null;
  try {
    await channel.readSingle(pointId);
  } catch {
    return null;
  }
  const now = channel.points.state(pointId);
  return now?.quality === 'good' ? now.value : null;
}
