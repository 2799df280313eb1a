import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { keepCompiled } from './compile-cache.ts';
import { defaultDataDir } from './paths.ts';

const dir = mkdtempSync(join(tmpdir(), 'loopcheck-compiled-'));
const enabled = vi.spyOn(module, 'enableCompileCache').mockReturnValue({ status: 0 });

afterEach(() => enabled.mockClear());

it('keeps what was compiled in the data folder of the command line', () => {
  keepCompiled(['--data', dir]);
  keepCompiled(['--port', '0', `--data=${dir}`]);
  expect(enabled.mock.calls).toEqual([[join(dir, 'compiled')], [join(dir, 'compiled')]]);
});

it('makes no data folder where no service is asked for', () => {
  rmSync(dir, { recursive: true });
  for (const args of [['--help'], ['-h'], ['--version'], ['read'], ['verify', 'a.json']]) keepCompiled([...args, '--data', dir]);
  expect(enabled).not.toHaveBeenCalled();
  expect(existsSync(dir)).toBe(false);
});

it('makes no folder where `--data` names none, for that is no start', () => {
  const shared = mkdtempSync(join(tmpdir(), 'loopcheck-shared-'));
  for (const name of ['XDG_DATA_HOME', 'APPDATA', 'HOME']) vi.stubEnv(name, shared);
  keepCompiled(['--port', '0', '--data']);
  expect([enabled.mock.calls, existsSync(defaultDataDir())]).toEqual([[], false]);
  keepCompiled(['--port', '0']);
  expect([enabled.mock.calls.length, existsSync(defaultDataDir())]).toEqual([1, true]);
  vi.unstubAllEnvs();
  rmSync(shared, { recursive: true });
});

it('makes the data folder of a first start, for nobody else, and keeps nothing where that cannot be', () => {
  keepCompiled(['--port', '0', '--data', dir]);
  expect(enabled.mock.calls).toEqual([[join(dir, 'compiled')]]);
  if (process.platform !== 'win32') expect(statSync(dir).mode & 0o777).toBe(0o700);
  writeFileSync(join(dir, 'file'), '');
  keepCompiled(['--data', join(dir, 'file', 'below')]);
  expect(enabled).toHaveBeenCalledOnce();
  rmSync(dir, { recursive: true });
});
