/** Orders of octets in the words that lists use. Letters as in the decode table: `CDAB` is low word first. */

/** `little`: what people call little endian is DCBA in one list and CDAB in the next. */
export type WrittenOrder = 'ABCD' | 'CDAB' | 'BADC' | 'DCBA' | 'little';

const LETTERS: Readonly<Record<string, WrittenOrder>> = {
  abcd: 'ABCD',
  cdab: 'CDAB',
  badc: 'BADC',
  dcba: 'DCBA',
  '1234': 'ABCD',
  '3412': 'CDAB',
  '2143': 'BADC',
  '4321': 'DCBA',
  '0123': 'ABCD',
  '2301': 'CDAB',
  '1032': 'BADC',
  '3210': 'DCBA',
};

/** Phrases, the longer before those they contain. */
const PHRASES: readonly (readonly [RegExp, WrittenOrder])[] = [
  [/big[ -]?endian\W*(with )?(byte[ -]?swap|byte swapped)|大端\W*字节交换/, 'BADC'],
  [/little[ -]?endian\W*(with )?(byte[ -]?swap|byte swapped)|小端\W*字节交换/, 'CDAB'],
  [
    /word (order)?\W*(is )?(little|low)|little[ -]?endian (word|register)|(byte|octet)s? ?(order)?\W*big\W.*(word|register)s? ?(order)?\W*(little|low)/,
    'CDAB',
  ],
  [
    /(low(er|est)?|least significant|lo)[ -]?(order )?(word|register|16[ -]?bits?)s?( is| comes| goes)? (sent |transmitted |stored )?(first|before)|\blsw[ -]?(first|→|->)|\blsw[ ,/]+msw\b|\blo[ -]?hi\b/,
    'CDAB',
  ],
  [
    /(high(er|est)?|most significant|hi)[ -]?(order )?(word|register|16[ -]?bits?)s?( is| comes| goes)? (sent |transmitted |stored )?(first|before)|\bmsw[ -]?(first|→|->)|\bmsw[ ,/]+lsw\b|\bhi[ -]?lo\b/,
    'ABCD',
  ],
  [/低(16位|位字|字|位寄存器|寄存器|位|址)?在前|先低(字|位|16位)?后高|低字(优先|先)|字交换/, 'CDAB'],
  [/高(16位|位字|字|位寄存器|寄存器|位)?在前|先高(字|位|16位)?后低|高字(优先|先)/, 'ABCD'],
  [/(word[ _-]?(and|&)?[ _-]?byte|byte[ _-]?(and|&)?[ _-]?word)[ _-]?(swap|swapped)?|全反序?/, 'DCBA'],
  [/byte[ _-]?swap(ped)?|swap(ped)? bytes?|字节交换/, 'BADC'],
  [/word[ _-]?swap(ped)?|swap(ped)? words?|\bswap(ped)?\b|\binver(se|ted)\b|\breverse(d)?\b/, 'CDAB'],
  [/big[ -]?endian|大端/, 'ABCD'],
  [/little[ -]?endian|小端/, 'little'],
];

const DIGITS = /(?<!\d)([0-4])\W?([0-4])\W?([0-4])\W?([0-4])(?!\d)/;

/** A text without the words of its order. */
export interface CutOrder {
  readonly order: WrittenOrder | null;
  readonly rest: string;
}

/** The order that a text names, and what is left of it. `digits`: `3412` is an order as well, which it is not in prose. */
export function cutOrder(text: string, digits: boolean): CutOrder {
  const lower = text.normalize('NFKC').toLowerCase();
  const cut = (found: string, order: WrittenOrder) => ({ order, rest: lower.replace(found, ' ') });
  const letters = /(?<![a-z])(?:abcd|cdab|badc|dcba)(?![a-z])/.exec(lower)?.[0];
  if (letters) return cut(letters, LETTERS[letters] ?? 'ABCD');
  const numbers = digits ? DIGITS.exec(lower) : null;
  const counted = numbers && LETTERS[numbers.slice(1).join('')];
  if (numbers && counted) return cut(numbers[0], counted);
  for (const [pattern, order] of PHRASES) {
    const found = pattern.exec(lower)?.[0];
    if (found) return cut(found, order);
  }
  return { order: null, rest: lower };
}

/** The order that a cell of an order column means; null for what nobody knows. */
export function readOrder(text: string): WrittenOrder | null {
  const word = text.normalize('NFKC').trim().toLowerCase();
  return SINGLE[word] ?? cutOrder(word, true).order;
}

/** Words that mean an order in a column or setting of its own, and nothing elsewhere. */
const SINGLE: Readonly<Record<string, WrittenOrder>> = {
  ...Object.fromEntries(
    [
      'none',
      'no swap',
      'normal',
      'be',
      'standard',
      'no',
      'false',
      'ab',
      'msb',
      'msb first',
      'high first',
      'motorola',
      '正常',
      '不交换',
    ].map((word) => [word, 'ABCD' as const]),
  ),
  word: 'CDAB',
  yes: 'CDAB',
  true: 'CDAB',
  byte: 'BADC',
  word_byte: 'DCBA',
  le: 'little',
};
