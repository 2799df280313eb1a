import { expect, it } from 'vitest';
import { Quality, qualityFlags, qualityOctet } from './quality.ts';

it('reads the letters of any octet, always from the same list', () => {
  expect(qualityFlags(0)).toEqual([]);
  expect(qualityFlags(0xff)).toEqual(['IV', 'NT', 'SB', 'BL', 'OV']);
  expect(qualityFlags(Quality.invalid | Quality.overflow)).toEqual(['IV', 'OV']);
  expect(qualityFlags(Quality.elapsedInvalid)).toEqual([]);
  expect(qualityFlags(0x40)).toBe(qualityFlags(0x40));
});

it('writes letters, each on its own bit, and leaves the words of other protocols out', () => {
  for (let octet = 0; octet < 256; octet++) expect(qualityOctet(qualityFlags(octet))).toBe(octet & 0xf1);
  expect(qualityOctet(['test', 'NT', 'questionable'])).toBe(Quality.notTopical);
});
