/** Identifiers of the 1997 edition as the simulated meter knows them: by those of 2007. */

/** DI2 of the energy that the third digit of a 1997 identifier means; quadrants come as I, IV, II, III. */
const ACTIVE: readonly (number | undefined)[] = [undefined, 1, 2];
const REACTIVE: readonly (number | undefined)[] = [undefined, 3, 4, 5, 8, 6, 7];

const VARIABLES: ReadonlyMap<number, number> = new Map([
  [0x61, 0x0201],
  [0x62, 0x0202],
  [0x63, 0x0203],
  [0x64, 0x0204],
  [0x65, 0x0206],
]);

const PARAMETERS: ReadonlyMap<number, number> = new Map([
  [0xc010, 0x04000101],
  [0xc011, 0x04000102],
  [0xc030, 0x04000409],
  [0xc031, 0x0400040a],
  [0xc032, 0x04000402],
  [0xc111, 0x04000103],
  [0xc112, 0x04000104],
  [0xc117, 0x04000b01],
  [0xc310, 0x04000201],
  [0xc311, 0x04000202],
  [0xc312, 0x04000203],
  [0xc313, 0x04000204],
]);

/** The part of the item of 2007 that is meant: all of it, the value of a demand, or its time. */
export interface OldMeaning {
  readonly di: number;
  readonly part: 'all' | 'value' | 'time';
}

/** What a 1997 identifier means; null for one that the simulated meter has not. */
export function meaningOfOld(di: number): OldMeaning | null {
  const parameter = PARAMETERS.get(di);
  if (parameter !== undefined) return { di: parameter, part: 'all' };
  const [kind, second, third, fourth] = [di >> 12, (di >> 8) & 15, (di >> 4) & 15, di & 15];
  if (kind === 0xb && second === 6) {
    const quantity = VARIABLES.get((di >> 4) & 0xff);
    return quantity === undefined || fourth > 3 ? null : { di: quantity * 0x1_0000 + fourth * 0x100, part: 'all' };
  }
  if (kind !== 9 && kind !== 0xa && kind !== 0xb) return null;
  const quantity = ((second & 1) === 0 ? ACTIVE : REACTIVE)[third];
  const month = second >> 2;
  if (quantity === undefined || (second & 2) !== 0 || month === 3) return null;
  const place = quantity * 0x1_0000 + fourth * 0x100 + month;
  if (kind === 9) return { di: place, part: 'all' };
  return { di: 0x0100_0000 + place, part: kind === 0xa ? 'value' : 'time' };
}
