import type { TurnRoundOptions } from '../kit/turn-rounds.ts';

/** What plans reckon with for meters: most take 20 to 500 ms, and one behind a slow radio keeps to its own time. */
export const METER_TURN_ROUNDS: TurnRoundOptions = { assumedMs: 50, longestMs: Number.POSITIVE_INFINITY, materialMs: 0.2 };
