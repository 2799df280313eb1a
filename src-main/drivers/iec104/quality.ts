/** Quality descriptors as octets (IEC 60870-5-101, 7.2.6.1 to 7.2.6.4). SIQ, DIQ, QDS and QDP share the places of their flags. */
import type { QualityFlag } from '#shared/domain/enums.ts';
import { flagBits } from '../spi/reading-block.ts';

/** Bits of a quality octet. */
export const Quality = {
  /** OV: beyond the range of the value. Not in SIQ, DIQ and QDP. */
  overflow: 0x01,
  /** EI: the elapsed time is invalid. Only in QDP. */
  elapsedInvalid: 0x08,
  /** BL: blocked for transmission, the value from before is shown. */
  blocked: 0x10,
  /** SB: given by an operator or an automatic source. */
  substituted: 0x20,
  /** NT: not refreshed lately. */
  notTopical: 0x40,
  /** IV: must not be used. */
  invalid: 0x80,
} as const;

const LETTERS: readonly (readonly [number, QualityFlag])[] = [
  [Quality.invalid, 'IV'],
  [Quality.notTopical, 'NT'],
  [Quality.substituted, 'SB'],
  [Quality.blocked, 'BL'],
  [Quality.overflow, 'OV'],
];

const LISTS: readonly (readonly QualityFlag[])[] = Array.from({ length: 256 }, (_, octet) =>
  Object.freeze(LETTERS.filter(([bit]) => (octet & bit) !== 0).map(([, letter]) => letter)),
);
const NONE: readonly QualityFlag[] = Object.freeze([]);

/** Letters of a quality octet, in the order IV NT SB BL OV. The lists are shared and frozen: nothing is allocated. */
export function qualityFlags(octet: number): readonly QualityFlag[] {
  return LISTS[octet] ?? NONE;
}

const TEST_BIT = flagBits(['test']);
const BITS = Uint32Array.from(LISTS, flagBits);

/** Letters of a quality octet, and the flag of the test bit, as bits of a reading block. */
export function flagBitsOf(octet: number, isTest: boolean): number {
  const bits = BITS[octet & 0xff] ?? 0;
  return isTest ? bits | TEST_BIT : bits;
}

/** The octet of quality letters; words of other protocols count as nothing. */
export function qualityOctet(flags: readonly QualityFlag[]): number {
  return LETTERS.reduce((octet, [bit, letter]) => (flags.includes(letter) ? octet | bit : octet), 0);
}
