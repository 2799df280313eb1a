/** Patterns of data identifiers: `0001[00-3F][00-0C]` covers 0001xxxx with the given ranges of its octets. */

interface OctetRange {
  readonly least: number;
  readonly most: number;
}

export interface DiPattern {
  /** One range an octet, DI3 (1997: DI1) first. */
  readonly octets: readonly OctetRange[];
  /** Identifiers it covers; of several patterns that match, the one with the fewest is meant. */
  readonly count: number;
}

/** Reads a pattern of the tables. */
export function parsePattern(text: string): DiPattern {
  const octets: OctetRange[] = [];
  for (const [, exact, least, most] of text.matchAll(/([0-9A-F]{2})|\[([0-9A-F]{2})-([0-9A-F]{2})\]/g)) {
    octets.push({ least: Number.parseInt(exact ?? least ?? '', 16), most: Number.parseInt(exact ?? most ?? '', 16) });
  }
  return { octets, count: octets.reduce((product, range) => product * (range.most - range.least + 1), 1) };
}

/** True when the identifier lies in the ranges of the pattern. */
export function matches({ octets }: DiPattern, di: number): boolean {
  return octets.every(({ least, most }, at) => {
    const octet = octetOf(di, octets.length - 1 - at);
    return octet >= least && octet <= most;
  });
}

/** True when octet `place` (0 is DI0) is a range in the pattern. */
export function isOpen({ octets }: DiPattern, place: number): boolean {
  const range = octets[octets.length - 1 - place];
  return range !== undefined && range.least !== range.most;
}

/** Octet `place` of an identifier; 0 is DI0. */
export function octetOf(di: number, place: number): number {
  return (di >>> (8 * place)) & 0xff;
}

/** The first identifiers of a pattern in their order, at most `most`. */
export function identifiersOf({ octets }: DiPattern, most: number): readonly number[] {
  let found: readonly number[] = [0];
  for (const { least, most: last } of octets) {
    const range = Array.from({ length: last - least + 1 }, (_, step) => least + step);
    found = found.flatMap((begin) => range.map((octet) => ((begin << 8) | octet) >>> 0)).slice(0, most);
  }
  return found;
}
