import type { TurnRoundOptions } from '../kit/turn-rounds.ts';

/** What plans reckon with for slaves: most take 5 to 30 ms, and what takes longer than 500 ms is an exception of the device. */
export const SLAVE_TURN_ROUNDS: TurnRoundOptions = { assumedMs: 10, longestMs: 500, materialMs: 0.5 };
