/** The points of a client channel in the model of its device: bound once for reports and data sets, those of a large table in turns. */
import { cancelled } from '../../platform/clock.ts';
import type { Steps } from '../../platform/steps.ts';
import { Turns } from '../../platform/turns.ts';
import type { PointConfig } from '../spi/index.ts';
import { type BoundPoint, bindSteps } from './binding.ts';
import type { ChannelMemory } from './channel-memory.ts';
import { placeSteps } from './data-set-layout.ts';
import type { ModelIndex } from './model/places.ts';

export interface BoundTableOptions {
  readonly memory: Pick<ChannelMemory, 'model'>;
  points(): readonly PointConfig[];
  /** Turns of one work; left out: those of the thread. */
  turns?(): Pick<Turns, 'breathe'>;
}

/** Points that are bound in some milliseconds. */
const POINTS_AT_ONCE = 1_000;

export class BoundTable {
  readonly #options: BoundTableOptions;
  #bound: readonly BoundPoint[] | null = null;
  /** The model that the points have their places in. */
  #index: ModelIndex | null = null;
  /** What is under way for the table and the model as they are; all who wait for it bring it forward. */
  #steps: Steps<readonly BoundPoint[]> | null = null;
  readonly #ending = new AbortController();
  #isAhead = false;

  constructor(options: BoundTableOptions) {
    this.#options = options;
  }

  /** The table has changed: what is under way for the one before is given up. */
  changed(): void {
    this.#bound = null;
    this.#steps = null;
  }

  /** The points of the table that name something of the model; null while those of a large table are not all bound. */
  get bound(): readonly BoundPoint[] | null {
    this.#lookAtModel();
    return this.#bound ?? (this.#options.points().length <= POINTS_AT_ONCE ? this.atOnce() : null);
  }

  /** The same, with all that is left to do in one step: for what cannot wait. */
  atOnce(): readonly BoundPoint[] {
    this.#lookAtModel();
    while (!this.#bound) this.#step();
    return this.#bound;
  }

  /** The same in turns, for the table and the model as they are at the end. Rejects with `CANCELLED` when `signal` is aborted. */
  async inTurns(signal: AbortSignal): Promise<readonly BoundPoint[]> {
    const { breathe } = this.#options.turns?.() ?? new Turns();
    for (;;) {
      if (signal.aborted) throw cancelled();
      const { bound } = this;
      if (bound) return bound;
      this.#step();
      if (!this.#bound) await breathe();
    }
  }

  /** Begins to bind a large table in turns, for a report that may come and cannot wait: it does at once what is left to do then. */
  ahead(): void {
    if (this.#isAhead) return;
    this.#isAhead = true;
    this.inTurns(this.#ending.signal)
      .catch(() => undefined)
      .finally(() => {
        this.#isAhead = false;
      });
  }

  /** Nobody asks any more. */
  end(): void {
    this.#ending.abort();
    this.#steps = null;
  }

  /** One step towards `bound`. Behind one that throws it begins anew: what has thrown has no further steps. One in which the table changed counts for nothing. */
  #step(): void {
    this.#steps ??= stepsOf(this.#options.points(), this.#index);
    const steps = this.#steps;
    let isDone = true;
    try {
      const { done, value } = steps.next();
      isDone = done === true;
      if (done && this.#steps === steps) this.#bound = value;
    } finally {
      if (isDone && this.#steps === steps) this.#steps = null;
    }
  }

  /** The model as it is now. Places in the one before are none in it, whenever its change is told. */
  #lookAtModel(): void {
    const { index } = this.#options.memory.model;
    if (index === this.#index) return;
    this.changed();
    this.#index = index;
  }
}

function* stepsOf(points: readonly PointConfig[], index: ModelIndex | null): Steps<readonly BoundPoint[]> {
  const isKnown = index !== null && index.model.devices.length > 0;
  const { bound } = yield* bindSteps(points, isKnown ? index : null);
  yield* placeSteps(bound);
  return bound;
}
