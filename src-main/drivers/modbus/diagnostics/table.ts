/** Whether the values of a table look as its points say: pure heuristics over a handful of samples. */
import { DECODE_CODES, type DecodeCode, describeDecode, findDecode } from '#shared/domain/decode.ts';
import type { TableRemark, TableSample } from '../../spi/diagnostics.ts';
import type { DriverChannelSettings, PointValue } from '../../spi/index.ts';
import { refusalOf } from '../client/refusal.ts';
import { readFunction } from '../point-rules.ts';
import { compileDecoder } from '../values.ts';

/** Magnitudes that measured values have: 1 µ to 1 G in whatever unit. */
const LEAST_MAGNITUDE = 1e-6;
const LARGEST_MAGNITUDE = 1e9;
/** A whole number that another order makes so many times smaller was read in the wrong order. */
const WHOLE_RATIO = 256;
const SMALL_WHOLE = 2 ** 24;
/** Register numbers as they are printed in manuals begin here, by function (V1.1b3 has none; the convention is Modicon's). */
const NUMBER_BASES: readonly { readonly functionCode: number; readonly base: number; readonly last: number }[] = [
  { functionCode: 3, base: 40_001, last: 49_999 },
  { functionCode: 4, base: 30_001, last: 39_999 },
  { functionCode: 2, base: 10_001, last: 19_999 },
];

interface Value extends TableSample {
  readonly reading: PointValue;
}

/** Remarks about order of octets, address base and function, at most one of each. */
export function judgeModbusTable(samples: readonly TableSample[], settings: Pick<DriverChannelSettings, 'addressBase'>): TableRemark[] {
  const remarks = [orderRemark(samples), baseRemark(samples, settings), functionRemark(samples)];
  return remarks.filter((remark) => remark !== null);
}

/** The decode code under which the most points look wrong while another order of the same type makes all of them look right. */
function orderRemark(samples: readonly TableSample[]): TableRemark | null {
  const groups = new Map<string, Value[]>();
  for (const sample of samples) {
    const { point, reading } = sample;
    if (reading.kind !== 'value' || readFunction(point) <= 2 || isZero(reading.raw)) continue;
    groups.set(point.decode, [...(groups.get(point.decode) ?? []), { ...sample, reading }]);
  }
  let best: TableRemark | null = null;
  let most = 0;
  for (const [code, values] of groups) {
    const decode = findDecode(code);
    const found = decode && decode.registers > 1 ? betterOrder(decode, values) : null;
    if (!decode || !found || found.wrong.length <= most) continue;
    most = found.wrong.length;
    best = remarkOf(decode, found.better, found.wrong);
  }
  return best;
}

function betterOrder(decode: DecodeCode, values: readonly Value[]): { better: DecodeCode; wrong: Value[] } | null {
  const isFloat = decode.type.startsWith('float');
  const candidates = DECODE_CODES.filter((item) => item.type === decode.type && item !== decode);
  for (const better of candidates) {
    const wrong = values.filter((value) => isWrong(value, decode, better, isFloat));
    const allFit = values.every((value) => isPlausible(rawOf(value, better), isFloat));
    if (allFit && wrong.length > 0 && wrong.length * 2 >= values.length) return { better, wrong };
  }
  return null;
}

function isWrong(value: Value, decode: DecodeCode, better: DecodeCode, isFloat: boolean): boolean {
  const now = rawOf(value, decode);
  if (isFloat) return !isPlausible(now, true);
  return Math.abs(now) >= SMALL_WHOLE / WHOLE_RATIO && Math.abs(rawOf(value, better)) * WHOLE_RATIO <= Math.abs(now);
}

function isPlausible(raw: number, isFloat: boolean): boolean {
  const magnitude = Math.abs(raw);
  if (!isFloat) return magnitude < SMALL_WHOLE;
  return raw === 0 || (magnitude >= LEAST_MAGNITUDE && magnitude <= LARGEST_MAGNITUDE);
}

/** The number of another decode code, without a bit of it. */
function rawOf({ point, reading }: Value, decode: DecodeCode): number {
  return Number(compileDecoder({ ...point, decode: decode.code, bit: null }).read(reading.raw, 0));
}

function remarkOf(decode: DecodeCode, better: DecodeCode, wrong: readonly Value[]): TableRemark | null {
  const [first] = wrong;
  if (!first) return null;
  const instead = compileDecoder({ ...first.point, decode: better.code }).value(first.reading.raw, 0);
  return {
    code: 'TABLE_ORDER',
    params: {
      code: first.point.code,
      decode: describeDecode(decode.code),
      suggested: describeDecode(better.code),
      shown: first.shown(first.reading),
      instead: first.shown(instead),
      count: wrong.length - 1,
    },
  };
}

function isZero(octets: Uint8Array): boolean {
  return octets.every((octet) => octet === 0);
}

/** Refused addresses that all lie in the range of printed register numbers. */
function baseRemark(samples: readonly TableSample[], { addressBase }: Pick<DriverChannelSettings, 'addressBase'>): TableRemark | null {
  if (addressBase !== 0) return null;
  const refused = samples.filter(({ reading }) => reading.kind === 'failure' && refusalOf(reading.error)?.exception === 2);
  for (const { functionCode, base, last } of NUMBER_BASES) {
    const [first, ...others] = refused.filter(({ point }) => readFunction(point) === functionCode).map(({ point }) => point.address);
    if (first === undefined) continue;
    if ([first, ...others].every((address) => address >= base && address <= last))
      return { code: 'TABLE_BASE', params: { address: first, base } };
  }
  return null;
}

function functionRemark(samples: readonly TableSample[]): TableRemark | null {
  for (const { point, reading } of samples) {
    if (reading.kind !== 'failure' || refusalOf(reading.error)?.exception !== 1) continue;
    return { code: 'TABLE_FUNCTION', params: { function: readFunction(point), code: point.code } };
  }
  return null;
}
