import { expect, it } from 'vitest';
import { testPoint } from '../../drivers/testing/points.ts';
import { Turns } from '../../platform/turns.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import { ColumnPointStore } from '../../runtime/values/point-store.ts';
import { RowTexts } from '../row-text.ts';
import { PlacedRows } from './placed-rows.ts';

const COUNT = 250;

it.each([
  ['null in its place', 'null' as const],
  ['nothing where the contract has rows alone', null],
])('tells of a point that another change took away between two pieces of the answer %s', async (_, gone) => {
  const points = new ColumnPointStore();
  points.add(Array.from({ length: COUNT }, (_, index) => testPoint({ id: index + 1, code: `P${index}` })));
  const channel = { points } as unknown as ChannelRuntime;
  const places = Array.from({ length: COUNT }, (_, index) => ({ channel, id: index + 1 }));
  const turns = new Turns();
  let pieces = 0;
  const breathe = async () => {
    pieces += 1;
    // the whole second piece, and the first two rows of the third
    if (pieces === 1) points.remove(Array.from({ length: 102 }, (_, index) => index + 101));
  };
  const answer = await new PlacedRows(new RowTexts(), gone).answer('{', {
    places: [null, ...places],
    stepId: 7,
    turns: Object.assign(turns, { breathe }),
  });
  const { step_id: step, items } = JSON.parse(answer.pieces.join(''));
  expect(step).toBe(7);
  const told = [null, ...places.map(({ id }) => (id > 100 && id <= 202 ? null : `P${id - 1}`))];
  const kept = gone === null ? told.filter((code, index) => index === 0 || code !== null) : told;
  expect(items.map((item: { code: string } | null) => item?.code ?? null)).toEqual(kept);
});
