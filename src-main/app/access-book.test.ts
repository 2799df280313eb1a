import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { MOST_ACCESSES } from '#shared/contract/access.ts';
import { createAccessBook } from './access-book.ts';

const folders: string[] = [];
afterEach(() => {
  for (const dir of folders.splice(0)) rmSync(dir, { recursive: true, force: true });
});

function aFile(text?: string): string {
  const dir = mkdtempSync(join(tmpdir(), 'loopcheck-access-'));
  folders.push(dir);
  const file = join(dir, 'access.json');
  if (text !== undefined) writeFileSync(file, text);
  return file;
}

const NOW = Date.UTC(2026, 4, 6, 7, 8, 9, 10);

function bookOn(accessFile: string) {
  let made = 0;
  let now = NOW;
  const book = createAccessBook({ accessFile }, { wallMs: () => now }, () => `token-number-${++made}-abcd${made}`);
  const later = (ms: number) => {
    now += ms;
  };
  return { book, later };
}

describe('an access', () => {
  it('is known by its token, and tells when it was used', () => {
    const { book, later } = bookOn(aFile());
    const { access, token } = book.add('Li Wei', 'operate');
    expect(access).toEqual({ name: 'Li Wei', role: 'operate', end: 'bcd1', madeAt: '2026-05-06T07:08:09.010Z', usedAt: null });
    later(5000);
    expect(book.holderOf(token)).toEqual({ name: 'Li Wei', role: 'operate' });
    expect(book.list()[0]?.usedAt).toBe(NOW + 5000);
  });

  it.each(['', 'token-number-1-abcd', 'TOKEN-NUMBER-1-ABCD1', 'token-number-1-abcd1 '])('is not taken for another: "%s"', (given) => {
    const { book } = bookOn(aFile());
    book.add('Li', 'view');
    expect(book.holderOf(given)).toBeNull();
  });

  it('lasts over a start, without its token in the file, which only its owner can read', () => {
    const file = aFile();
    const { token } = bookOn(file).book.add('Li', 'view');
    expect(readFileSync(file, 'utf8')).not.toContain(token);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(bookOn(file).book.holderOf(token)).toEqual({ name: 'Li', role: 'view' });
  });

  it('gets another role under the same token', () => {
    const { book } = bookOn(aFile());
    const { token } = book.add('Li', 'view');
    expect(book.changeRole('LI', 'configure')).toMatchObject({ name: 'Li', role: 'configure' });
    expect(book.holderOf(token)).toEqual({ name: 'Li', role: 'configure' });
  });

  it('is nobody after it was removed, and who waits for that is told once', () => {
    const file = aFile();
    const { book } = bookOn(file);
    const { token } = book.add('Li', 'view');
    const told: string[] = [];
    book.whenRemoved('Li', () => told.push('one'));
    const stopWaiting = book.whenRemoved('Li', () => told.push('two'));
    stopWaiting();
    book.remove('li');
    expect([told, book.holderOf(token), book.list(), bookOn(file).book.list()]).toEqual([['one'], null, [], []]);
    expect(() => book.remove('Li')).toThrow(expect.objectContaining({ code: 'CONFIG_NOT_FOUND' }));
    book.add('Li', 'view');
    book.remove('Li');
    expect(told).toEqual(['one']);
  });

  it.each([
    ['li WEI', 'Li Wei'],
    // full-width letters
    ['Ｌｉ Wei', 'Li Wei'],
  ])('of a name that looks like one there is (%s) is refused', (name, first) => {
    const { book } = bookOn(aFile());
    book.add(first, 'view');
    expect(() => book.add(name, 'view')).toThrow(expect.objectContaining({ code: 'STATE_CONFLICT' }));
  });

  it('is one of a bounded number', () => {
    const { book } = bookOn(aFile());
    for (let n = 0; n < MOST_ACCESSES; n++) book.add(`n${n}`, 'view');
    expect(() => book.add('one more', 'view')).toThrow(String(MOST_ACCESSES));
    expect(book.list()).toHaveLength(MOST_ACCESSES);
  });

  it.skipIf(process.getuid?.() === 0 || process.platform === 'win32')('that cannot be stored is not made, changed or removed', () => {
    const file = aFile();
    const { book } = bookOn(file);
    const { token } = book.add('Li', 'view');
    chmodSync(join(file, '..'), 0o500);
    for (const change of [() => book.add('Wu', 'view'), () => book.changeRole('Li', 'configure'), () => book.remove('Li')]) {
      expect(change).toThrow(expect.objectContaining({ code: 'STATE_STORE' }));
    }
    chmodSync(join(file, '..'), 0o700);
    expect(book.list().map(({ name }) => name)).toEqual(['Li']);
    expect(book.holderOf(token)).toEqual({ name: 'Li', role: 'view' });
  });
});

describe('a file that is not as it was written', () => {
  const good = { name: 'Li', role: 'view', sha256: 'a'.repeat(64), token_end: 'abcd', made_at: '2026-05-06T07:08:09.010Z' };

  it.each([
    ['half of one', '[{"name":"Li"'],
    ['an object', '{}'],
    ['another role', JSON.stringify([{ ...good, role: 'root' }])],
    ['no digest', JSON.stringify([{ ...good, sha256: 'token' }])],
    ['a name twice', JSON.stringify([good, { ...good, name: 'LI' }])],
    ['too many', JSON.stringify(Array.from({ length: MOST_ACCESSES + 1 }, (_, n) => ({ ...good, name: `n${n}` })))],
  ])('refuses the start: %s', (_what, text) => {
    const file = aFile(text);
    expect(() => bookOn(file)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringContaining(file) }));
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('such a one is taken', () => {
    expect(bookOn(aFile(JSON.stringify([good]))).book.list()).toHaveLength(1);
  });
});
