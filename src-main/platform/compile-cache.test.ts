import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { keepCompiled, keepFirstCompiled } from './compile-cache.ts';
import { defaultDataDir } from './paths.ts';

let dir: string;
const enabled = vi.spyOn(module, 'enableCompileCache').mockReturnValue({ status: 0 });

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'loopcheck-compiled-'));
});
afterEach(() => {
  enabled.mockClear();
  rmSync(dir, { recursive: true, force: true });
});

it('keeps what was compiled in the data folder of the command line', () => {
  mkdirSync(join(dir, 'compiled'));
  keepCompiled(['--data', dir]);
  keepCompiled(['--port', '0', `--data=${dir}`]);
  expect(enabled.mock.calls).toEqual([[join(dir, 'compiled')], [join(dir, 'compiled')]]);
});

it('makes nothing from arguments that nobody has looked at', () => {
  const shared = mkdtempSync(join(tmpdir(), 'loopcheck-shared-'));
  for (const name of ['XDG_DATA_HOME', 'APPDATA', 'HOME']) vi.stubEnv(name, shared);
  keepCompiled(['--bogus', '--data', dir]);
  rmSync(dir, { recursive: true });
  for (const args of [['--help'], ['read'], ['--bogus'], ['--port', 'x'], ['--host', '0.0.0.0']]) keepCompiled([...args, '--data', dir]);
  for (const args of [[], ['--data'], ['--bogus']]) keepCompiled(args);
  expect([enabled.mock.calls, existsSync(dir), existsSync(defaultDataDir())]).toEqual([[], false, false]);
  vi.unstubAllEnvs();
  rmSync(shared, { recursive: true });
});

it('makes the data folder of a first start, for nobody else, and keeps nothing where that cannot be', () => {
  rmSync(dir, { recursive: true });
  keepFirstCompiled(dir);
  expect(enabled.mock.calls).toEqual([[join(dir, 'compiled')]]);
  if (process.platform !== 'win32') expect(statSync(dir).mode & 0o777).toBe(0o700);
  mkdirSync(join(dir, 'compiled'));
  keepFirstCompiled(dir);
  writeFileSync(join(dir, 'file'), '');
  keepFirstCompiled(join(dir, 'file', 'below'));
  expect(enabled).toHaveBeenCalledOnce();
});
