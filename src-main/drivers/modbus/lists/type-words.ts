/** Types of values in the words that lists use. */
import { remembered } from '../../../platform/remembered.ts';
import { cutOrder, type WrittenOrder } from './order-words.ts';

/** What a value is; `void`: registers that hold nothing. */
export type TypeKind = 'uint' | 'int' | 'float' | 'bool' | 'bcd' | 'text' | 'time' | 'octets' | 'void';

export interface WrittenType {
  readonly kind: TypeKind;
  /** Bits of one value; null where the word does not say. */
  readonly bits: number | null;
  readonly order: WrittenOrder | null;
  /** True where the word says that single bits have a meaning each. */
  readonly isBits: boolean;
}

/** Chinese words as the English ones, the longer before those they contain. */
const CHINESE: readonly (readonly [RegExp, string])[] = [
  [/无符号/g, ' unsigned '],
  [/[有带]符号/g, ' signed '],
  [/短整[型形数]?/g, ' short '],
  [/长整[型形数]?/g, ' long '],
  [/整[型形数]+/g, ' int '],
  [/单精度/g, ' single '],
  [/双精度/g, ' double '],
  [/浮点[数型]*/g, ' float '],
  [/双字(?!节)/g, ' dword '],
  [/字节/g, ' byte '],
  [/字符串?|文本/g, ' string '],
  [/布尔[量型]?|开关量?/g, ' bool '],
  [/枚举[型]?/g, ' enum '],
  [/位域|位图|按位/g, ' bitfield '],
  [/比特|位/g, ' bit '],
  [/字/g, ' word '],
  [/[数码型]/g, ' '],
];

/** Single words with what they say. */
const WORDS: Readonly<Record<string, Partial<WrittenType> & { readonly isSigned?: boolean }>> = {
  unsigned: { isSigned: false },
  uns: { isSigned: false },
  signed: { isSigned: true },
  u: { isSigned: false },
  ui: { isSigned: false },
  uint: { kind: 'uint' },
  udint: { kind: 'uint', bits: 32 },
  usint: { kind: 'uint', bits: 8 },
  ulint: { kind: 'uint', bits: 64 },
  s: { isSigned: true },
  i: { isSigned: true },
  int: { kind: 'int' },
  sint: { kind: 'int' },
  integer: { kind: 'int' },
  dint: { kind: 'int', bits: 32 },
  lint: { kind: 'int', bits: 64 },
  short: { kind: 'int', bits: 16 },
  ushort: { kind: 'uint', bits: 16 },
  long: { kind: 'int', bits: 32 },
  ulong: { kind: 'uint', bits: 32 },
  longlong: { kind: 'int', bits: 64 },
  word: { kind: 'uint', bits: 16 },
  dword: { kind: 'uint', bits: 32 },
  lword: { kind: 'uint', bits: 64 },
  qword: { kind: 'uint', bits: 64 },
  byte: { kind: 'uint', bits: 8 },
  float: { kind: 'float' },
  f: { kind: 'float' },
  fp: { kind: 'float' },
  real: { kind: 'float' },
  lreal: { kind: 'float', bits: 64 },
  single: { kind: 'float', bits: 32 },
  double: { kind: 'float', bits: 64 },
  bool: { kind: 'bool' },
  boolean: { kind: 'bool' },
  bit: { kind: 'bool' },
  enum: { kind: 'uint' },
  enumeration: { kind: 'uint' },
  acc: { kind: 'uint' },
  accumulator: { kind: 'uint' },
  counter: { kind: 'uint' },
  count: { kind: 'uint', bits: 16 },
  sunssf: { kind: 'int', bits: 16 },
  bitfield: { kind: 'uint', isBits: true },
  bitmap: { kind: 'uint', isBits: true },
  bitmask: { kind: 'uint', isBits: true },
  bits: { kind: 'uint', isBits: true },
  hex: { kind: 'uint' },
  bcd: { kind: 'bcd' },
  lbcd: { kind: 'bcd', bits: 32 },
  string: { kind: 'text' },
  octetstring: { kind: 'octets' },
  str: { kind: 'text' },
  ascii: { kind: 'text' },
  utf: { kind: 'text' },
  char: { kind: 'text' },
  text: { kind: 'text' },
  date: { kind: 'time' },
  time: { kind: 'time' },
  datetime: { kind: 'time' },
  timestamp: { kind: 'time' },
  ipaddr: { kind: 'octets' },
  ipv: { kind: 'octets' },
  eui: { kind: 'octets' },
  mac: { kind: 'octets' },
  raw: { kind: 'octets' },
  pad: { kind: 'void' },
  reserved: { kind: 'void' },
  none: { kind: 'void' },
};

/** Words that say nothing of the type. */
const EMPTY = new Set([
  'value',
  'number',
  'type',
  'data',
  'register',
  'registers',
  'reg',
  'point',
  'ieee',
  'std',
  'standard',
  'array',
  'of',
  'with',
  'binary',
  'addr',
  'high',
  'low',
  'r',
  't',
  'precision',
  'floating',
  'var',
  'length',
  'len',
  'native',
  'visible',
]);
/** Words that end what a number before them counts. */
const UNITS: Readonly<Record<string, number>> = {
  bit: 1,
  bits: 1,
  byte: 8,
  bytes: 8,
  octet: 8,
  octets: 8,
  word: 16,
  words: 16,
  registers: 16,
  register: 16,
  reg: 16,
  regs: 16,
};
const WIDTHS = new Set([1, 8, 16, 24, 32, 48, 64, 128]);
const LONGEST = 60;

/** Reads the text of a type cell; null for a word that nobody knows. */
export const parseType = remembered(readType);

function readType(text: string): WrittenType | null {
  if (text.length > LONGEST) return null;
  const cut = cutOrder(text, true);
  // "U_DWORD_R": the words in reversed order
  const order = cut.order ?? (/_r$/.test(cut.rest.trim()) ? 'CDAB' : null);
  let words = cut.rest;
  for (const [pattern, word] of CHINESE) words = words.replace(pattern, word);
  const tokens = words
    .replace(/(?<!\d)754(-\d+)?/g, ' ')
    .replace(/([a-z])(\d)/g, '$1 $2')
    .replace(/(\d)([a-z])/g, '$1 $2')
    .split(/[^a-z0-9]+/)
    .filter((token) => token !== '');
  if (tokens.length === 0) return order === null ? null : { kind: 'uint', bits: null, order, isBits: false };
  return fromTokens(tokens, order);
}

function fromTokens(tokens: readonly string[], order: WrittenOrder | null): WrittenType | null {
  let kind: TypeKind | null = null;
  let bits: number | null = null;
  let isSigned: boolean | null = null;
  let isBits = false;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] ?? '';
    if (/^\d+$/.test(token)) {
      const unit = UNITS[tokens[at + 1] ?? ''];
      const width = Number(token) * (unit ?? 1);
      // a number that is no width counts elements of a text or an array
      if (WIDTHS.has(width)) bits ??= width;
      else if (kind !== 'text' && kind !== 'octets') return null;
      if (unit !== undefined) at += 1;
      continue;
    }
    const said = WORDS[token];
    if (!said) {
      if (EMPTY.has(token)) continue;
      return null;
    }
    if (said.isSigned !== undefined) isSigned = said.isSigned;
    isBits ||= said.isBits ?? false;
    // "unsigned long": the second word widens the first; "float 32 bit", "bitfield word": the first word rules
    if (said.kind && (kind === null || kind === 'uint' || kind === 'int'))
      kind = kind === 'uint' && said.kind === 'int' ? 'uint' : said.kind;
    if (said.bits) bits ??= said.bits;
  }
  if (kind === 'bool' && (bits ?? 1) > 1) kind = 'uint';
  if (kind === 'bool' && isSigned !== null) kind = null;
  if (isSigned !== null && (kind === null || kind === 'int' || kind === 'uint')) kind = isSigned ? 'int' : 'uint';
  if (kind === null) return null;
  return { kind, bits: kind === 'bool' ? 1 : bits, order, isBits };
}
