import { COMPARING, type WaitCondition } from '#shared/contract/lists.ts';
import { AppError, invalidField } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { delay } from '../../platform/clock.ts';
import type { PointState } from '../../runtime/values/point-table.ts';
import type { Handlers } from '../handlers.ts';
import type { ServiceDeps } from '../ports.ts';
import { NEVER_READ, rowOf } from '../rows.ts';
import { TICK_MS } from './hub.ts';
import { findNamed } from './named-points.ts';

/** Requests that wait at the same time. */
const MOST_WAITS = 200;

/** What is waited for, and the state of the point when the request came. */
interface Wanted {
  readonly condition: WaitCondition;
  readonly value: number;
  readonly tolerance: number;
  readonly before: PointState;
}

/** Waits for conditions on points; looks at the table, and asks no device. */
export function pointWaits(deps: Pick<ServiceDeps, 'projects' | 'clock'>): Handlers['waitForPoint'] {
  const { clock } = deps;
  let waits = 0;
  return async ({ code, device_name, channel_id, condition, value, tolerance, hold_ms, timeout_ms }, context) => {
    if (value === undefined && COMPARING.has(condition)) throw invalidField('value', say('live.value_missing', { condition }));
    const session = deps.projects.current();
    const [found] = findNamed(session, [{ code, device_name, channel_id }], {}, () => 'code');
    if (!found) throw new AppError('INTERNAL', say('live.no_codes', { codes: code }));
    if (waits >= MOST_WAITS) throw new AppError('STATE_BUSY', say('live.too_many_waits', { most: MOST_WAITS }));
    const { channel } = found;
    const { id } = found.point;
    const gone = new AbortController();
    context.whenGone?.(() => gone.abort());
    const wanted = { condition, value: value ?? 0, tolerance, before: channel.points.state(id) ?? NEVER_READ };
    const began = clock.monotonicMs();
    let since: number | null = null;
    waits += 1;
    try {
      for (;;) {
        const point = channel.points.config(id);
        if (deps.projects.current() !== session || session.channels.get(channel.id) !== channel || !point) {
          throw new AppError('STATE_CONFLICT', say('live.wait_ended', { code }));
        }
        const now = clock.monotonicMs();
        since = isMet(wanted, channel.points.state(id) ?? NEVER_READ) ? (since ?? now) : null;
        const isDone = since !== null && now - since >= hold_ms;
        if (isDone || now - began >= timeout_ms) return { met: isDone, waited_ms: Math.round(now - began), point: rowOf(channel, point) };
        await delay(clock, Math.min(TICK_MS, timeout_ms - (now - began)), gone.signal);
      }
    } finally {
      waits -= 1;
    }
  };
}

function isMet({ condition, value, tolerance, before }: Wanted, state: PointState): boolean {
  const isGood = state.quality === 'good';
  if (condition === 'good' || condition === 'not_good') return isGood === (condition === 'good');
  if (!isGood) return false;
  switch (condition) {
    case 'equal':
      return Math.abs(state.value - value) <= tolerance;
    case 'not_equal':
      return Math.abs(state.value - value) > tolerance;
    case 'less':
      return state.value < value;
    case 'at_most':
      return state.value <= value;
    case 'greater':
      return state.value > value;
    case 'at_least':
      return state.value >= value;
    case 'changed':
      return state.value !== before.value || state.valueText !== before.valueText || before.updatedAt === null;
  }
}
