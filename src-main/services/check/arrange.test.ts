import { describe, expect, it } from 'vitest';
import type { StoredCheckItem } from '../../persistence/check-repositories.ts';
import type { ProjectSession } from '../ports.ts';
import { arrange, inOrder, natural, putInOrder, type Rule, sortedByText } from './arrange.ts';
import type { CheckBook } from './check-book.ts';

const item = (code: string, changes: Partial<StoredCheckItem> = {}): StoredCheckItem => ({
  ...{ uuid: code, place: 1, frameType: 0, service: '', channel: 'PCS 1', code, name: code, group: '', channelId: 1, pointId: 1 },
  expectation: { kind: 'values', references: [] },
  ...changes,
});
const codes = (items: readonly StoredCheckItem[]) => items.map(({ code }) => code);
/** A list in the given order, each at its place. */
const placed = (...items: StoredCheckItem[]) => items.map((each, at) => ({ ...each, place: at + 1 }));

/** A session with these items, and what was kept of them. */
function bookOf(items: readonly StoredCheckItem[]) {
  const put: StoredCheckItem[] = [];
  const book = {
    items: () => items,
    item: (_: number, uuid: string) => items.find((each) => each.uuid === uuid),
    putItems: async (_: number, changed: StoredCheckItem[]) => void put.push(...changed),
  } as unknown as CheckBook;
  return { book, put };
}
const session = (names: Record<number, string> = { 1: 'PCS 1', 2: 'PCS 2' }) =>
  ({
    channels: { get: (id: number) => (names[id] === undefined ? undefined : { settings: { name: names[id] } }) },
  }) as unknown as ProjectSession;
const rule = (row: number, code: string, changes: Partial<Rule> = {}): Rule => ({ row, channel: '', code, change: {}, ...changes });

describe('the natural order of texts', () => {
  it.each([
    ['CELL_2', 'CELL_10'],
    ['cell_2', 'CELL_10'],
    ['A9B', 'A10A'],
    ['a1', 'B0'],
    ['P１', 'P2'],
    ['A2', 'A010'],
  ])('%s before %s', (one, other) => {
    expect(natural(one) < natural(other)).toBe(true);
  });

  it.each([
    ['A1', 'a1'],
    ['A007', 'A7'],
    ['A000', 'A0'],
    ['Ａ１', 'A1'],
  ])('%s as %s', (one, other) => {
    expect(natural(one)).toBe(natural(other));
  });
});

describe('items in an order', () => {
  it('of their codes', async () => {
    expect(codes(await inOrder([item('B_2'), item('B_10'), item('a_1')], 'code'))).toEqual(['a_1', 'B_2', 'B_10']);
  });

  it('of their groups, those without one last, equal ones as they were', async () => {
    const items = [item('A'), item('B', { group: 'Bay 10' }), item('C', { group: 'Bay 2' }), item('D', { group: 'bay 2' })];
    expect(codes(await inOrder(items, 'group'))).toEqual(['C', 'D', 'B', 'A']);
  });

  it('of the table, what has no channel or point last', async () => {
    const at = (code: string, channelId: number, pointId: number) => item(code, { channelId, pointId });
    const items = [at('gone', 0, 0), at('2/1', 2, 1), at('1/10', 1, 10), at('1/none', 1, 0), at('1/9', 1, 9)];
    expect(codes(await inOrder(items, 'table'))).toEqual(['1/9', '1/10', '1/none', '2/1', 'gone']);
  });

  it('upwards or downwards, equal ones as they were in both', async () => {
    const texts = ['b1', 'a', 'b2', 'c'];
    const first = (text: string) => text.slice(0, 1);
    expect(await sortedByText(texts, first)).toEqual(['a', 'b1', 'b2', 'c']);
    expect(await sortedByText(texts, first, true)).toEqual(['c', 'b1', 'b2', 'a']);
  });
});

describe('places of items', () => {
  it('are kept where they are other ones, and nothing else is', async () => {
    const [a, b, c] = placed(item('A'), item('B'), item('C')) as [StoredCheckItem, StoredCheckItem, StoredCheckItem];
    const { book, put } = bookOf([a, b, c]);
    expect(await putInOrder(book, 1, [a, c, b])).toBe(2);
    expect(put).toEqual([
      { ...c, place: 2 },
      { ...b, place: 3 },
    ]);
    expect(await putInOrder(book, 1, [a, b, c])).toBe(0);
  });

  it.each<[string, Partial<StoredCheckItem>, number]>([
    ['the group', { group: 'Bay 1' }, 1],
    ['what is expected', { expectation: { kind: 'text', text: 'x' } }, 1],
    ['an equal expectation', { expectation: { kind: 'values', references: [] } }, 0],
  ])('are kept with %s', async (_, change, changed) => {
    const [a] = placed(item('A')) as [StoredCheckItem];
    const { book, put } = bookOf([a]);
    expect(await putInOrder(book, 1, [{ ...a, ...change }])).toBe(changed);
    expect(put).toEqual(changed === 1 ? [{ ...a, ...change }] : []);
  });
});

describe('a list that gives items their order', () => {
  it('puts those that it names first, in its order, and the others behind as they are', async () => {
    const { book, put } = bookOf(placed(item('A'), item('B'), item('C')));
    const rules = [rule(2, 'C', { change: { group: 'Bay 1' } }), rule(3, 'A')];
    expect(await arrange(session(), book, 1, rules, undefined)).toEqual({ changed: 3, left: 1, misfits: [], misfit_count: 0 });
    expect(put.map(({ code, place, group }) => [code, place, group])).toEqual([
      ['C', 1, 'Bay 1'],
      ['A', 2, ''],
      ['B', 3, ''],
    ]);
  });

  it.each<[string, Rule[], string[]]>([
    ['an unknown code', [rule(2, 'X')], ['unknown']],
    ['a code of another type', [rule(2, 'A', { frameType: 1 })], ['other_type']],
    ['the right type', [rule(2, 'A', { frameType: 0 })], []],
    ['a code twice', [rule(2, 'A'), rule(3, 'A')], ['twice']],
  ])('tells of %s', async (_, rules, why) => {
    const { book } = bookOf(placed(item('A')));
    const { misfits, misfit_count } = await arrange(session(), book, 1, rules, undefined);
    expect(misfits).toEqual(why.map((each) => ({ row: rules.at(-1)?.row, channel: '', code: rules.at(-1)?.code, why: each })));
    expect(misfit_count).toBe(why.length);
  });

  it('decides by the channel between several of a code, and by nothing else', async () => {
    const two = placed(item('A', { uuid: '1' }), item('A', { uuid: '2', channelId: 2 }), item('B', { uuid: '3' }));
    const order = async (rules: Rule[], channelId?: number, of = session()) => {
      const { book, put } = bookOf(two);
      const { misfits } = await arrange(of, book, 1, rules, channelId);
      return [put.map(({ uuid }) => uuid), misfits.map(({ why }) => why)];
    };
    expect(await order([rule(2, 'A', { channel: 'PCS 2' })])).toEqual([['2', '1'], []]);
    // by the code alone both are meant
    expect(await order([rule(2, 'B'), rule(3, 'A')])).toEqual([['3', '1', '2'], []]);
    expect(await order([rule(2, 'A', { channel: 'PCS 9' })])).toEqual([[], ['unknown']]);
    // one of its kind is meant whatever the file calls its channel
    expect(await order([rule(2, 'B', { channel: 'PCS 9' })])).toEqual([['3', '1', '2'], []]);
    // of one channel only its own items
    expect(await order([rule(2, 'A', { channel: 'PCS 1' })], 2)).toEqual([['2', '1'], []]);
    expect(await order([rule(2, 'B')], 2)).toEqual([[], ['unknown']]);
    // a channel that is gone goes by the name that the item has
    expect(await order([rule(2, 'A', { channel: 'PCS 1' })], undefined, session({ 2: 'PCS 2' }))).toEqual([[], []]);
  });

  it('leaves items of other services out where it is for one channel', async () => {
    const { book } = bookOf(placed(item('A', { service: 'North' })));
    expect(await arrange(session(), book, 1, [rule(2, 'A')], 1)).toMatchObject({ misfit_count: 1 });
    expect(await arrange(session(), book, 1, [rule(2, 'A')], undefined)).toMatchObject({ misfit_count: 0 });
  });
});
