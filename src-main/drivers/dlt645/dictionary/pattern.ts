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

/** Octets of a pattern are written `3F` or `[00-3F]`. */
const ONE = 2;
const RANGE = 7;

/** Reads a pattern of the tables. */
export function parsePattern(text: string): DiPattern {
  const octets: OctetRange[] = [];
  let count = 1;
  // by place: a search for each of some hundred rows would be felt at the start
  for (let at = 0; at < text.length; ) {
    const isRange = text[at] === '[';
    const least = hexOctet(text, isRange ? at + 1 : at);
    const most = isRange ? hexOctet(text, at + 4) : least;
    octets.push({ least, most });
    count *= most - least + 1;
    at += isRange ? RANGE : ONE;
  }
  return { octets, count };
}

function hexOctet(text: string, at: number): number {
  return Number.parseInt(text.slice(at, at + 2), 16);
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
