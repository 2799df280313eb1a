import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { checkEngines, dropLockedEngines } from './lib/engines.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

interface Planted {
  /** `engines` in its own package.json. */
  readonly own?: unknown;
  /** `engines` in the lock file. */
  readonly locked?: unknown;
  readonly isMissing?: boolean;
}

function plant(packages: Record<string, Planted>): string {
  const folder = mkdtempSync(join(tmpdir(), 'engines-'));
  folders.push(folder);
  const all: Record<string, Planted> = { node: {}, ...packages };
  const entries: Record<string, unknown> = { '': { engines: { node: '>=20' } }, 'node_modules/node': { version: '24.21.0' } };
  for (const [name, { own, locked, isMissing }] of Object.entries(all)) {
    const path = `node_modules/${name}`;
    entries[path] ??= { version: '1.0.0', integrity: 'sha512-x', ...(locked === undefined ? {} : { engines: locked }) };
    if (isMissing) continue;
    mkdirSync(join(folder, path), { recursive: true });
    writeFileSync(join(folder, path, 'package.json'), JSON.stringify({ name, engines: own }));
  }
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages: entries }));
  return folder;
}

describe('engines of packages', () => {
  it('are good when every one admits the Node of the node package', () => {
    const folder = plant({ a: { own: { node: '^22.14.0 || >=24.0.0' } }, b: { own: { npm: '>=5' } }, c: { own: ['node >= 0.6'] }, d: {} });
    expect(checkEngines(folder)).toEqual({ packages: 5, problems: [] });
  });

  it('are told when one wants another Node, whatever Node runs npm', () => {
    const folder = plant({ a: { own: { node: '>=26' } }, '@scope/b': { own: { node: '^20.19' } }, c: { own: { node: 'soon' } } });
    expect(checkEngines(folder).problems).toEqual([
      'node_modules/a: needs Node >=26, and runs on 24.21.0',
      'node_modules/@scope/b: needs Node ^20.19, and runs on 24.21.0',
      'node_modules/c: needs Node soon, and runs on 24.21.0',
    ]);
  });

  it('are told when the lock file holds them, and taken out of it with nothing else', () => {
    const folder = plant({ a: { own: { node: '>=24' }, locked: { node: '>=24' } }, b: { isMissing: true, locked: { node: '>=1' } } });
    expect(checkEngines(folder).problems).toEqual([
      'node_modules/a: package-lock.json holds its engines; run: npm run engines -- --write',
      'node_modules/b: package-lock.json holds its engines; run: npm run engines -- --write',
    ]);
    dropLockedEngines(folder);
    expect(checkEngines(folder)).toEqual({ packages: 2, problems: [] });
    expect(JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))).toEqual({
      lockfileVersion: 3,
      packages: {
        '': { engines: { node: '>=20' } },
        'node_modules/node': { version: '24.21.0' },
        'node_modules/a': { version: '1.0.0', integrity: 'sha512-x' },
        'node_modules/b': { version: '1.0.0', integrity: 'sha512-x' },
      },
    });
  });

  it('are no check at all without the node package', () => {
    const folder = plant({});
    writeFileSync(join(folder, 'package-lock.json'), '{"packages":{}}');
    expect(checkEngines(folder)).toEqual({ packages: 0, problems: ['package-lock.json has no package node'] });
  });
});
