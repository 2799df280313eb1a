import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { removeDraft, writeDraft } from './write-draft.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loopcheck-draft-'));
  path = join(folder, 'draft');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function* pieces(onSecond: () => void = () => undefined): AsyncGenerator<string | Uint8Array> {
  yield 'ü';
  onSecond();
  yield Uint8Array.of(0, 255);
}

it('writes text and octets in their order', async () => {
  await writeDraft(path, pieces());
  expect(readFileSync(path)).toEqual(Buffer.from([0xc3, 0xbc, 0, 255]));
});

it('leaves nothing where its pieces fail, or nobody wants it any more', async () => {
  const fault = new Error('gone');
  const fail = () => {
    throw fault;
  };
  await expect(writeDraft(path, pieces(fail))).rejects.toBe(fault);
  expect(existsSync(path)).toBe(false);
  const ended = new AbortController();
  await expect(
    writeDraft(
      path,
      pieces(() => ended.abort(fault)),
      ended.signal,
    ),
  ).rejects.toBe(fault);
  expect(existsSync(path)).toBe(false);
});

it.each(['ENOSPC', 'EDQUOT'])('a disk that is full (%s) is told as such, and has nothing of it', async (code) => {
  const full = Object.assign(new Error('no space'), { code });
  const fail = () => {
    throw full;
  };
  await expect(writeDraft(path, pieces(fail))).rejects.toMatchObject({
    code: 'STATE_STORE_FULL',
    said: { code: 'store.disk_full', params: { path, code } },
    cause: full,
  });
  expect(existsSync(path)).toBe(false);
});

it('what is no error of a file is thrown as it is, with nothing left', async () => {
  const fail = () => {
    throw 'a word';
  };
  await expect(writeDraft(path, pieces(fail))).rejects.toBe('a word');
  expect(existsSync(path)).toBe(false);
  await expect(removeDraft(path)).resolves.toBeUndefined();
});

it('never writes over a file that is there', async () => {
  await writeDraft(path, pieces());
  await expect(writeDraft(path, pieces())).rejects.toMatchObject({ code: 'EEXIST' });
  expect(existsSync(path)).toBe(true);
});
