import { describe, expect, it } from 'vitest';
import type { AsideFile } from '../../persistence/repositories.ts';
import type { NewEntry } from './chain.ts';
import { readAside, setAside } from './set-aside.ts';

const UUID = '00000000-0000-4000-8000-000000000001';
const OTHER = '00000000-0000-4000-8000-000000000002';
const entry: NewEntry & { at: string } = {
  ...{ item: UUID, verdict: 'passed', operator: 'A', remark: '', took_ms: 5, way: 'by_hand', findings: [], seen: [], frames: [] },
  ...{ expectation: { kind: 'values', references: [] }, point: {}, channel: {}, mapping: {}, audit_ids: [] },
  at: '2026-01-01T00:00:00.000Z',
} as const;

function file(text: string | null = null) {
  const held = {
    path: '/p.results',
    text,
    read: () => held.text,
    write(to: string) {
      held.text = to;
    },
  };
  return held as unknown as AsideFile & { text: string | null };
}

describe('results that had no room', () => {
  it('lie one behind the other, and are read as they were', () => {
    const beside = file();
    expect(readAside(beside)).toEqual([]);
    setAside(beside, { session: UUID, entries: [entry] });
    setAside(beside, { session: OTHER, entries: [entry, { ...entry, verdict: 'failed' }] });
    expect(readAside(beside)).toEqual([
      { session: UUID, entries: [entry] },
      { session: OTHER, entries: [entry, { ...entry, verdict: 'failed' }] },
    ]);
  });

  const kept = (changes: object) => JSON.stringify({ format: 'loopcheck-results', version: 1, results: [], ...changes });

  it.each([
    ['empty', ''],
    ['half', '{"format":"loopcheck-res'],
    ['of another kind', kept({ format: 'loopcheck-check' })],
    ['of a later version', kept({ version: 2 })],
    ['without results', kept({ results: undefined })],
    ['of a session without its uuid', kept({ results: [{ session: '1', entries: [] }] })],
    ['of an entry without a verdict', kept({ results: [{ session: UUID, entries: [{ ...entry, verdict: undefined }] }] })],
  ])('in a file that is %s are told as damaged, with its place, and nothing is written over it', (_, text) => {
    const beside = file(text);
    const damaged = expect.objectContaining({ code: 'STATE_STORE', said: { code: 'check.aside_damaged', params: { path: '/p.results' } } });
    expect(() => readAside(beside)).toThrow(damaged);
    expect(() => setAside(beside, { session: UUID, entries: [entry] })).toThrow(damaged);
    expect(beside.text).toBe(text);
  });
});
