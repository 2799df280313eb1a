import { describe, expect, it } from 'vitest';
import type { PointSuggestion } from '#shared/contract/iec61850.ts';
import { chosenPoints, draftProblems, firstDrafts } from './point-drafts.ts';

const suggestion = (code: string, more: Partial<PointSuggestion> = {}): PointSuggestion => ({
  reference: `LD0/GGIO1.${code}`,
  point: { frame_type: 1, code, name: `Name ${code}`, reference: `LD0/GGIO1.${code}.stVal[ST]`, unit: '', protocol: { a: 1 } },
  reason: '',
  present_code: null,
  ...more,
});

const NONE = suggestion('X', { point: null, reason: 'no value' });

describe('points of ticked nodes', () => {
  it('are chosen at first where the table has none, and once where two ticks mean the same', () => {
    const list = [suggestion('A'), suggestion('B', { present_code: 'B1' }), NONE, suggestion('A')];
    expect(firstDrafts(list).map((draft) => draft?.isChosen ?? null)).toEqual([true, false, null, false]);
  });

  it('need a code that no other one has', () => {
    const [a, b, c] = firstDrafts([suggestion('A'), suggestion('B'), suggestion('C')]);
    if (!a || !b || !c) throw new Error('no drafts');
    const problems = draftProblems([a, { ...b, code: ' A ' }, null, { ...c, code: '' }, { ...c, code: 'A', isChosen: false }]);
    expect([...problems]).toEqual([
      [1, 'codeTwice'],
      [3, 'codeMissing'],
    ]);
  });

  it('go to the table as they were changed; settings of a type do not go to another one', () => {
    const list = [suggestion('A'), NONE, suggestion('B'), suggestion('C')];
    const [a, none, b, c] = firstDrafts(list);
    if (!a || !b || !c) throw new Error('no drafts');
    const drafts = [{ ...a, code: ' A1 ', name: '' }, none ?? null, { ...b, frameType: 0 as const }, { ...c, isChosen: false }];
    expect(chosenPoints(list, drafts)).toEqual([
      { index: 0, point: { frame_type: 1, code: 'A1', reference: 'LD0/GGIO1.A.stVal[ST]', unit: '', protocol: { a: 1 } } },
      { index: 2, point: { frame_type: 0, code: 'B', name: 'Name B', reference: 'LD0/GGIO1.B.stVal[ST]' } },
    ]);
  });

  it('take the scale of the device with them', () => {
    const { point, ...rest } = suggestion('A');
    if (!point) throw new Error('no point');
    const list = [{ ...rest, point: { ...point, mul_coe: 0.001, add_coe: -2 } }];
    expect(chosenPoints(list, firstDrafts(list))[0]?.point).toMatchObject({ mul_coe: 0.001, add_coe: -2 });
  });
});
