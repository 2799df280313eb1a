import { expect, it } from 'vitest';
import type { PointConfig } from '../../drivers/spi/index.ts';
import { testPoint } from '../../drivers/testing/points.ts';
import { Turns } from '../../platform/turns.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import { ColumnPointStore } from '../../runtime/values/point-store.ts';
import type { CallContext } from '../handlers.ts';
import { type LeftPoint, type LeftTable, warnOfRelations } from './relations.ts';

/** A signal S, a command K that shows in it, and a point Z of its own. */
const TABLE = [
  testPoint({ id: 1, code: 'S' }),
  testPoint({ id: 2, code: 'K', related_code: 'S' }),
  testPoint({ id: 3, code: 'Z' }),
  testPoint({ id: 4, code: 'OLD', related_code: 'NOBODY' }),
] as const;
const [S, K, Z, OLD] = TABLE;

/** What is warned of where these points are left of the request. */
async function warned(points: readonly LeftPoint[], removed: readonly PointConfig[] = []) {
  const store = new ColumnPointStore();
  store.add(TABLE);
  const warnings: string[] = [];
  const warn: CallContext['warn'] = (path, said) => {
    const { code, params } = said as { code: string; params: { code?: string; points?: readonly string[] } };
    warnings.push(`${path}: ${code} ${params.code ?? String(params.points)}`);
  };
  const channel = { points: store } as unknown as ChannelRuntime;
  await warnOfRelations(left(channel, points, removed), 'points', { warn } as CallContext, new Turns());
  return warnings;
}

function left(channel: ChannelRuntime, points: readonly LeftPoint[], removed: readonly PointConfig[]): LeftTable {
  const codes = new Map(points.map(({ after, index }) => [after.code, index]));
  return { channel, points, removed, codes, relatedPathOf: (index) => `points.${index}.related_code` };
}

const edited = (before: PointConfig, change: Partial<PointConfig>, index = 0): LeftPoint => {
  return { index, before, after: { ...before, ...change } };
};
const added = (change: Partial<PointConfig>, index = 0): LeftPoint => ({ index, after: testPoint(change) });

it.each<[string, readonly LeftPoint[], readonly PointConfig[], string[]]>([
  ['a code that nobody has', [added({ code: 'N', related_code: 'X' })], [], ['points.0.related_code: service.related_missing X']],
  ['a code that is there', [added({ code: 'N', related_code: 'S' })], [], []],
  ['no code', [added({ code: 'N' })], [], []],
  ['a code that comes with the same request', [added({ code: 'N', related_code: 'M' }), added({ code: 'M' }, 1)], [], []],
  [
    'a code that goes with the same request',
    [added({ code: 'N', related_code: 'S' })],
    [S],
    ['points.0.related_code: service.related_missing S', 'points: service.related_left "K"'],
  ],
  ['a code that nobody has, and nobody had', [edited(OLD, { name: 'x' })], [], []],
  ['another code that nobody has', [edited(OLD, { related_code: 'X' })], [], ['points.0.related_code: service.related_missing X']],
])('a request that enters %s', async (_, points, removed, expected) => {
  expect(await warned(points, removed)).toEqual(expected);
});

it.each<[string, readonly LeftPoint[], readonly PointConfig[], string[]]>([
  ['removes it', [], [S], ['points: service.related_left "K"']],
  ['gives it another one', [edited(S, { code: 'S2' })], [], ['points: service.related_left "K"']],
  [
    'edits the point that names it as well',
    [edited(S, { code: 'S2' }), edited(K, { name: 'x' }, 1)],
    [],
    ['points: service.related_left "K"'],
  ],
  ['leads the point that names it on', [edited(S, { code: 'S2' }), edited(K, { related_code: 'S2' }, 1)], [], []],
  ['removes both', [], [S, K], []],
  ['gives its code to another one', [edited(S, { code: 'S2' }), edited(Z, { code: 'S' }, 1)], [], []],
  ['removes it and adds one of that code', [added({ code: 'S' })], [S], []],
  ['takes away what nobody names', [], [Z], []],
])('of a point that another one names by its code, a request that %s', async (_, points, removed, expected) => {
  expect(await warned(points, removed)).toEqual(expected);
});

it('points that many others may name are looked at in turns', async () => {
  let breaths = 0;
  const turns = { breathe: async () => void breaths++ } as unknown as Turns;
  const channel = { points: new ColumnPointStore() } as unknown as ChannelRuntime;
  const many = Array.from({ length: 6_400 }, (_, at) => testPoint({ id: at + 1, code: `P${at}` }));
  await warnOfRelations(left(channel, [], many), 'points', {} as CallContext, turns);
  expect(breaths).toBeGreaterThanOrEqual(100);
  breaths = 0;
  const changed = many.map((point, at) => edited(point, { code: `Q${at}` }, at));
  await warnOfRelations(left(channel, changed, []), 'points', {} as CallContext, turns);
  // those that go, and the related ones
  expect(breaths).toBeGreaterThanOrEqual(200);
});
