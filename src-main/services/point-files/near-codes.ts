import { DECODE_CODES, type DecodeCode, describeDecode } from '#shared/domain/decode.ts';

const NAMED = 3;

/**
 * Decode codes that somebody may have meant, nearest first, at most three: the same digits without 0x, the number in decimal, the type or
 * the letters by their name, else codes of the nearest number.
 */
export function nearCodes(word: string): readonly DecodeCode[] {
  const plain = word.toLowerCase().replace(/^0x/, '').replace(/h$/, '');
  const exact = DECODE_CODES.filter((item) => item.code.slice(2).toLowerCase() === plain || String(Number(item.code)) === plain);
  const words = plain.split(/[\s_,/]+/).filter((part) => part !== '');
  const spelt = DECODE_CODES.filter(
    (item) => words.length > 0 && words.every((part) => describeDecode(item.code).toLowerCase().includes(part)),
  );
  const number = Number.parseInt(plain, 16);
  const distance = (item: DecodeCode) => Math.abs(Number(item.code) - number);
  const close = Number.isFinite(number) ? DECODE_CODES.toSorted((a, b) => distance(a) - distance(b)) : DECODE_CODES.slice(9);
  return [...new Set([...exact, ...spelt, ...close])].slice(0, NAMED);
}
