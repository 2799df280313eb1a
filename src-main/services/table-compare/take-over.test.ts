import { beforeEach, describe, expect, it } from 'vitest';
import type { DifferenceKind } from '#shared/contract/table-compare.ts';
import type { NormalPoint, PointConfig } from '../../drivers/spi/index.ts';
import { testPoint } from '../../drivers/testing/points.ts';
import { Turns } from '../../platform/turns.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import { ColumnPointStore } from '../../runtime/values/point-store.ts';
import type { CallContext } from '../handlers.ts';
import type { ChangeRequest, PointOp } from '../point-changes/change-plan.ts';
import type { PointChanger } from '../point-changes/point-changer.ts';
import type { Comparison, DifferenceRow } from './comparison.ts';
import { takeOver } from './take-over.ts';

const stored = (id: number, code: string, change: Partial<PointConfig> = {}) => testPoint({ id, code, channel_id: 1, ...change });
const normal = (code: string, change: Partial<NormalPoint> = {}): NormalPoint => {
  const { id: _, channel_id: __, ...point } = testPoint({ code, ...change });
  return point;
};

/** The channel that is changed, and another one that it is compared with. */
let here: ChannelRuntime;
let there: ChannelRuntime;
const channelWith = (...points: readonly PointConfig[]) => {
  const store = new ColumnPointStore();
  store.add(points);
  return { points: store } as unknown as ChannelRuntime;
};

const [A, B, C] = [stored(1, 'A'), stored(2, 'B', { unit: 'V', protocol: { x: 1, y: 2 } }), stored(3, 'C')];
const kept = (point: PointConfig) => ({ point, id: point.id, place: null });
const ofFile = (point: NormalPoint) => ({ point, id: null, place: { sheet: '', row: 2 } });

/** A row of each kind; B differs in its unit, U takes the place of C, and T is of another type than A. */
function rowsOf(): DifferenceRow[] {
  const row = (code: string, kind: DifferenceKind, rest: Partial<DifferenceRow>): DifferenceRow => {
    return { code, kind, matched: null, before: null, after: null, fields: [], faults: [], ...rest };
  };
  const unit = { field: 'unit', before: 'V', after: 'kV' };
  return [
    row('A', 'removed', { before: kept(A) }),
    row('B', 'changed', { matched: 'code', before: kept(B), after: ofFile({ ...normal('B'), unit: 'kV' }), fields: [unit] }),
    row('C', 'renamed', {
      matched: 'place',
      before: kept(C),
      after: ofFile(normal('U')),
      fields: [{ field: 'code', before: 'C', after: 'U' }],
    }),
    row('N', 'added', { after: ofFile(normal('N')) }),
    row('F', 'faulty', { after: ofFile(normal('F')) }),
  ];
}

function comparisonOf(rows: readonly DifferenceRow[], isInto = true, isWithChannel = false): Comparison {
  const before = { of: isInto ? 'channel' : 'step', channel: here, name: 'PCS 1' };
  const after = isWithChannel ? { of: 'channel', channel: there, name: 'PCS 2' } : { of: 'file', channel: null, name: 'new.csv' };
  return { rows, before, after } as unknown as Comparison;
}

/** What a change was asked for; it is made where the points are as they were compared. */
interface Asked {
  readonly ops: readonly PointOp[];
  readonly request: ChangeRequest;
  readonly name: { readonly code: string; readonly params?: object };
  readonly answer: unknown;
}

async function take(comparison: Comparison, chosen: { codes?: readonly string[]; kinds?: readonly DifferenceKind[] }): Promise<Asked> {
  const asked: Asked[] = [];
  const changer = {
    make: async (
      request: ChangeRequest,
      nameOf: (count: number, code: string) => Asked['name'],
      done: (of: object) => Promise<unknown>,
    ) => {
      const turns = new Turns();
      await request.requireStill?.(turns);
      const answer = await done({ stepId: 5, places: [], turns });
      asked.push({ ops: request.ops, request, name: nameOf(request.ops.length, 'X'), answer });
      return answer;
    },
  } as unknown as PointChanger;
  const { codes, kinds } = chosen;
  await takeOver(changer, { comparison, codes, kinds, context: {} as CallContext });
  return asked[0] ?? expect.fail('nothing was made');
}

beforeEach(() => {
  here = channelWith(A, B, C);
  there = channelWith(stored(7, 'N'));
});

describe('differences that are taken over', () => {
  it('are each a change of the table: what came, what went, and of what changed the fields that differ', async () => {
    const { ops, answer, name, request } = await take(comparisonOf(rowsOf()), { codes: ['N', 'A', 'C', 'B'] });
    expect(ops).toEqual([
      { op: 'delete', id: 1, frameType: 0 },
      { op: 'edit', id: 2, frameType: 0, changes: { unit: 'kV' } },
      { op: 'edit', id: 3, frameType: 0, changes: { code: 'U' } },
      { op: 'add', point: expect.objectContaining({ code: 'N', frame_type: 0 }) },
    ]);
    expect(answer).toEqual({ added: 1, changed: 2, removed: 1, step_id: 5 });
    expect(name).toMatchObject({ code: 'edit.take', params: { count: 4, source: 'new.csv' } });
    // a refusal stands at the code that was named
    expect([0, 1, 2, 3].map((index) => request.pathOf(index))).toEqual(['codes.1', 'codes.3', 'codes.2', 'codes.0']);
    expect(request).toMatchObject({ channel: here, placeOfAll: 'codes' });
  });

  it('by kind leave faulty ones alone', async () => {
    const { ops, request } = await take(comparisonOf(rowsOf()), { kinds: ['added', 'faulty'] });
    expect(ops.map(({ op }) => op)).toEqual(['add']);
    expect([request.pathOf(0), request.placeOfAll]).toEqual(['rows.N', 'kinds']);
  });

  it('take all settings of the protocol where one of them differs', async () => {
    const after = ofFile({ ...normal('B'), protocol: { x: 1, y: 3 } });
    const fields = [{ field: 'protocol.y', before: '2', after: '3' }];
    const row = { code: 'B', kind: 'changed', matched: 'code', before: kept(B), after, fields, faults: [] } as const;
    expect((await take(comparisonOf([row]), { codes: ['B'] })).ops).toEqual([
      { op: 'edit', id: 2, frameType: 0, changes: { protocol: { x: 1, y: 3 } } },
    ]);
  });

  it('of a point of another type are a new one in the place of the old one, and one difference', async () => {
    const after = ofFile({ ...normal('A'), frame_type: 1 });
    const fields = [{ field: 'frame_type', before: '0', after: '1' }];
    const row = { code: 'A', kind: 'changed', matched: 'code', before: kept(A), after, fields, faults: [] } as const;
    const { ops, answer, name } = await take(comparisonOf([row]), { codes: ['A'] });
    expect(ops).toEqual([
      { op: 'delete', id: 1, frameType: 0 },
      { op: 'add', point: expect.objectContaining({ code: 'A', frame_type: 1 }) },
    ]);
    expect([answer, name]).toMatchObject([
      { added: 1, changed: 0, removed: 1 },
      { code: 'edit.take_point', params: { source: 'new.csv' } },
    ]);
  });
});

describe('nothing is taken over', () => {
  it.each([
    ['codes and kinds', { codes: ['A'], kinds: ['added'] as const }, 'codes', 'table.codes_or_kinds', {}],
    ['neither', {}, 'codes', 'table.codes_or_kinds', {}],
    ['codes without a difference', { codes: ['A', 'X', 'Y'] }, 'codes', 'table.no_difference', { codes: ['"X"', '"Y"'] }],
    ['faulty rows', { codes: ['A', 'F'] }, 'codes', 'table.faulty_rows', { codes: ['"F"'] }],
    ['no code', { codes: [] }, 'codes', 'table.nothing_to_take', undefined],
    ['kinds of which there is none', { kinds: ['faulty'] as const }, 'kinds', 'table.nothing_to_take', undefined],
  ])('for %s', async (_, chosen, path, code, params) => {
    const issue = { path, message_code: code, ...(params && Object.keys(params).length > 0 && { params }) };
    await expect(take(comparisonOf(rowsOf()), chosen)).rejects.toMatchObject({ code: 'CONFIG_INVALID', data: [issue] });
  });

  it('into a past of the channel', async () => {
    const refusal = { code: 'STATE_CONFLICT', said: { code: 'table.take_nowhere' } };
    await expect(take(comparisonOf(rowsOf(), false), { codes: ['A'] })).rejects.toMatchObject(refusal);
  });

  it('where a point of either side is another one than it was compared, whatever is taken beside it', async () => {
    const added = { code: 'N', kind: 'added', matched: null, before: null, after: kept(stored(7, 'N')), fields: [], faults: [] } as const;
    const comparison = comparisonOf([...rowsOf().slice(0, 3), added], true, true);
    const codes = ['A', 'B', 'N'];
    await expect(take(comparison, { codes })).resolves.toBeDefined();
    here.points.update({ ...C, name: 'nobody takes it' });
    await expect(take(comparison, { codes })).resolves.toBeDefined();
    here.points.update({ ...B, unit: 'MV' });
    there.points.remove([7]);
    await expect(take(comparison, { codes })).rejects.toMatchObject({
      ...{ code: 'STATE_CONFLICT', said: { code: 'table.compared_changed', params: { points: ['"B"', '"N"'] } } },
      data: { codes: ['B', 'N'] },
    });
  });
});
