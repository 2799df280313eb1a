import type { DoctorNote, Verdict } from '#shared/contract/jobs.ts';
import {
  DOCTOR_LAYERS,
  type DoctorCode,
  type DoctorLayer,
  type DoctorParams,
  doctorSentence,
  type VerdictState,
} from '#shared/domain/doctor.ts';

/** Notes of one layer; what is seen more often says nothing new. */
const MAX_NOTES = 8;

function noteOf(code: DoctorCode, params: DoctorParams): DoctorNote {
  const { text, next } = doctorSentence(code, params);
  return { code, params: { ...params }, text, next_step: next };
}

/** The verdicts of one examination, one a layer. */
export class VerdictSheet {
  readonly #verdicts = new Map<DoctorLayer, Verdict>();
  readonly #notes = new Map<DoctorLayer, DoctorNote[]>();

  /** Layers that have their verdict. */
  get size(): number {
    return this.#verdicts.size;
  }

  /** Sets the verdict of a layer; the first one stays. */
  set(layer: DoctorLayer, state: VerdictState, code: DoctorCode, params: DoctorParams = {}): void {
    if (this.#verdicts.has(layer)) return;
    this.#verdicts.set(layer, { layer, state, ...noteOf(code, params), notes: [] });
  }

  /** Adds what else was seen on a layer. */
  note(layer: DoctorLayer, code: DoctorCode, params: DoctorParams = {}): void {
    const notes = this.#notes.get(layer) ?? [];
    if (notes.length < MAX_NOTES) this.#notes.set(layer, [...notes, noteOf(code, params)]);
  }

  /** Gives every layer without a verdict the one that says why there is none. */
  finish(): void {
    for (const layer of DOCTOR_LAYERS) this.set(layer, 'skipped', 'NOT_REACHED');
  }

  /** In the order of the layers. */
  list(): Verdict[] {
    return DOCTOR_LAYERS.flatMap((layer) => {
      const verdict = this.#verdicts.get(layer);
      return verdict ? [{ ...verdict, notes: this.#notes.get(layer) ?? [] }] : [];
    });
  }
}
