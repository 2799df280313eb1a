/**
 * What registers of Modbus hold beyond the numbers of the decode table (settings `kind` and `registers` of a point). A decode code still says in
 * which order the octets arrive, and of which family a plain number is; the kind says what they mean, and `registers` how many there are.
 */
import { type DecodeCode, describeDecode, findDecode } from './decode.ts';

/** Registers that each kind may cover; the first is the one where nothing is said. Null: 1 to 125, and it has to be said. */
export const REGISTER_KINDS = {
  text: null,
  hex: null,
  ip: [2, 8],
  mac: [4, 3],
  bcd: [2, 1, 3, 4],
  sign_magnitude: [2, 1, 3, 4],
  mod10k: [2, 1, 3, 4],
  unix_seconds: [2, 4],
  unix_milliseconds: [4],
  seconds_since_2000: [2],
  cp56: [4],
  date_octets: [3],
  date_bcd: [3],
  date_registers: [6],
  date_schneider: [3],
} as const satisfies Readonly<Record<string, readonly number[] | null>>;
export type RegisterKind = keyof typeof REGISTER_KINDS;

export const KIND_NAMES = Object.keys(REGISTER_KINDS) as [RegisterKind, ...RegisterKind[]];

/** Registers a plain number may cover: 3 make integers of 48 bits. */
export const NUMBER_REGISTERS: readonly number[] = [1, 2, 3, 4];
/** Most registers of one point: what one request reads (MODBUS Application Protocol V1.1b3, 6.3). */
export const MOST_REGISTERS = 125;

/** A point as far as its registers go. */
export interface RegisterPoint {
  readonly decode: string;
  readonly protocol: Readonly<Record<string, unknown>>;
}

/** The kind of value of a point; null where its registers are a plain number. */
export function kindOf({ protocol }: Pick<RegisterPoint, 'protocol'>): RegisterKind | null {
  const { kind } = protocol;
  return typeof kind === 'string' && Object.hasOwn(REGISTER_KINDS, kind) ? (kind as RegisterKind) : null;
}

/** True for a kind whose values are words and no numbers. */
export function isWords(kind: RegisterKind | null): boolean {
  return kind === 'text' || kind === 'hex' || kind === 'ip' || kind === 'mac';
}

/** True for a kind whose values are moments. */
export function isMoment(kind: RegisterKind | null): boolean {
  return kind !== null && !isWords(kind) && kind !== 'bcd' && kind !== 'sign_magnitude' && kind !== 'mod10k';
}

/** Registers a point covers. */
export function registersOf({ decode, protocol }: RegisterPoint): number {
  const code = findDecode(decode)?.registers ?? 1;
  const { registers } = protocol;
  if (typeof registers === 'number') return registers;
  const kind = kindOf({ protocol });
  const possible: readonly number[] | null = kind && REGISTER_KINDS[kind];
  return !possible || possible.includes(code) ? code : (possible[0] ?? code);
}

/** True when the octets of each register arrive low one first, and when the registers do. */
export function orderOf({ order }: DecodeCode): { readonly isSwapped: boolean; readonly isReversed: boolean } {
  const first = order.charCodeAt(0) - LETTER_A;
  return { isSwapped: first % 2 === 1, isReversed: order.length > 2 && first > 1 };
}

/**
 * Where each octet of the big-endian value stands among the octets as they arrive, high octet first, for so many registers in the order of a decode
 * code: CDAB of three registers gives [4, 5, 2, 3, 0, 1].
 */
export function octetPlaces(decode: DecodeCode, registers: number = decode.registers): readonly number[] {
  const { order } = decode;
  if (order === '') return SMALL;
  const known = PLACES.get(order)?.get(registers);
  if (known) return known;
  const places = placesOf(decode, registers);
  PLACES.set(order, new Map(PLACES.get(order)).set(registers, places));
  return places;
}

const SMALL = [1] as const;
/** By order and registers, of which there are few: they are asked for with every value. */
const PLACES = new Map<string, Map<number, readonly number[]>>();

function placesOf(decode: DecodeCode, registers: number): readonly number[] {
  const { isSwapped, isReversed } = orderOf(decode);
  return Array.from({ length: registers }, (_, at) => 2 * (isReversed ? registers - 1 - at : at)).flatMap((high) =>
    isSwapped ? [high + 1, high] : [high, high + 1],
  );
}

/** The letters of a decode code for so many registers, as `DecodeCode.order` has them: CDAB of three is EFCDAB. */
export function lettersOf(decode: DecodeCode, registers: number): string {
  return decode.order === '' ? '' : String.fromCharCode(...octetPlaces(decode, registers).map((place) => LETTER_A + place));
}

const LETTER_A = 65;
/** Registers whose octets have letters that are read at a glance. */
const MOST_LETTERED = 4;

/** What the registers of a point hold and in which letters, as tables show it: `0x45 float32 CDAB`, `0x43 uint48 EFCDAB`, `bcd CDAB`, `text 16`. */
export function describeRegisters(point: RegisterPoint): string {
  const decode = findDecode(point.decode);
  const kind = kindOf(point);
  const registers = registersOf(point);
  if (!decode || (kind === null && registers === decode.registers)) return point.decode === '' ? '' : describeDecode(point.decode);
  const letters = registers <= MOST_LETTERED ? lettersOf(decode, registers) : '';
  if (kind === null) return `${decode.code} ${familyOf(decode)}${registers * 16} ${letters}`;
  return [kind, isWords(kind) || letters === '' ? registers : letters].join(' ');
}

/** `uint`, `int` or `float`. */
export function familyOf({ type }: DecodeCode): 'uint' | 'int' | 'float' {
  return type.startsWith('uint') ? 'uint' : type.startsWith('int') ? 'int' : 'float';
}
