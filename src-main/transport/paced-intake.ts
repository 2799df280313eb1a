import type { Clock } from '../platform/clock.ts';

/** Octets of a socket that are worked on at a stretch. A peer may pour in megabytes of short frames, and what each of them costs is up to its protocol. */
export const MOST_AT_ONCE = 2048;
/** Pieces of all sockets are worked on for so long before everything else has its turn, in milliseconds. */
const LONGEST_TURN_MS = 5;

/** Datagrams of one port that wait; what comes beyond them is lost, as it is in the system when nobody reads. */
const MOST_DATAGRAMS = 256;

/** Something of which pieces wait. */
interface Paced {
  readonly clock: Clock;
  /** Hands on one piece. */
  handOn(): void;
}

/** Sockets with pieces that wait, for each of them once. The event loop is one for the whole thread, so its turns are shared by all. */
const waiting: Paced[] = [];
let isDue = false;

function inTurn(intake: Paced): void {
  waiting.push(intake);
  goOn();
}

function goOn(): void {
  if (isDue || waiting.length === 0) return;
  isDue = true;
  setImmediate(nextTurn);
}

function nextTurn(): void {
  isDue = false;
  const [first] = waiting;
  const until = first ? first.clock.monotonicMs() + LONGEST_TURN_MS : 0;
  try {
    for (let intake = waiting.shift(); intake; intake = waiting.shift()) {
      intake.handOn();
      if (intake.clock.monotonicMs() >= until) break;
    }
  } finally {
    // a fault of one receiver keeps no other socket waiting
    goOn();
  }
}

/** The part of a socket that is needed here. */
interface PausableSource {
  pause(): unknown;
  resume(): unknown;
}

/**
 * Hands on what comes from a socket in pieces of `MOST_AT_ONCE` octets; meanwhile nothing more is read. What comes in one piece that is no longer is handed on
 * at once.
 */
export class PacedIntake implements Paced {
  readonly clock: Clock;
  readonly #source: PausableSource;
  readonly #receive: (piece: Uint8Array) => void;
  #chunks: Uint8Array[] = [];
  #behind: (() => void)[] = [];

  constructor(source: PausableSource, clock: Clock, receive: (piece: Uint8Array) => void) {
    this.#source = source;
    this.clock = clock;
    this.#receive = receive;
  }

  /** What the socket has read. */
  readonly take = (chunk: Uint8Array): void => {
    if (this.#chunks.length === 0) {
      if (chunk.length <= MOST_AT_ONCE) {
        this.#receive(chunk);
        return;
      }
      inTurn(this);
    }
    this.#chunks.push(chunk);
    this.#source.pause();
  };

  /** Calls when everything that has come is handed on: a socket tells its end while the last pieces wait. */
  behindAll(tell: () => void): void {
    if (this.#chunks.length === 0) tell();
    else this.#behind.push(tell);
  }

  /** Hands on one piece. */
  handOn(): void {
    const [chunk] = this.#chunks;
    if (!chunk) return;
    if (chunk.length > MOST_AT_ONCE) this.#chunks[0] = chunk.subarray(MOST_AT_ONCE);
    else this.#chunks.shift();
    const isLast = this.#chunks.length === 0;
    if (!isLast) inTurn(this);
    this.#receive(chunk.subarray(0, MOST_AT_ONCE));
    if (!isLast) return;
    this.#source.resume();
    for (const tell of this.#behind.splice(0)) tell();
  }
}

/**
 * Hands on what comes to a port in datagrams. They cannot be asked to wait, and the system gives dozens of them in one go; so those behind the first one of a turn of the event loop
 * have their own.
 */
export class PacedDatagrams<Datagram> implements Paced {
  readonly clock: Clock;
  readonly #receive: (datagram: Datagram) => void;
  #waiting: Datagram[] = [];
  #isTurnTaken = false;

  constructor(clock: Clock, receive: (datagram: Datagram) => void) {
    this.clock = clock;
    this.#receive = receive;
  }

  /** What the system has given. */
  readonly take = (datagram: Datagram): void => {
    if (this.#isTurnTaken) {
      if (this.#waiting.length < MOST_DATAGRAMS) this.#waiting.push(datagram);
      return;
    }
    this.#isTurnTaken = true;
    inTurn(this);
    this.#receive(datagram);
  };

  handOn(): void {
    const datagram = this.#waiting.shift();
    if (datagram === undefined) {
      this.#isTurnTaken = false;
      return;
    }
    inTurn(this);
    this.#receive(datagram);
  }
}
