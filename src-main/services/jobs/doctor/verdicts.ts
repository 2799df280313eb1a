import type { DoctorNote, Verdict } from '#shared/contract/jobs.ts';
import {
  ASKING_LAYERS,
  type DoctorCode,
  type DoctorLayer,
  type DoctorParams,
  doctorSentence,
  type VerdictState,
} from '#shared/domain/doctor.ts';

/** Notes of one layer; what is seen more often says nothing new. */
const MAX_NOTES = 8;

/** A sentence of the doctor with what stands in it. */
export function doctorNote(code: DoctorCode, params: DoctorParams): DoctorNote {
  const { text, next } = doctorSentence(code, params);
  return { code, params: { ...params }, text, next_step: next };
}

/** The verdicts of one examination, one a layer. */
export class VerdictSheet {
  readonly #verdicts = new Map<DoctorLayer, Verdict>();
  readonly #notes = new Map<DoctorLayer, DoctorNote[]>();

  /** Layers of this examination, from the wire up. */
  readonly layers: readonly DoctorLayer[];

  constructor(layers: readonly DoctorLayer[] = ASKING_LAYERS) {
    this.layers = layers;
  }

  /** Layers that have their verdict. */
  get size(): number {
    return this.#verdicts.size;
  }

  /** The first layer without a verdict; undefined when all have theirs. */
  get next(): DoctorLayer | undefined {
    return this.layers.find((layer) => !this.#verdicts.has(layer));
  }

  /** Sets the verdict of a layer. The first one stays, unless it was to look at nothing. Throws a `RangeError` for a layer of another examination. */
  set(layer: DoctorLayer, state: VerdictState, code: DoctorCode, params: DoctorParams = {}): void {
    if (!this.layers.includes(layer)) throw new RangeError(`This examination has no layer ${layer}.`);
    const before = this.#verdicts.get(layer);
    if (before && (before.state !== 'skipped' || state === 'skipped')) return;
    this.#verdicts.set(layer, { layer, state, ...doctorNote(code, params), notes: [] });
  }

  /** Adds what else was seen on a layer. */
  note(layer: DoctorLayer, code: DoctorCode, params: DoctorParams = {}): void {
    const notes = this.#notes.get(layer) ?? [];
    if (notes.length < MAX_NOTES) this.#notes.set(layer, [...notes, doctorNote(code, params)]);
  }

  /** Gives every layer without a verdict the one that says why there is none. */
  finish(): void {
    for (const layer of this.layers) this.set(layer, 'skipped', 'NOT_REACHED');
  }

  /** In the order of the layers. */
  list(): Verdict[] {
    return this.layers.flatMap((layer) => {
      const verdict = this.#verdicts.get(layer);
      return verdict ? [{ ...verdict, notes: this.#notes.get(layer) ?? [] }] : [];
    });
  }
}
