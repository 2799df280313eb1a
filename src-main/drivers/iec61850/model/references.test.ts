import { describe, expect, it } from 'vitest';
import { acsiReference, dataSetName, formatReference, keyOf, modelPlace, parseReference, splitIndex } from './references.ts';

const MAG = { domain: 'EMS1LD0', node: 'MMXU1', constraint: 'MX', path: ['TotW', 'mag', 'f'] };

describe('a reference', () => {
  it.each([
    'EMS1LD0/MMXU1.TotW.mag.f[MX]',
    'EMS1LD0/MMXU1.TotW.mag.f [MX]',
    ' EMS1LD0/MMXU1.TotW.mag.f(MX) ',
    'EMS1LD0/MMXU1.TotW.mag.f [ mx ]',
    'EMS1LD0/MMXU1$MX$TotW$mag$f',
    'EMS1LD0/MMXU1.MX.TotW.mag.f',
    'EMS1LD0/MMXU1$MX.TotW$mag.f',
    'EMS1LD0/MMXU1$TotW$mag$f[MX]',
    'EMS1LD0/MMXU1$MX$TotW$mag$f[MX]',
  ])('is the same in the spelling %s', (text) => {
    const parsed = parseReference(text);
    expect(parsed).toEqual(MAG);
    if (!parsed) return;
    expect([formatReference(parsed), keyOf(parsed), acsiReference(parsed)]).toEqual([
      'EMS1LD0/MMXU1.TotW.mag.f[MX]',
      'EMS1LD0/MMXU1$MX$TotW$mag$f',
      'EMS1LD0/MMXU1.TotW.mag.f',
    ]);
  });

  it('may have no constraint, no attribute, or name a logical device', () => {
    expect(parseReference('LD/GGIO1.Ind1')).toEqual({ domain: 'LD', node: 'GGIO1', constraint: null, path: ['Ind1'] });
    expect(parseReference('LD/GGIO1')).toEqual({ domain: 'LD', node: 'GGIO1', constraint: null, path: [] });
    expect(parseReference('LD')).toEqual({ domain: 'LD', node: '', constraint: null, path: [] });
  });

  it('has a place in the tree, and a text that is none is answered as it is', () => {
    const reference = 'EMS1LD0/MMXU1.TotW.mag.f';
    for (const text of [`${reference}[MX]`, 'EMS1LD0/MMXU1$MX$TotW$mag$f'])
      expect(modelPlace(text)).toEqual({ node: reference, constraint: 'MX' });
    expect(modelPlace('LD/GGIO1.Ind1')).toEqual({ node: 'LD/GGIO1.Ind1', constraint: '' });
    expect(modelPlace('@local')).toEqual({ node: '@local', constraint: '' });
    expect(modelPlace('a//b')).toEqual({ node: 'a//b', constraint: '' });
  });

  it('keeps the index of an element in its name', () => {
    const parsed = parseReference('LD/MHAI1.HA.phsAHar(3).mag.f[MX]');
    expect(parsed?.path).toEqual(['HA', 'phsAHar(3)', 'mag', 'f']);
    expect(splitIndex('phsAHar(3)')).toEqual({ name: 'phsAHar', index: 3 });
    expect(splitIndex('mag')).toEqual({ name: 'mag', index: null });
  });

  it.each(['', '/', 'LD/', 'LD/LN..stVal', 'LD/LN.Ind1[XX]', 'LD[MX]', 'LD/LN.a;b', `LD/LN.${'x'.repeat(300)}`])('is none: %j', (text) => {
    expect(parseReference(text)).toBeNull();
  });
});

describe('the name of a data set', () => {
  it.each([
    ['LD/LLN0$dsStat', 'LD/LLN0$dsStat'],
    ['LD/LLN0.dsStat', 'LD/LLN0$dsStat'],
    [' @temp ', '@temp'],
    ['LD/LLN0', null],
    ['LD/LLN0$a$b', null],
    ['', null],
  ])('of %j is %j', (text, name) => {
    expect(dataSetName(text)).toBe(name);
  });
});
