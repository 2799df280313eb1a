/** What is known of a line beyond a connection: which answers are owed there, what came lately, and what its devices are like. */
import type { DriverMemory } from '../spi/index.ts';
import { AnswerCopies } from './answer-copies.ts';
import type { Answer, Asked } from './asking.ts';
import { ByDevice } from './by-device.ts';
import type { Pacing } from './pacing.ts';

/** A request that ended without an answer that is surely its own. */
export interface Owed<Request> {
  readonly request: Request;
  /** Number of the request in the frame log. */
  readonly seq: number;
  /** After that its answer is not expected any more: reckoned from its own sending, and never put off. */
  readonly expiresAt: number;
  /** True for a request that was sent to tell. */
  readonly isTelling: boolean;
}

export interface OwedEntry<Request> extends Owed<Request> {
  /** True when a command was sent behind it: its answer is from before. */
  readonly isOutdated: boolean;
}

/** What is known of a device's answers to telling requests. */
export interface Teller {
  /** It has answered one that touches no data. */
  hasLoopback: boolean;
  /** Unanswered ones, right behind an answer to something else, on this connection. */
  strikes: number;
  /** The latest one was not answered, and nothing was heard since. */
  isUnanswered: boolean;
  /** A refusal of a telling read could have been that of another read. */
  hasVagueReads: boolean;
  /** True while it is left alone, so that what is owed may come. */
  isLeftAlone: boolean;
}

const NAME = 'line';

/**
 * It outlasts a connection: line and devices are the same behind a reconnect, a rebuild and another start, and a serial server gives what a slow slave says to
 * whoever is connected by then.
 */
export class LineMemory<Request extends Asked, Frame extends Answer> {
  readonly copies = new AnswerCopies<Request, Frame>();
  /** When a frame last came that a device may have sent, and when each was last asked. */
  readonly heardAt = new ByDevice<number>();
  readonly askedAt = new ByDevice<number>();
  readonly tellers = new ByDevice<Teller>();
  /** Answers of each device. */
  readonly answers = new ByDevice<number>();
  owed: OwedEntry<Request>[] = [];
  /** Null before the first connection. */
  pacing: Pacing | null = null;
  /** It was told that answers come twice, and not that they do no more. */
  isToldOfDoubling = false;
}

/** That of a channel; one of its own without a memory. */
export function lineMemoryOf<Request extends Asked, Frame extends Answer>(memory: DriverMemory | undefined): LineMemory<Request, Frame> {
  const known = memory?.get(NAME);
  if (known instanceof LineMemory) return known as LineMemory<Request, Frame>;
  const made = new LineMemory<Request, Frame>();
  memory?.set(NAME, made);
  return made;
}

/** Of the memory of a driver what is of the line alone. */
export function keepLineMemory(memory: DriverMemory): DriverMemory {
  return new Map([...memory].filter(([name]) => name === NAME));
}
