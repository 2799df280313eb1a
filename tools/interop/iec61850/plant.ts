import { expectEqual } from '../report.ts';
import type { Row } from './device.ts';

/** What a peer serves or expects, as its `expected` tells it: type and value of every attribute by LD/LN$FC$DO$DA. */
export type Served = Readonly<Record<string, readonly [type: string, value: unknown]>>;

/** Basic types of our model for the types on the wire. */
const BASIC_TYPES: Readonly<Record<string, string>> = {
  boolean: 'BOOLEAN',
  'integer 8': 'INT8',
  'integer 32': 'INT32',
  'integer 64': 'INT64',
  'unsigned 32': 'INT32U',
  'float 32': 'FLOAT32',
  'bits 2': 'Dbpos',
  'bits -13': 'Quality',
  utc: 'Timestamp',
  'text -64': 'VisString64',
  'text -255': 'VisString255',
  'unicode -255': 'Unicode255',
};

/** Words and flags of the quality bits (IEC 61850-7-3, 6.2) from bit 2 on. */
const DETAILS = [
  ['overflow', 'OV'],
  ['outOfRange', 'outOfRange'],
  ['badReference', 'badReference'],
  ['oscillatory', 'oscillatory'],
  ['failure', 'failure'],
  ['oldData', 'oldData'],
  ['inconsistent', 'inconsistent'],
  ['inaccurate', 'inaccurate'],
  ['substituted', 'SB'],
  ['test', 'test'],
  ['operatorBlocked', 'BL'],
] as const;
const VALIDITIES: Readonly<Record<string, readonly [words: string, flag: string | null]>> = {
  '00': ['good', null],
  '01': ['invalid', 'IV'],
  '10': ['reserved', 'IV'],
  '11': ['questionable', 'questionable'],
};
/** State and words of a double point by its bits. */
const DOUBLES: Readonly<Record<string, readonly [state: number, words: string]>> = {
  '00': [2, 'intermediate'],
  '01': [0, 'off'],
  '10': [1, 'on'],
  '11': [3, 'bad'],
};

const TIME = '1709296496789/10';
const ISO_TIME = '2024-03-01T12:34:56.789Z';

/** Qualities and times that a foreign server is given before it starts. */
export const MARKS: readonly (readonly [key: string, value: string])[] = [
  ['PLANTLD0/GGIO1$ST$Ind1$t', TIME],
  ['PLANTLD0/GGIO1$ST$Ind2$q', '0100001100000'],
  ['PLANTLD0/GGIO1$ST$Ind2$t', TIME],
  ['PLANTLD0/GGIO1$ST$Ind3$q', '1100000001000'],
  ['PLANTLD0/GGIO1$ST$DPInd1$q', '0000000000111'],
  ['PLANTLD0/GGIO1$ST$DPInd2$q', '1000000000000'],
  ['PLANTLD0/GGIO1$ST$IntIn1$q', '1111110010000'],
  ['PLANTLD0/MMXU1$MX$TotW$q', '0001000000000'],
  ['PLANTLD0/MMXU1$MX$TotW$t', TIME],
  ['PLANTMEAS/GGIO1$MX$AnIn40$q', '0100000000000'],
];

/** Attributes that a point shows; of an object that has several, each. */
const VALUE = /\$(?:stVal|general|dirGeneral|actVal|setVal|(?:mag|instMag|setMag|cVal\$mag|cVal\$ang)\$[fi])$/;

/** Keys of the attributes that are points of the checks: those of every class, but elements of arrays and what is edited. */
export function valueKeys(served: Served): string[] {
  return Object.keys(served).filter((key) => VALUE.test(key) && !key.includes('(') && !key.includes('$SE$'));
}

/** `LD/LN.DO.DA[FC]` of a key. */
export function referenceOf(key: string): string {
  const [domain = '', item = ''] = key.split('/');
  const [node, constraint, ...path] = item.split('$');
  return `${domain}/${[node, ...path].join('.')}[${constraint}]`;
}

/** Expects the attributes of a learnt model to be those that are served, but for control blocks. */
export function expectTypes(types: ReadonlyMap<string, string>, served: Served): void {
  for (const [key, [type]] of Object.entries(served)) expectEqual(`the type of ${key}`, types.get(key), BASIC_TYPES[type]);
  const others = [...types.keys()].filter((key) => !(key in served) && !/\$(?:SP\$SGCB|RP)\$/.test(key));
  expectEqual('attributes that nobody serves', others, []);
}

/** Expects a row of our table to show what is served: value, quality and time. */
export function expectRow(row: Row | undefined, key: string, served: Served): void {
  const [type = '', value] = served[key] ?? [];
  const about = owner(key, served);
  const bits = served[`${about}$q`]?.[1];
  const time = served[`${about}$t`]?.[1];
  const [, validity] = validityOf(bits);
  const expected = {
    ...shown(type, value, scaleOf(about, served)),
    quality: validity === 'IV' ? 'invalid' : 'good',
    flags: flagsOf(bits).sort(),
    source_time: time === TIME ? ISO_TIME : null,
  };
  expectEqual(key, row && { ...numberOf(row), quality: row.quality, flags: row.flags.toSorted(), source_time: row.source_time }, expected);
}

/** Expects a value of a data set to be the one that is served, as JSON has it. */
export function expectJson(actual: unknown, key: string, served: Served): void {
  const [type = '', value] = served[key] ?? [];
  expectEqual(key, actual, jsonOf(type, value));
}

/** The structure with quality and time that an attribute lies in. */
function owner(key: string, served: Served): string {
  for (let end = key.lastIndexOf('$'); end > 0; end = key.lastIndexOf('$', end - 1)) {
    if (`${key.slice(0, end)}$q` in served) return key.slice(0, end);
  }
  return key;
}

/** Numbers to what single precision keeps; the text where the number does not say all. */
function numberOf({ value, value_text }: Row) {
  return { value: Math.fround(value), text: /^-?\d{16,}$/.test(value_text) ? value_text : '' };
}

/** Scale of raw values that the suggested points have from the device: that of a sampled value. */
function scaleOf(about: string, served: Served): number {
  const [, factor] = served[`${about.replace('$MX$', '$CF$')}$sVC$scaleFactor`] ?? [];
  return typeof factor === 'number' ? factor : 1;
}

function shown(type: string, value: unknown, scale: number) {
  if (type === 'boolean') return { value: Number(value), text: '' };
  if (type === 'bits 2') return { value: DOUBLES[String(value)]?.[0], text: '' };
  if (typeof value === 'string' && /^-?\d{16,}$/.test(value)) return { value: Math.fround(Number(value)), text: value };
  return { value: type.startsWith('text') ? 0 : Math.fround(Number(value) * scale), text: '' };
}

function validityOf(bits: unknown): readonly [words: string, flag: string | null] {
  return (typeof bits === 'string' ? VALIDITIES[bits.slice(0, 2)] : undefined) ?? ['good', null];
}

function flagsOf(bits: unknown): string[] {
  const [, flag] = validityOf(bits);
  return [...(flag === null ? [] : [flag]), ...detailsOf(bits).map(([, name]) => name)];
}

function detailsOf(bits: unknown): readonly (readonly [string, string])[] {
  return typeof bits === 'string' ? DETAILS.filter((_, at) => bits[at + 2] === '1') : [];
}

function jsonOf(type: string, value: unknown): unknown {
  if (type === 'bits 2') return DOUBLES[String(value)]?.[1];
  if (type === 'bits -13') return [validityOf(value)[0], ...detailsOf(value).map(([words]) => words)].join(' ');
  if (type === 'utc') return value === TIME ? ISO_TIME : null;
  return value;
}
