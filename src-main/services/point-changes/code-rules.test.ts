import { describe, expect, it } from 'vitest';
import type { PointConfig } from '../../drivers/spi/index.ts';
import { testPoint } from '../../drivers/testing/points.ts';
import { Turns } from '../../platform/turns.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import { ColumnPointStore } from '../../runtime/values/point-store.ts';
import { inCodeOrder, requireDistinctCodes, requireDistinctPoints, requireFreeCodes } from './code-rules.ts';

const turns = new Turns();

/** A channel whose points have these codes, with numbers from 1 on. */
function channelWith(...codes: readonly string[]): ChannelRuntime {
  const points = new ColumnPointStore();
  points.add(codes.map((code, at) => testPoint({ id: at + 1, code })));
  return { points, settings: { name: 'PCS 1' } } as unknown as ChannelRuntime;
}
const named = (id: number, code: string): PointConfig => testPoint({ id, code });

describe('what stands twice in a request', () => {
  it('is told at each place behind the first, with that', async () => {
    const pathOf = (index: number) => (index === 3 ? '' : `points.${index}`);
    await expect(requireDistinctCodes(['A', 'B', 'A', 'A'], pathOf, turns)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      data: [
        { path: 'points.2.code', message_code: 'point.code_twice', params: { code: 'A', place: 'points.0' } },
        { path: 'code', params: { place: 'points.0' } },
      ],
    });
    const distinct = await requireDistinctCodes(['A', 'a'], pathOf, turns);
    expect([...distinct]).toEqual([
      ['A', 0],
      ['a', 1],
    ]);
  });

  it('may be a point as well as a code', async () => {
    const points = [1, 2, 1].map((id, index) => ({ id, path: `changes.${index}` }));
    await expect(requireDistinctPoints(points.slice(0, 2), turns)).resolves.toBeUndefined();
    const issue = { path: 'changes.2.point_id', message_code: 'point.edited_twice', params: { id: 1, place: 'changes.0' } };
    const data = [expect.objectContaining(issue)];
    await expect(requireDistinctPoints(points, turns)).rejects.toMatchObject({ code: 'CONFIG_INVALID', data });
  });

  it('is looked for in turns', async () => {
    let breaths = 0;
    const counted = { breathe: async () => void breaths++ } as unknown as Turns;
    const many = Array.from({ length: 6_400 }, (_, id) => ({ id, path: `changes.${id}` }));
    await requireDistinctPoints(many, counted);
    expect(breaths).toBeGreaterThanOrEqual(100);
  });
});

it('a code that another point has is refused by its name; those of the points themselves are theirs to change', async () => {
  const channel = channelWith('A', 'B', 'C');
  await expect(requireFreeCodes(channel, ['X', 'A'], new Set([1]), turns)).resolves.toBeUndefined();
  await expect(requireFreeCodes(channel, ['X', 'B', 'A', 'C'], new Set([1]), turns)).rejects.toMatchObject({
    code: 'STATE_CONFLICT',
    said: { code: 'service.codes_taken', params: { channel: 'PCS 1', codes: ['"B"', '"C"'] } },
  });
});

describe('points that take codes over from each other', () => {
  const order = async (channel: ChannelRuntime, ...edited: readonly PointConfig[]) =>
    (await inCodeOrder(channel, edited, turns)).map(({ id, code }) => `${id}=${code}`);

  it('come behind those that leave them, each once', async () => {
    const channel = channelWith('A', 'B', 'C', 'D');
    expect(await order(channel, named(1, 'B'), named(2, 'C'), named(3, 'X'), named(4, 'D'))).toEqual(['3=X', '2=C', '1=B', '4=D']);
    expect(await order(channel, named(3, 'X'), named(1, 'B'), named(2, 'C'))).toEqual(['3=X', '2=C', '1=B']);
    expect(await order(channel, named(1, 'B')), 'whose holder is not edited is refused elsewhere').toEqual(['1=B']);
  });

  it('go round where no order would do', async () => {
    const channel = channelWith('A', 'B', 'C');
    await expect(order(channel, named(3, 'X'), named(1, 'B'), named(2, 'A'))).rejects.toMatchObject({
      code: 'STATE_CONFLICT',
      said: { code: 'service.codes_go_round', params: { codes: ['"B"', '"A"'] } },
    });
  });
});
