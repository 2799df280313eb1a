import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inRoot } from '../lib/paths.ts';
import { billOfMaterials, type Component, licencesOf, notices, SUNSPEC_MODELS } from './legal.ts';

const known: Component = {
  type: 'library',
  name: 'zod',
  version: '4.6.7',
  'bom-ref': 'pkg:npm/zod@4.6.7',
  licenses: [{ license: { id: 'MIT' } }],
};
const unknown: Component = { type: 'library', group: '@nobody', name: 'nowhere', version: '1.0.0', 'bom-ref': 'pkg:npm/x' };

describe('licences of others', () => {
  it('stand with the text that their package brings', () => {
    const text = notices([known]);
    expect(text).toContain('zod 4.6.7\nLicence: MIT');
    expect(text).toContain('Permission is hereby granted');
  });

  it('are those of data as well, from the folder that holds it', () => {
    const text = notices([SUNSPEC_MODELS]);
    expect(text).toContain('sunspec/models 7abdf898');
    expect(text).toContain('Apache License');
    expect(readFileSync(inRoot('resources/sunspec/README.md'), 'utf8')).toContain(String(SUNSPEC_MODELS.version));
  });

  it('are said to be missing where there are none', () => {
    expect(licencesOf(unknown)).toEqual([]);
    expect(notices([unknown])).toContain('@nobody/nowhere 1.0.0\nLicence: not declared\n\n(the package brings no text)');
  });

  it('are those declared, as an identifier or an expression', () => {
    expect(licencesOf({ ...unknown, licenses: [{ expression: 'MIT OR Apache-2.0' }, { license: { name: 'Own' } }] })).toEqual([
      'MIT OR Apache-2.0',
      'Own',
    ]);
  });
});

it('the bill is the same for the same components, without a time or a number by chance', () => {
  const bill = billOfMaterials('0.2.0', [known, unknown]);
  expect(bill).toBe(billOfMaterials('0.2.0', [known, unknown]));
  expect(JSON.parse(bill)).toMatchObject({
    bomFormat: 'CycloneDX',
    metadata: { component: { name: 'loopcheck', version: '0.2.0' } },
    dependencies: [{ dependsOn: ['pkg:npm/zod@4.6.7', 'pkg:npm/x'] }],
  });
});
