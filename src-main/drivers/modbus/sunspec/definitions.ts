/** The models of SunSpec as resources/sunspec has them (SunSpec Device Information Model Specification V1.2). */
import texts from '../../../../resources/sunspec/models.json' with { type: 'json' };

export interface SunSpecPoint {
  readonly name: string;
  readonly label?: string;
  readonly type: string;
  /** Registers. */
  readonly size: number;
  /** Name of the point with the power of ten, or the power itself. */
  readonly sf?: string | number;
  readonly units?: string;
  readonly access?: 'R' | 'RW';
  readonly symbols?: readonly { readonly name: string; readonly label?: string; readonly value: number }[];
}

export interface SunSpecGroup {
  readonly name: string;
  readonly label?: string;
  /** How often the group stands there: a number, 0 for as often as the model has room for, or the name of the point that says it. Left out: once. */
  readonly count?: number | string;
  readonly points?: readonly SunSpecPoint[];
  readonly groups?: readonly SunSpecGroup[];
}

export interface SunSpecModel {
  readonly id: number;
  /** Model id and length are its first two points. */
  readonly group: SunSpecGroup;
}

const TEXTS: Readonly<Record<string, string>> = texts;

/** The definition of a model; null for one that is not public, as those of makers. */
export function modelOf(id: number): SunSpecModel | null {
  const text = Object.hasOwn(TEXTS, id) ? TEXTS[id] : undefined;
  return text === undefined ? null : (JSON.parse(text) as SunSpecModel);
}

/** Ids of all models that have a definition. */
export function modelIds(): readonly number[] {
  return Object.keys(TEXTS).map(Number);
}
