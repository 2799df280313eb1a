/** What a formula sees while it is worked out. */
export interface FormulaScope {
  /** Seconds since the simulation of the channel began, at its speed. */
  readonly t: number;
  /** Seconds since the step before, at its speed; 0 at the first one. */
  readonly dt: number;
  /** The value that this formula had before. */
  readonly last: number;
  /** From 0 to 1, 1 left out. */
  random(): number;
  /** Value of the reference with this place in `Formula.references`; NaN where none is known. */
  value(reference: number): number;
  /** Value of the column with this place in `Formula.series` at `t`; NaN where none is known. */
  series(place: number): number;
}

/** A formula, or a part of it, that is worked out step by step. */
export type Work = (scope: FormulaScope) => number;
