import { mkdtempSync, rmSync } from 'node:fs';
import module from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { keepCompiled } from './compile-cache.ts';

const dir = mkdtempSync(join(tmpdir(), 'loopcheck-compiled-'));
const enabled = vi.spyOn(module, 'enableCompileCache').mockReturnValue({ status: 0 });

afterEach(() => enabled.mockClear());

it('keeps what was compiled in the data folder of the command line', () => {
  keepCompiled(['--data', dir]);
  keepCompiled(['--port', '0', `--data=${dir}`]);
  expect(enabled.mock.calls).toEqual([[join(dir, 'compiled')], [join(dir, 'compiled')]]);
});

it('makes no data folder of its own: the program may not be asked for a service at all', () => {
  rmSync(dir, { recursive: true });
  keepCompiled(['--help', '--data', dir]);
  keepCompiled(['--data']);
  expect(enabled.mock.calls.flat()).not.toContain(join(dir, 'compiled'));
});
