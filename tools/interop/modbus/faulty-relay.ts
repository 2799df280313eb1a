/** A line between a master and a foreign slave that hands requests on at once, and answers late, half, twice or never. */
import type { Duplex } from 'node:stream';

/** What becomes of an answer. */
export const FAULTS = ['prompt', 'late', 'half', 'double', 'drop'] as const;
export type Fault = (typeof FAULTS)[number];

/** Bounds of a late answer, in timeouts of the master. */
const EARLIEST = 0.2;
const LATEST = 2.6;
/** How far a copy comes behind its answer at most, in timeouts. */
const LATEST_COPY = 1.5;

export interface FaultyRelayOptions {
  /** The line to the slave. */
  readonly slave: Duplex;
  /** How long the master waits. */
  readonly timeoutMs: number;
  readonly random: () => number;
}

/** Knows nothing of a frame but where an answer ends. Answers keep their order, as those of one device do; copies come between them. */
export class FaultyRelay {
  /** One of them is picked for each answer. */
  faults: readonly Fault[] = ['prompt'];
  /** The master has told that answers come twice here. Until then what is asked while a copy is on its way is answered promptly. */
  isKnownToDouble = false;
  /** Answers by what became of them. */
  readonly counts: Record<Fault, number> = { prompt: 0, late: 0, half: 0, double: 0, drop: 0 };
  readonly #options: FaultyRelayOptions;
  readonly #waiting: { readonly octets: Buffer; readonly at: number }[] = [];
  readonly #timers = new Set<NodeJS.Timeout>();
  #master: Duplex | null = null;
  #rest: Buffer = Buffer.alloc(0);
  #busyUntil = 0;
  #drainedAt = 0;
  #copiesUntil = 0;

  constructor(options: FaultyRelayOptions) {
    this.#options = options;
    options.slave.on('error', () => undefined);
    options.slave.on('data', (chunk: Buffer) => this.#fromSlave(chunk));
  }

  /** The master's side; one that joins later takes its place. */
  join(master: Duplex): void {
    this.#master = master;
    master.on('error', () => undefined);
    master.on('data', (chunk: Buffer) => this.#options.slave.write(chunk));
    master.once('close', () => {
      if (this.#master === master) this.#master = null;
    });
  }

  /** From now on every answer is handed on at once. Answers when those that are on their way have come, by `performance.now()`. */
  beWell(): number {
    this.faults = ['prompt'];
    return Math.max(performance.now(), this.#drainedAt);
  }

  end(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#master?.destroy();
    this.#options.slave.destroy();
  }

  #fromSlave(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (let length = answerLength(this.#rest); length !== null && this.#rest.length >= length; length = answerLength(this.#rest)) {
      const answer = this.#rest.subarray(0, length);
      this.#rest = this.#rest.subarray(length);
      this.#handOn(answer, this.#pick());
    }
  }

  #pick(): Fault {
    const isUnseenCopyComing = !this.isKnownToDouble && performance.now() < this.#copiesUntil;
    return isUnseenCopyComing ? 'prompt' : (this.faults[Math.floor(this.#options.random() * this.faults.length)] ?? 'prompt');
  }

  #handOn(answer: Buffer, fault: Fault): void {
    const { random, timeoutMs } = this.#options;
    this.counts[fault] += 1;
    if (fault === 'drop') return;
    const delay = fault === 'late' ? (EARLIEST + random() * (LATEST - EARLIEST)) * timeoutMs : 0;
    const at = Math.max(performance.now() + delay, this.#busyUntil);
    this.#busyUntil = at;
    this.#sendAt(fault === 'half' ? answer.subarray(0, 1 + Math.floor(random() * (answer.length - 1))) : answer, at);
    if (fault !== 'double') return;
    const copyAt = at + random() ** 2 * LATEST_COPY * timeoutMs;
    this.#copiesUntil = Math.max(this.#copiesUntil, copyAt);
    this.#sendAt(answer, copyAt);
  }

  #sendAt(octets: Buffer, at: number): void {
    this.#drainedAt = Math.max(this.#drainedAt, at);
    const behind = this.#waiting.findIndex((other) => other.at > at);
    this.#waiting.splice(behind < 0 ? this.#waiting.length : behind, 0, { octets, at });
    // timers count whole milliseconds: whichever fires first, the first that waits is sent
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        const first = this.#waiting.shift();
        if (first) this.#master?.write(first.octets);
      },
      Math.ceil(Math.max(1, at - performance.now())),
    );
    this.#timers.add(timer);
  }
}

/** Octets of the answer that begins here (MODBUS over Serial Line V1.02, 2.5.1); null while that cannot be said. */
function answerLength(octets: Buffer): number | null {
  const [, code, count] = octets;
  if (code === undefined || count === undefined) return null;
  if ((code & 0x80) !== 0) return 5;
  return code <= 4 ? 5 + count : 8;
}
