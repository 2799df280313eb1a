/** What a driver tells about the use of its line, and what it can foresee of it. */

/** One exchange on the line, as far as it went, for the line statistics. */
export interface LineExchange {
  readonly slaveId: number;
  readonly functionCode: number;
  /** Octets of the request. */
  readonly txOctets: number;
  /** Octets of the answer; 0 where none came. */
  readonly rxOctets: number;
  /** From handing the request to the line to the end of the answer or of the wait, in milliseconds. */
  readonly durationMs: number;
  /** What the slave took to begin its answer, the silent gap not counted, in milliseconds; null where that cannot be told. */
  readonly turnRoundMs: number | null;
}

/** What octets that were no good were: none of our framing, a frame with a wrong checksum, or a frame that breaks a rule. */
export type LineFault = 'noise' | 'checksum' | 'protocol';

export interface RoundOptions {
  readonly mode: 'batch' | 'single';
  /** What a slave takes to begin its answer, in milliseconds; null where nothing was measured. */
  turnRoundMs(slaveId: number): number | null;
  /** False leaves `largerGaps` empty. */
  readonly withLargerGaps: boolean;
  /** Left out: `gaps` is not made. */
  readonly withGaps?: boolean;
}

/** Addresses without a point between two requests of a round: reading over them would take less line time than the second request does. */
export interface CostlyGap {
  /** The first point behind it, and a point in front of it. */
  readonly pointId: number;
  readonly beforeId: number;
  readonly addresses: number;
  /** What the second request costs more, in milliseconds. */
  readonly ms: number;
}

/** What one round asks of one slave. */
export interface SlaveRound {
  readonly slaveId: number;
  readonly requests: number;
  /** Octets on the line, both directions. */
  readonly octets: number;
  /** Line time in milliseconds; null where the line is fast enough not to matter. */
  readonly predictedMs: number | null;
  /** Turn-round it was reckoned with, in milliseconds, and whether that was measured; null together with `predictedMs`. */
  readonly turnRoundMs: number | null;
  readonly isTurnRoundMeasured: boolean;
}

/** What one round would ask with a certain `max_gap`. */
export interface GapRound {
  readonly maxGap: number;
  readonly requests: number;
  readonly octets: number;
  readonly predictedMs: number | null;
}

/** A round before it starts: pure arithmetic on the point table. */
export interface RoundForecast extends GapRound {
  /** Points that are read. */
  readonly points: number;
  /** Points that no request can ask for. */
  readonly excluded: number;
  /** In order of their number. */
  readonly slaves: readonly SlaveRound[];
  /** Larger values of `max_gap` that change something, ascending; empty in mode `single` and where they were not asked for. */
  readonly largerGaps: readonly GapRound[];
  /** Where they were asked for, on a line that is slow enough to matter. */
  readonly gaps?: readonly CostlyGap[];
}
