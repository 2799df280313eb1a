/** Unit and scale of values by the configuration of their data objects (IEC 61850-7-3: units, sVC, magSVC, angSVC, pulsQty). */
import type { ModelIndex } from './places.ts';
import { splitIndex } from './references.ts';
import { unitText } from './units.ts';

/** Where a value lies: its data object, and the way from there to the leaf. */
export interface ScaledPlace {
  readonly domain: string;
  readonly node: string;
  /** Names of the data object and its sub data objects. */
  readonly object: readonly string[];
  /** `instMag`, `i`. */
  readonly attribute: readonly string[];
}

/** Engineering value = raw × `mul_coe` + `addCoe`. */
export interface Scale {
  readonly mul_coe: number;
  readonly add_coe: number;
}

/** Analogue values whose integer is scaled, and the attribute under CF that says how. */
const SCALED_BY: Readonly<Record<string, string>> = {
  mag: 'sVC',
  instMag: 'sVC',
  subMag: 'sVC',
  mxVal: 'sVC',
  setMag: 'sVC',
};
const VECTORS: readonly string[] = ['cVal', 'instCVal', 'subCVal'];
const COUNTERS: readonly string[] = ['actVal', 'frVal'];
/** SIUnit of angles, which are degrees in every class (IEC 61850-7-3, vector). */
const DEGREES = '9';

/** Unit of a value: that of its data object, else of the object it is part of; empty where nothing says. */
export function unitAt(index: ModelIndex, { domain, node, object, attribute }: ScaledPlace): string {
  if (isAngle(attribute)) return unitText(DEGREES, null);
  for (let depth = object.length; depth > 0; depth--) {
    const written = (name: string) => index.configured(domain, node, 'CF', [...object.slice(0, depth), 'units', name]);
    const text = unitText(written('SIUnit'), written('multiplier'));
    if (text !== '') return text;
  }
  return '';
}

/** Scale of a value: of an integer that stands for an analogue value, and of a counter of pulses; null where its number is the value. */
export function scaleAt(index: ModelIndex, { domain, node, object, attribute }: ScaledPlace): Scale | null {
  const number = (...path: readonly string[]) => numberOf(index.configured(domain, node, 'CF', [...object, ...path]));
  const name = splitIndex(attribute[0] ?? '').name;
  if (COUNTERS.includes(name)) return scaleOf(number('pulsQty'), null);
  const by = attribute.at(-1) === 'i' ? scaledBy(name, attribute) : undefined;
  return by === undefined ? null : scaleOf(number(by, 'scaleFactor'), number(by, 'offset'));
}

function scaledBy(name: string, attribute: readonly string[]): string | undefined {
  if (VECTORS.includes(name)) return isAngle(attribute) ? 'angSVC' : 'magSVC';
  return Object.hasOwn(SCALED_BY, name) ? SCALED_BY[name] : undefined;
}

function isAngle(attribute: readonly string[]): boolean {
  return attribute[1] === 'ang';
}

/** A factor of 0 was never set: every value would be the offset. */
function scaleOf(factor: number | null, offset: number | null): Scale | null {
  const mulCoe = factor === null || factor === 0 ? 1 : factor;
  const addCoe = offset ?? 0;
  return mulCoe === 1 && addCoe === 0 ? null : { mul_coe: mulCoe, add_coe: addCoe };
}

function numberOf(text: string | null): number | null {
  const number = text === null || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : null;
}
