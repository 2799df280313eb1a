import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makePrivate } from './private-folder.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'loopcheck-private-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const mode = (path: string) => statSync(path).mode & 0o777;

it('makes a folder that others cannot enter', () => {
  const dir = join(root, 'a', 'data');
  expect(makePrivate(dir)).toEqual([]);
  if (process.platform !== 'win32') expect(mode(dir)).toBe(0o700);
});

it('mends a folder of an earlier version, with all its files', () => {
  const dir = join(root, 'data');
  for (const name of ['logs', 'projects', 'drafts', 'devices', 'mappings']) mkdirSync(join(dir, name), { recursive: true });
  const files = [
    'default.loopcheck',
    'default.loopcheck-wal',
    'default.loopcheck.lock',
    'demo.loopcheck.before-v4.bak',
    'secrets.json',
    'secrets.json.damaged',
    'service.json',
    'remotes.json',
    'token',
    'projects/North.loopcheck',
    'logs/loopcheck.3.log',
  ].map((name) => join(dir, name));
  for (const file of files) writeFileSync(file, '');
  for (const path of [dir, join(dir, 'logs'), ...files]) chmodSync(path, path.includes('.') ? 0o644 : 0o755);
  expect(makePrivate(dir)).toEqual([]);
  if (process.platform === 'win32') return;
  for (const file of files) expect(mode(file), file).toBe(0o600);
  expect([mode(dir), mode(join(dir, 'logs'))]).toEqual([0o700, 0o700]);
});

it('leaves a folder with files of others as it is, and follows no link', () => {
  const [dir, elsewhere] = [join(root, 'shared'), join(root, 'elsewhere.loopcheck')];
  mkdirSync(dir);
  for (const file of [join(dir, 'report.xlsx'), join(dir, 'default.loopcheck'), elsewhere]) writeFileSync(file, '', { mode: 0o644 });
  if (process.platform === 'win32') return;
  symlinkSync(elsewhere, join(dir, 'link.loopcheck'));
  chmodSync(dir, 0o755);
  expect(makePrivate(dir)).toEqual([]);
  expect([dir, join(dir, 'report.xlsx'), join(dir, 'default.loopcheck'), elsewhere].map(mode)).toEqual([0o755, 0o644, 0o600, 0o644]);
});
