import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dataPaths } from '../platform/paths.ts';
import { removeServiceFile, writeServiceFile } from './service-file.ts';

const URL_OF_OURS = 'http://127.0.0.1:8992';
const OURS = { url: URL_OF_OURS, token: null, fingerprint: null } as const;
/** A process that lives and is not this one. */
const OTHER = { url: 'http://127.0.0.1:8991', pid: process.ppid, token_file: null };

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'loopcheck-service-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const paths = () => dataPaths(dir);
const read = () => JSON.parse(readFileSync(paths().serviceFile, 'utf8')) as unknown;

describe('service.json', () => {
  it('names this service, with its token beside it, readable by the owner only, and goes with it', async () => {
    expect(await writeServiceFile(paths(), { ...OURS, token: 'secret' })).toBeNull();
    expect(read()).toEqual({ url: URL_OF_OURS, pid: process.pid, token_file: paths().tokenFile, fingerprint: null });
    expect(readFileSync(paths().tokenFile, 'utf8')).toBe('secret\n');
    if (process.platform !== 'win32') {
      for (const file of [paths().serviceFile, paths().tokenFile]) expect(statSync(file).mode & 0o777).toBe(0o600);
    }
    removeServiceFile(paths());
    expect(readdirSync(dir)).toEqual([]);
  });

  it('of another service that runs is neither taken nor removed, nor is its token', async () => {
    writeFileSync(paths().serviceFile, JSON.stringify(OTHER));
    writeFileSync(paths().tokenFile, 'theirs\n');
    for (const token of ['ours', null]) {
      expect(await writeServiceFile(paths(), { ...OURS, token }, async (url) => url === OTHER.url)).toEqual({
        pid: OTHER.pid,
        url: OTHER.url,
      });
      removeServiceFile(paths());
      expect(read()).toEqual(OTHER);
      expect(readFileSync(paths().tokenFile, 'utf8')).toBe('theirs\n');
    }
  });

  it.each([
    ['of a process that is gone', JSON.stringify({ ...OTHER, pid: 2_147_483_646 }), true],
    ['of a number that another program has now', JSON.stringify(OTHER), false],
    ['that is damaged', '{"pid":', true],
  ])('%s is replaced', async (_what, text, answers) => {
    writeFileSync(paths().serviceFile, text);
    expect(await writeServiceFile(paths(), OURS, async () => answers)).toBeNull();
    expect(read()).toMatchObject({ pid: process.pid });
  });

  it('loses the drafts of killed processes', async () => {
    for (const name of ['service.json.0badcafe.tmp', 'token.2147483646-0badcafe.tmp']) writeFileSync(join(dir, name), 'x');
    await writeServiceFile(paths(), OURS);
    expect(readdirSync(dir)).toEqual(['service.json']);
  });
});
