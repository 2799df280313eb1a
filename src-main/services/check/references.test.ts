import { describe, expect, it } from 'vitest';
import type { Expectation } from '#shared/contract/check.ts';
import { ConnType } from '#shared/domain/enums.ts';
import type { ProjectSession } from '../ports.ts';
import { comparedItems, itemsOfFile } from './references.ts';
import { OwnBench, yc, yx } from './testing/own-bench.ts';

const near = { tolerance: 2, percent: 100 };
const line = (code: string, value: number, rest: { channel?: string; tolerance?: number } = {}) => ({
  ...{ row: 2, channel: '', code, value, tolerance: null },
  ...rest,
});
describe('references of a file', () => {
  it('have the tolerance of their row, else that of the request; states are compared exactly', async () => {
    const states = { kind: 'states' as const, states: [0, 1, 2] };
    const site = await OwnBench.open([yc('P'), yc('Q'), yc('M'), yx('S')], { M: states, S: states });
    const lines = [line('P', 5), line('Q', 6, { tolerance: 0 }), line('M', 1, { tolerance: 9 }), line('S', 1)];
    const found = await itemsOfFile(site.session, site.items, lines, near);
    expect(found.map((each) => [each.item.code, each.wanted(), each.seen(), each.source])).toEqual([
      ['P', { value: 5, ...near }, null, null],
      ['Q', { value: 6, tolerance: 0, percent: 100 }, null, null],
      ['M', { value: 1, tolerance: 0, percent: 0 }, null, null],
      ['S', { value: 1, tolerance: 0, percent: 0 }, null, null],
    ]);
  });
});

const one = (value: number): Expectation => ({ kind: 'values', references: [{ value, tolerance: 1, percent: 100 }] });
const none: Expectation = { kind: 'values', references: [] };
const texts = (...names: string[]) => ({ protocol: { enum_texts: Object.fromEntries(names.map((name, value) => [value, name])) } });
/** A measurement with one text, one with a unit and two, a signal, a double point, an enumeration, and a word of bits. */
const kinds = [
  yc('P', texts('not available')),
  yc('Q', { unit: 'kW', ...texts('least', 'most') }),
  yx('S'),
  yx('D', texts('intermediate', 'off', 'on', 'bad')),
  yc('E', texts('off', 'standby', 'on')),
  yc('B', { protocol: { bit_texts: { 0: 'fault' } } }),
];
const measured = ['P', 'Q'];

describe('the tolerance of a comparison', () => {
  const tolerances = (found: Awaited<ReturnType<typeof comparedItems>>) =>
    found.map(({ item, wanted }) => [item.code, wanted()?.tolerance, wanted()?.percent]);
  const expected = (tolerance: number, percent: number) =>
    kinds.map(({ code }) => (measured.includes(code) ? [code, tolerance, percent] : [code, 0, 0]));

  it('is that of the request with another channel; states are compared exactly', async () => {
    const other = await OwnBench.open(kinds);
    const { points } = other.bench.channel;
    const reference = { id: 9, settings: { name: 'Other', conn_type: ConnType.tcpClient }, points };
    // the enumeration has its texts in the other channel alone
    const site = await OwnBench.open(
      kinds.map((row) => (row.code === 'E' ? yc('E') : row)),
      Object.fromEntries(kinds.map(({ code }) => [code, none])),
    );
    const channels = { get: (id: number) => (id === 9 ? reference : site.bench.manager.get(id)) };
    const session = { ...site.session, channels } as unknown as ProjectSession;
    expect(tolerances(await comparedItems(session, site.items, { channelId: 9, tolerance: 2, percent: 100 }))).toEqual(expected(2, 100));
  });

  it('is that of the expectation with a reference of its own; states are compared exactly', async () => {
    const site = await OwnBench.open(kinds, Object.fromEntries(kinds.map(({ code }) => [code, one(1)])));
    const found = await comparedItems(site.session, site.items, { channelId: undefined, tolerance: 5, percent: 5 });
    expect(tolerances(found)).toEqual(expected(1, 100));
  });

  it('is that of the row in a file; states are compared exactly', async () => {
    const site = await OwnBench.open(kinds);
    const found = await itemsOfFile(
      site.session,
      site.items,
      kinds.map(({ code }) => line(code, 1, { tolerance: 3 })),
      near,
    );
    expect(tolerances(found)).toEqual(expected(3, 100));
  });
});
