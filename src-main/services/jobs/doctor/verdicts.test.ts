import { describe, expect, it } from 'vitest';
import { ASKING_LAYERS } from '#shared/domain/doctor.ts';
import { doctorNote, VerdictSheet } from './verdicts.ts';

const brief = (sheet: VerdictSheet) => sheet.list().map(({ layer, state, code, notes }) => [layer, state, code, notes.length]);

describe('the verdicts of an examination', () => {
  it('stand in the order of the layers, whenever they were found', () => {
    const sheet = new VerdictSheet();
    expect([sheet.size, sheet.next]).toEqual([0, ASKING_LAYERS[0]]);
    sheet.set('address', 'good', 'ADDRESS_GOOD', { answering: '1' });
    sheet.set('line', 'good', 'LINE_CONNECTED', { target: 'COM3' });
    expect(brief(sheet)).toEqual([
      ['line', 'good', 'LINE_CONNECTED', 0],
      ['address', 'good', 'ADDRESS_GOOD', 0],
    ]);
    expect([sheet.size, sheet.next]).toEqual([2, ASKING_LAYERS.find((layer) => layer !== 'line' && layer !== 'address')]);
  });

  it('the first one stays, unless it was to look at nothing', () => {
    const sheet = new VerdictSheet();
    sheet.set('address', 'bad', 'ADDRESS_TWO', { address: 1 });
    sheet.set('address', 'good', 'ADDRESS_GOOD');
    sheet.set('line', 'skipped', 'NOT_REACHED');
    sheet.set('line', 'skipped', 'LINE_CONNECTED');
    expect(brief(sheet)).toEqual([
      ['line', 'skipped', 'NOT_REACHED', 0],
      ['address', 'bad', 'ADDRESS_TWO', 0],
    ]);
    sheet.set('line', 'warning', 'LINE_CONNECTED');
    expect(brief(sheet)[0]).toEqual(['line', 'warning', 'LINE_CONNECTED', 0]);
  });

  it('are all there in the end', () => {
    const sheet = new VerdictSheet();
    sheet.set('address', 'good', 'ADDRESS_GOOD');
    sheet.finish();
    expect(sheet.next).toBeUndefined();
    expect(brief(sheet)).toEqual(
      ASKING_LAYERS.map((layer) => (layer === 'address' ? [layer, 'good', 'ADDRESS_GOOD', 0] : [layer, 'skipped', 'NOT_REACHED', 0])),
    );
  });

  it('have eight notes at most, which stand even where the verdict comes later', () => {
    const sheet = new VerdictSheet();
    for (let at = 0; at < 9; at++) sheet.note('address', 'ADDRESS_LATE', { address: at, ms: 1, timeout: 1, suggested: 1 });
    expect(sheet.list()).toEqual([]);
    sheet.set('address', 'warning', 'ADDRESS_SOME', { answering: '1', silent: '2' });
    const [verdict] = sheet.list();
    expect(verdict?.notes.map(({ params }) => params.address)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('of a layer of another examination are a mistake of this program', () => {
    const sheet = new VerdictSheet(['line']);
    expect(() => sheet.set('address', 'good', 'ADDRESS_GOOD')).toThrow(RangeError);
    sheet.finish();
    expect(brief(sheet)).toEqual([['line', 'skipped', 'NOT_REACHED', 0]]);
  });

  it('have their sentence and the next step beside their parts', () => {
    const params = { address: 7 };
    const note = doctorNote('ADDRESS_TWO', params);
    expect(note).toMatchObject({ code: 'ADDRESS_TWO', params: { address: 7 }, text: expect.stringContaining('7') });
    expect(note.next_step).not.toBe('');
    expect(note.params).not.toBe(params);
  });
});
