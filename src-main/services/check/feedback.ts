import type { CheckFinding, CheckSeen } from '#shared/contract/check.ts';
import { say } from '#shared/messages/index.ts';
import type { PointConfig } from '../../drivers/spi/index.ts';
import { delay } from '../../platform/clock.ts';
import type { FoundPoint } from '../lookup.ts';
import type { ServiceDeps } from '../ports.ts';
import { changedAt, LOOK_INTERVAL_MS, look } from '../reaction.ts';
import { canonical } from './chain.ts';
import type { DeviceTimes } from './device-times.ts';
import { seenNow } from './evidence.ts';
import { finding } from './findings.ts';
import { mappingOf, pointThen } from './mapping.ts';

/** A feedback is waited for so many times as long as it may take: a late one is another fault than none. */
const LATE_TIMES = 3;

/** What a feedback has to do. */
export interface FeedbackWanted {
  /** State that it has to take, having left another one. */
  readonly state: number;
  readonly withinMs: number;
  /** How long it has to stay there. */
  readonly settleMs: number;
}

/** How a feedback moved. */
interface Followed {
  readonly end: 'there' | 'left_again' | 'elsewhere' | 'unmoved' | 'edited' | 'not_read' | 'given_up';
  /** From the moment the device took the command, in milliseconds; null: it never came. */
  readonly took: number | null;
  readonly value: number | null;
  readonly changes: number;
}

/** The feedback of a command: what stood before it, and what came of it. */
export class Feedback {
  readonly #deps: ServiceDeps;
  readonly #found: FoundPoint;
  readonly #wanted: FeedbackWanted;
  readonly #times: DeviceTimes;
  /** What decided when the command was sent where its value comes from. */
  readonly #mapping: string;
  readonly #before: number;
  readonly #seen: CheckSeen[] = [];

  private constructor(deps: ServiceDeps, found: FoundPoint, wanted: FeedbackWanted, times: DeviceTimes, before: number) {
    this.#deps = deps;
    this.#found = found;
    this.#wanted = wanted;
    this.#times = times;
    this.#mapping = canonical(mappingOf(pointThen(found)));
    this.#before = before;
  }

  /** Looks where the point stands, before the command is sent; null where nobody knows. */
  static async before(deps: ServiceDeps, found: FoundPoint, wanted: FeedbackWanted, times: DeviceTimes): Promise<Feedback | null> {
    const value = await look(found.channel, found.point.id);
    return typeof value === 'number' ? new Feedback(deps, found, wanted, times, value) : null;
  }

  /**
   * Watches the point for three times as long as it may take, and for the time that it has to stay. `sentAt`, `takenAt`: when the command was sent, and when the device took it, monotonic; `ending` ends the wait.
   */
  async after(
    sentAt: number,
    takenAt: number,
    ending: AbortSignal,
  ): Promise<{ readonly findings: readonly CheckFinding[]; readonly seen: readonly CheckSeen[] }> {
    const followed = await this.#follow(sentAt, takenAt, ending);
    const said = this.#findingOf(followed);
    return { findings: said ? [said] : [], seen: this.#seen };
  }

  #findingOf({ end, took, value, changes }: Followed): CheckFinding | null {
    const { code } = this.#found.point;
    const { state, withinMs: within } = this.#wanted;
    switch (end) {
      case 'edited':
        return finding('not_known', say('check.found_feedback_edited', { code }));
      case 'given_up':
        return finding('not_known', say('check.found_feedback_given_up', { code }));
      case 'not_read':
        return finding('not_known', say('check.found_feedback_unread', { code }));
      case 'elsewhere':
        return finding('swapped', say('check.found_swapped', { code, value: value ?? '–', wanted: state }));
      case 'unmoved':
        return finding('dead', say('check.found_no_feedback', { code, value: value ?? '–', within: within * LATE_TIMES }));
      case 'left_again':
        return finding('chatter', say('check.found_feedback_left', { code, wanted: state, changes }));
      case 'there':
        return took !== null && took > within ? finding('late', say('check.found_late', { code, took, within })) : null;
    }
  }

  async #follow(sentAt: number, takenAt: number, ending: AbortSignal): Promise<Followed> {
    const { clock } = this.#deps;
    const { state, withinMs, settleMs } = this.#wanted;
    let deadline = takenAt + withinMs * LATE_TIMES;
    let before = this.#before;
    let last = before;
    let took: number | null = null;
    let changes = 0;
    let isRead = false;
    for (;;) {
      const value = await look(this.#found.channel, this.#found.point.id);
      if (this.#isEdited()) return { end: 'edited', took, value: last, changes };
      if (value === 'gone') return { end: 'not_read', took, value: null, changes };
      isRead = value !== null;
      if (value !== null) {
        this.#note(value);
        // it moved before the command, and the device says so now
        if (value !== last && took === null && this.#changedAt() < sentAt) last = before = value;
        if (value !== last) changes += 1;
        if (value !== last && value === state) {
          took = Math.max(0, Math.round(this.#changedAt() - takenAt));
          // the last look is behind the time that it has to stay
          deadline = Math.max(deadline, clock.monotonicMs()) + settleMs + LOOK_INTERVAL_MS;
          changes = 1;
        }
        last = value;
        if (took !== null && changes > 1) return { end: 'left_again', took, value, changes };
        if (took !== null && clock.monotonicMs() - takenAt - took >= settleMs) return { end: 'there', took, value, changes };
      }
      if (clock.monotonicMs() + LOOK_INTERVAL_MS > deadline) break;
      await delay(clock, LOOK_INTERVAL_MS, ending).catch(() => undefined);
      if (ending.aborted) return { end: 'given_up', took, value: last, changes };
    }
    if (!isRead) return { end: 'not_read', took, value: null, changes };
    return { end: last === before ? 'unmoved' : 'elsewhere', took, value: last, changes };
  }

  /** Takes a value as evidence where it is another one than before. */
  #note(value: number): void {
    if (this.#seen.at(-1)?.value !== value) this.#seen.push(seenNow(this.#found));
  }

  /** When the present value came about at the latest, monotonic. */
  #changedAt(): number {
    const { channel, point } = this.#found;
    const at = changedAt(this.#deps, channel, point.id);
    const { sourceTime = null } = channel.points.state(point.id) ?? {};
    return sourceTime === null ? at : Math.min(at, this.#times.happenedBy(channel.id, sourceTime) ?? at);
  }

  /** True once the point is read from another place, or otherwise, or is gone. */
  #isEdited(): boolean {
    const { channel } = this.#found;
    const point: PointConfig | undefined = channel.points.config(this.#found.point.id);
    return point === undefined || canonical(mappingOf(pointThen({ channel, point }))) !== this.#mapping;
  }
}
