import { describe, expect, it } from 'vitest';
import { quoted } from '#shared/messages/index.ts';
import { canonicalReference, DataSetSnapshots } from './dataset-snapshot.ts';

describe('2.5 rule 1: spellings of a reference', () => {
  it.each([
    'LD0/MMXU1$MX$TotW$mag$f',
    'LD0/MMXU1.MX.TotW.mag.f',
    'LD0/MMXU1.TotW.mag.f[MX]',
    'LD0/MMXU1$TotW$mag$f [MX]',
    'LD0/MMXU1.TotW.mag.f(MX)',
    'LD0/MMXU1$MX$TotW$mag$f[MX]',
    ' LD0/MMXU1.MX$TotW.mag$f ',
  ])('%s', (spelling) => {
    expect(canonicalReference(spelling)).toBe('LD0/MMXU1$MX$TotW$mag$f');
  });

  it('leaves the logical device and a data set name alone', () => {
    expect(canonicalReference('a.b/LLN0.ds1')).toBe('a.b/LLN0$ds1');
    expect(canonicalReference('@local')).toBe('@local');
  });
});

describe('2.5 rule 2: freshness', () => {
  const values = (value: number) => new Map([['LD0/MMXU1.MX.A', value]]);

  it('is stale and without time before the first read', () => {
    const empty = { values: new Map(), updatedAt: null, isStale: true, lastError: null };
    expect(new DataSetSnapshots().get('LD0/LLN0.ds')).toEqual(empty);
    expect(new DataSetSnapshots().device()).toEqual(empty);
  });

  it('a failed read keeps values and time; the next good one clears the error', () => {
    const sets = new DataSetSnapshots();
    sets.succeed('LD0/LLN0.ds', values(1), 1000);
    sets.fail('LD0/LLN0$ds', quoted('refused'));
    expect(sets.get('LD0/LLN0.ds')).toMatchObject({ updatedAt: 1000, isStale: true, lastError: quoted('refused') });
    expect(sets.value('LD0/MMXU1.A[MX]')).toBe(1);
    sets.succeed('LD0/LLN0$ds', values(2), 2000);
    expect(sets.get('LD0/LLN0.ds')).toMatchObject({ updatedAt: 2000, isStale: false, lastError: null });
    expect(sets.value('LD0/MMXU1$MX$A')).toBe(2);
    expect(sets.value('LD0/MMXU1$MX$B')).toBeUndefined();
  });

  it('forgets a data set that the device has no more, and keeps the others and those that were read by name alone', () => {
    const sets = new DataSetSnapshots();
    sets.knownNames = ['LD0/LLN0$a', 'LD0/LLN0.b'];
    for (const name of ['LD0/LLN0.a', 'LD0/LLN0.b', '@mine']) sets.succeed(name, values(1), 1000);
    sets.knownNames = [];
    expect(sets.names()).toHaveLength(3);
    sets.knownNames = ['LD0/LLN0$a', 'LD0/LLN0$b'];
    sets.knownNames = ['LD0/LLN0$a'];
    expect(sets.names().sort()).toEqual(['@mine', 'LD0/LLN0$a']);
    expect(sets.get('LD0/LLN0.b').updatedAt).toBeNull();
  });

  it('decisions: freshness is per data set; the device is stale if any is', () => {
    const sets = new DataSetSnapshots();
    sets.succeed('LD0/LLN0.a', values(1), 1000);
    sets.succeed('LD0/LLN0.b', new Map([['LD0/X.ST.B', true]]), 2000);
    expect(sets.device()).toMatchObject({ isStale: false, updatedAt: 2000 });
    sets.fail('LD0/LLN0.a', quoted('refused'));
    expect(sets.get('LD0/LLN0.b').isStale).toBe(false);
    expect(sets.device()).toMatchObject({ isStale: true, updatedAt: 2000, lastError: quoted('refused') });
    expect([...sets.device().values.keys()]).toEqual(['LD0/MMXU1$MX$A', 'LD0/X$ST$B']);
  });
});
