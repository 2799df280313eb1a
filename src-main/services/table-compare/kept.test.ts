import { expect, it } from 'vitest';
import type { ProjectSession } from '../ports.ts';
import type { Comparison } from './comparison.ts';
import { Kept, keptOf } from './kept.ts';

const MIB = 1024 * 1024;
const aFile = (id: string, octets = 1) => ({ id, name: `${id}.csv`, bytes: new Uint8Array(octets) });
const aComparison = (id: string, rows = 1) => ({ id, rows: { length: rows } }) as unknown as Comparison;
const there = (get: () => unknown) => {
  try {
    get();
    return true;
  } catch {
    return false;
  }
};

it('eight files are kept, and 64 MiB of them; the oldest give way, the last one stays however large it is', () => {
  const kept = new Kept();
  const has = (...ids: readonly string[]) => ids.map((id) => there(() => kept.file(id)));
  for (let at = 0; at < 9; at++) kept.giveFile(aFile(`f${at}`));
  expect(has('f0', 'f1', 'f8')).toEqual([false, true, true]);
  kept.giveFile(aFile('large', 64 * MIB - 6));
  expect(has('f1', 'f2', 'f3', 'large'), 'seven octets are over').toEqual([false, false, true, true]);
  kept.giveFile(aFile('huge', 65 * MIB));
  expect(has('f8', 'large', 'huge')).toEqual([false, false, true]);
  expect(() => kept.file('f0')).toThrow(
    expect.objectContaining({ code: 'CONFIG_NOT_FOUND', said: { code: 'table.no_file', params: { id: 'f0' } } }),
  );
});

it('eight comparisons are kept, and 250,000 of their rows', () => {
  const kept = new Kept();
  const has = (...ids: readonly string[]) => ids.map((id) => there(() => kept.comparison(id)));
  for (let at = 0; at < 9; at++) kept.keep(aComparison(`c${at}`));
  expect(has('c0', 'c1', 'c8')).toEqual([false, true, true]);
  kept.keep(aComparison('long', 250_000 - 7));
  expect(has('c1', 'c2', 'long')).toEqual([false, true, true]);
  kept.keep(aComparison('one more'));
  expect(has('c2', 'c3', 'long')).toEqual([false, true, true]);
  const refusal = { code: 'CONFIG_NOT_FOUND', said: { code: 'table.no_comparison', params: { id: 'c0' } } };
  expect(() => kept.comparison('c0')).toThrow(expect.objectContaining(refusal));
});

it('each project keeps its own, as long as it is open', () => {
  const [one, other] = [{}, {}] as ProjectSession[];
  if (!one || !other) expect.fail();
  keptOf(one).giveFile(aFile('f'));
  expect(keptOf(one).file('f').name).toBe('f.csv');
  expect(there(() => keptOf(other).file('f'))).toBe(false);
});
