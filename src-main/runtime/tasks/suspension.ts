import type { Clock } from '../../platform/clock.ts';

/** Timeouts in a row after which a slave is suspended (decisions, "Read tasks"). */
const SUSPEND_AFTER = 3;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;
/** What a suspended slave may cost the others of its line. */
const PROBE_SHARE = 0.02;
/** So long after its last answer a slave still counts as one that a probe of another slave takes time from. */
const HEARD_MS = 60_000;

/** What an automatic task may do with a slave: ask it, ask it once as a probe, or leave it out. */
export type SuspensionVerdict = 'ask' | 'probe' | 'skip';

export interface SuspendedSlave {
  readonly slaveId: number;
  /** Monotonic milliseconds. */
  readonly nextProbeAt: number;
  /** Timeouts in a row so far. */
  readonly timeouts: number;
}

interface SlaveRecord {
  timeouts: number;
  isSuspended: boolean;
  nextProbeAt: number;
  /** Pause before the next probe. */
  pauseMs: number;
  /** Pause after the next timeout. */
  nextPauseMs: number;
  isProbing: boolean;
  /** When a timeout was counted last. */
  countedAt: number;
}

function newRecord(): SlaveRecord {
  return {
    timeouts: 0,
    isSuspended: false,
    nextProbeAt: 0,
    pauseMs: FIRST_PAUSE_MS,
    nextPauseMs: FIRST_PAUSE_MS,
    isProbing: false,
    countedAt: Number.NEGATIVE_INFINITY,
  };
}

/**
 * Silent slaves of one line. Three timeouts in a row suspend a slave for automatic batch and single tasks; then one probe per
 * pause, 5 s doubling to 60 s, asks whether it is back. Any answer lifts the suspension, a reconnect lifts all. Where a protocol
 * has no slaves (null) nothing is suspended.
 *
 * A probe gets 2 % of the pause before it, so that a silent slave costs the others 2 % of the line at most, from its suspension on: 100 ms at
 * first, 1.2 s in the end. One that had to take longer, for a slave known to be slow, is paid for by a longer pause after it, while
 * others of the line answer.
 */
export class SlaveSuspension {
  readonly #clock: Clock;
  readonly #slaves = new Map<number, SlaveRecord>();
  #heardAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Asks without changing anything. */
  verdict(slaveId: number | null): SuspensionVerdict {
    const slave = slaveId === null ? undefined : this.#slaves.get(slaveId);
    if (!slave?.isSuspended) return 'ask';
    return !slave.isProbing && this.#clock.monotonicMs() >= slave.nextProbeAt ? 'probe' : 'skip';
  }

  /** How long a probe of this slave may take without an answer, in milliseconds. */
  probeBudgetMs(slaveId: number | null): number {
    const slave = slaveId === null ? undefined : this.#slaves.get(slaveId);
    return PROBE_SHARE * (slave?.pauseMs ?? FIRST_PAUSE_MS);
  }

  /** Marks that the one probe of this pause is under way; `answered`, `timedOut` or `endProbe` ends it. */
  beginProbe(slaveId: number | null): void {
    const slave = slaveId === null ? undefined : this.#slaves.get(slaveId);
    if (slave) slave.isProbing = true;
  }

  /** The probe ended without saying anything about the slave: cancelled, or the connection was lost. */
  endProbe(slaveId: number | null): void {
    const slave = slaveId === null ? undefined : this.#slaves.get(slaveId);
    if (slave) slave.isProbing = false;
  }

  /** The slave answered, be it with a refusal. */
  answered(slaveId: number | null): void {
    if (slaveId === null) return;
    this.#slaves.delete(slaveId);
    this.#heardAt = this.#clock.monotonicMs();
  }

  /**
   * A request of an automatic task to this slave timed out; `costMs` is how long it held the line. Requests that were outstanding together tell of one
   * silence.
   */
  timedOut(slaveId: number | null, costMs = 0): void {
    if (slaveId === null) return;
    const slave = this.#slaves.get(slaveId) ?? newRecord();
    this.#slaves.set(slaveId, slave);
    const at = this.#clock.monotonicMs();
    if (at - costMs < slave.countedAt) return;
    slave.countedAt = at;
    slave.timeouts += 1;
    // Requests that were outstanding when the slave was suspended lengthen no pause.
    if (slave.timeouts < SUSPEND_AFTER || (slave.isSuspended && !slave.isProbing)) return;
    const now = this.#clock.monotonicMs();
    const hasOthers = now - this.#heardAt < HEARD_MS;
    const paidFor = slave.isProbing && hasOthers ? costMs * (1 / PROBE_SHARE - 1) : 0;
    slave.isProbing = false;
    slave.isSuspended = true;
    slave.pauseMs = slave.nextPauseMs;
    slave.nextProbeAt = now + Math.max(slave.pauseMs, paidFor);
    slave.nextPauseMs = Math.min(slave.nextPauseMs * 2, LONGEST_PAUSE_MS);
  }

  /** Makes the next probe of every suspended slave due now: a person has just started a task. */
  probeSoon(): void {
    for (const slave of this.#slaves.values()) {
      slave.nextProbeAt = Math.min(slave.nextProbeAt, this.#clock.monotonicMs());
      slave.pauseMs = FIRST_PAUSE_MS;
      slave.nextPauseMs = FIRST_PAUSE_MS;
    }
  }

  /** Forgets everything: the line was opened anew. */
  clear(): void {
    this.#slaves.clear();
  }

  /** Suspended slaves in order of their number. */
  list(): SuspendedSlave[] {
    return [...this.#slaves]
      .filter(([, slave]) => slave.isSuspended)
      .map(([slaveId, slave]) => ({ slaveId, nextProbeAt: slave.nextProbeAt, timeouts: slave.timeouts }))
      .sort((a, b) => a.slaveId - b.slaveId);
  }
}
