import { FOLD, type PointTexts, type TextSpan } from './point-store-texts.ts';

/**
 * Place of each row in the order of codes or names by code point, letter case ignored; equal texts have equal ranks. `places`: where the
 * texts of each row lie. About 20 ms for 100,000 rows: a quicksort that never compares an octet twice that is known to be equal
 * (multikey quicksort, Bentley and Sedgewick 1997).
 */
export function ranksOf(texts: PointTexts, places: Uint32Array, part: 'code' | 'name'): Uint32Array {
  const { octets } = texts;
  const n = places.length;
  const starts = new Uint32Array(n);
  const ends = new Uint32Array(n);
  const span: TextSpan = { start: 0, end: 0 };
  for (let row = 0; row < n; row++) {
    texts.lowerSpan(places[row] ?? 0, part, span);
    starts[row] = span.start;
    ends[row] = span.end;
  }
  const rows = Uint32Array.from({ length: n }, (_, row) => row);
  const ranks = new Uint32Array(n);
  /** Octet of a text at a depth; 0 behind its end, so that a text stands before its continuations. */
  const octetAt = (row: number, depth: number): number => {
    const at = (starts[row] as number) + depth;
    return at < (ends[row] as number) ? (FOLD[octets[at] as number] as number) + 1 : 0;
  };

  /** Ranks the rows from `from` to `to`, end excluded, whose texts agree in the first `depth` octets. */
  const rank = (from: number, to: number, depth: number): void => {
    for (let first = from, last = to, known = depth; last > first; ) {
      const pivot = octetAt(rows[(first + last) >>> 1] as number, known);
      let less = first;
      let more = last;
      for (let i = first; i < more; ) {
        const row = rows[i] as number;
        const octet = octetAt(row, known);
        if (octet < pivot) swap(rows, less++, i++);
        else if (octet > pivot) swap(rows, --more, i);
        else i += 1;
      }
      rank(first, less, known);
      rank(more, last, known);
      if (pivot === 0) {
        for (let i = less; i < more; i++) ranks[rows[i] as number] = less;
        return;
      }
      first = less;
      last = more;
      known += 1;
    }
  };
  rank(0, n, 0);
  return ranks;
}

function swap(rows: Uint32Array, a: number, b: number): void {
  const kept = rows[a] as number;
  rows[a] = rows[b] as number;
  rows[b] = kept;
}
