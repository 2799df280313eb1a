/** Golden objects in the shapes of the codec. */
import type { Asdu } from '../codec/asdu.ts';
import type { InfoObject } from '../codec/objects.ts';
import type { TimeTag } from '../codec/time-tags.ts';
import { typeSpec } from '../codec/types.ts';
import { octets, type VectorAsdu, type VectorObject } from './captures.ts';

const LETTERS = { ov: 0x01, bl: 0x10, sb: 0x20, nt: 0x40, iv: 0x80 } as const;
const EVENT_FLAGS = 0xf8;

/** The ASDU that a golden one stands for. */
export function goldenAsdu(golden: VectorAsdu): Asdu {
  return {
    typeId: golden.type,
    isSequence: golden.sq,
    cause: golden.cot,
    isNegative: golden.negative,
    isTest: golden.test,
    originator: golden.oa,
    commonAddress: golden.ca,
    objects: (golden.objects ?? []).map((object) => goldenObject(golden.type, object)),
    raw: golden.raw === undefined ? null : { count: golden.n, octets: octets(golden.raw) },
  };
}

function goldenObject(typeId: number, golden: VectorObject): InfoObject {
  const kind = typeSpec(typeId)?.element.kind;
  const base = { address: golden.ioa, time: goldenTime(golden) };
  const quality = goldenQuality(golden);
  switch (kind) {
    case 'single':
    case 'double':
    case 'normalized':
    case 'scaled':
    case 'float':
    case 'bits':
      return { ...base, kind, value: goldenNumber(golden), quality };
    case 'step':
      return { ...base, kind, value: number(golden, 'step'), quality, isTransient: golden.transient === true };
    case 'counter':
      return {
        ...base,
        kind,
        value: number(golden, 'counter'),
        sequence: number(golden, 'seq'),
        hasCarry: golden.cy === true,
        isAdjusted: golden.ca === true,
        isInvalid: golden.iv === true,
      };
    case 'packed':
      return { ...base, kind, value: number(golden, 'st'), changes: number(golden, 'cd'), quality };
    case 'protectionEvent': {
      const sep = number(golden, 'sep');
      return { ...base, kind, value: sep & 3, quality: sep & EVENT_FLAGS, elapsedMs: number(golden, 'elapsedMs') };
    }
    case 'protectionStart':
    case 'protectionOutput': {
      const value = number(golden, kind === 'protectionStart' ? 'spe' : 'oci');
      return { ...base, kind, value, quality: number(golden, 'qdp'), elapsedMs: number(golden, 'elapsedMs') };
    }
    default:
      return goldenControl(kind, golden, base);
  }
}

function goldenControl(
  kind: InfoObject['kind'] | undefined,
  golden: VectorObject,
  base: { readonly address: number; readonly time: TimeTag | null },
): InfoObject {
  const isSelect = golden.select === true;
  switch (kind) {
    case 'singleCommand':
    case 'doubleCommand':
    case 'stepCommand':
      return { ...base, kind, value: number(golden, 'state'), qualifier: number(golden, 'qu'), isSelect };
    case 'setNormalized':
    case 'setScaled':
    case 'setFloat':
      return { ...base, kind, value: goldenNumber(golden), qualifier: number(golden, 'ql'), isSelect };
    case 'setBits':
      return { ...base, kind, value: number(golden, 'bits'), qualifier: 0, isSelect };
    case 'parameterNormalized':
    case 'parameterScaled':
    case 'parameterFloat':
      return { ...base, kind, value: goldenNumber(golden), qualifier: number(golden, 'qpm') };
    case 'endOfInit':
      return { ...base, kind, value: number(golden, 'coi'), hasChangedParameters: golden.paramChange === true };
    case 'counterInterrogation':
      return { ...base, kind, request: number(golden, 'rqt'), freeze: number(golden, 'frz') };
    case 'interrogation':
      return { ...base, kind, value: number(golden, 'qoi') };
    case 'reset':
      return { ...base, kind, value: number(golden, 'qrp') };
    case 'activation':
      return { ...base, kind, value: number(golden, 'qpa') };
    case 'testPattern':
      return { ...base, kind, value: number(golden, 'fbp') };
    case 'delay':
      return { ...base, kind, value: number(golden, 'elapsedMs') };
    case 'test':
      return { ...base, kind, value: number(golden, 'tsc') };
    case 'read':
    case 'clock':
      return { ...base, kind, value: 0 };
    default:
      throw new Error(`no golden object of kind ${kind}`);
  }
}

function number(golden: VectorObject, key: string): number {
  const value = golden[key];
  if (typeof value !== 'number') throw new Error(`the golden object has no number ${key}`);
  return value;
}

/** `float` may be the text of NaN or an infinity. */
function goldenNumber(golden: VectorObject): number {
  if (golden.normalizedRaw !== undefined) return number(golden, 'normalizedRaw') / 32_768;
  for (const key of ['spi', 'dpi', 'scaled', 'bits']) if (golden[key] !== undefined) return number(golden, key);
  return Math.fround(Number(golden.float));
}

function goldenQuality(golden: VectorObject): number {
  const flags = (golden.q ?? {}) as Readonly<Record<string, boolean>>;
  return Object.entries(LETTERS).reduce((octet, [letter, bit]) => (flags[letter] ? octet | bit : octet), 0);
}

function goldenTime(golden: VectorObject): TimeTag | null {
  const time = golden.time as Readonly<Record<string, number | boolean>> | undefined;
  if (time === undefined) return null;
  const common = {
    milliseconds: Number(time.msOfMinute),
    minute: Number(time.minute),
    isSubstituted: time.gen === true,
    isInvalid: time.iv === true,
  };
  if (time.year === undefined) return { kind: 'cp24', ...common };
  return {
    kind: 'cp56',
    ...common,
    hour: Number(time.hour),
    isSummerTime: time.su === true,
    day: Number(time.day),
    dayOfWeek: Number(time.dow),
    month: Number(time.month),
    year: Number(time.year),
  };
}
