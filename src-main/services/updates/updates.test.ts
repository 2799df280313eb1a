import { generateKeyPairSync, sign } from 'node:crypto';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { UpdateNotice } from '#shared/contract/updates.ts';
import { ManualClock } from '../../platform/manual-clock.ts';
import type { ServiceFacts, UpdateReader } from '../ports.ts';
import { updateHandlers } from './index.ts';
import { isNewer } from './manifest.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const KEY = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
const PLACE = resolve('/srv/loopcheck');
const CONTEXT = { source: 'api' as const, warn() {} };
const MANIFEST = { format: 1, product: 'Loopcheck', version: '0.3.0', date: '2026-12-01', notes: 'n', files: [] };

function noticeOf(change: object = {}, key = privateKey): string {
  const manifest = JSON.stringify({ ...MANIFEST, ...change });
  return JSON.stringify({ manifest, signature: sign(null, Buffer.from(manifest), key).toString('base64') });
}

function bench(given: { readonly read: UpdateReader; readonly key?: string | null; readonly place?: string }) {
  const clock = new ManualClock();
  let place = given.place ?? PLACE;
  const asked: string[] = [];
  const facts = {
    version: '0.2.0',
    nextStart: { read: () => ({ port: 1, token: null, updates: place }), write() {} },
    updates: {
      key: given.key === undefined ? KEY : given.key,
      read: (file: string, most: number, signal: AbortSignal) => {
        asked.push(file);
        return given.read(file, most, signal);
      },
    },
  };
  const handlers = updateHandlers({ facts: facts as unknown as ServiceFacts, clock });
  return {
    clock,
    asked,
    setPlace: (next: string) => {
      place = next;
    },
    notice: async () => (await handlers.updateNotice({}, { ...CONTEXT, effect: 'query' })) as UpdateNotice,
    look: async () => (await handlers.lookForUpdate({}, { ...CONTEXT, effect: 'repeatable' })) as UpdateNotice,
  };
}

describe('a newer version', () => {
  it('is told with what is new and where it lies', async () => {
    const files = [{ name: 'Loopcheck-0.3.0-setup-x64.exe', octets: 5, sha256: 'a'.repeat(64) }];
    const { notice } = bench({ read: async () => noticeOf({ notes: '- 新增', files, later: true }) });
    expect(await notice()).toMatchObject({
      state: 'newer',
      file: join(PLACE, 'loopcheck-update.json'),
      version: '0.3.0',
      date: '2026-12-01',
      notes: '- 新增',
      files: [{ ...files[0], place: join(PLACE, 'Loopcheck-0.3.0-setup-x64.exe') }],
      trouble: null,
    });
  });

  it('lies below an address as it would in a folder', async () => {
    const files = [{ name: 'a.exe', octets: 5, sha256: 'a'.repeat(64) }];
    const { notice } = bench({ place: 'https://files.example/loopcheck/', read: async () => noticeOf({ files }) });
    expect(await notice()).toMatchObject({
      file: 'https://files.example/loopcheck/loopcheck-update.json',
      files: [{ place: 'https://files.example/loopcheck/a.exe' }],
    });
  });

  it.each([
    ['0.2.0', 'current'],
    ['0.1.9', 'current'],
    ['0.2.1', 'newer'],
    ['0.10.0', 'newer'],
  ])('is one whose number is higher: %s', async (version, state) => {
    expect(await bench({ read: async () => noticeOf({ version }) }).notice()).toMatchObject({ state, version });
  });

  it('comes after what was handed out before it for trial', () => {
    expect(isNewer('0.3.0', '0.3.0-rc.1')).toBe(true);
    expect(isNewer('0.3.0', '0.3.1-rc.1')).toBe(false);
    expect(isNewer('0.3.0', '0.3.0')).toBe(false);
    for (const [older, newer] of [
      ['0.9.9', '1.0.0'],
      ['1.9.0', '1.10.0'],
      ['1.0.9', '1.0.10'],
      ['1.0.0', '2.0.0-rc.1'],
    ] as const)
      expect([isNewer(newer, older), isNewer(older, newer)], newer).toEqual([true, false]);
  });
});

describe('nobody is asked', () => {
  it('while no place is set', async () => {
    const { notice, look, asked } = bench({ place: '', read: async () => noticeOf() });
    expect([(await notice()).state, (await look()).state, asked]).toEqual(['off', 'off', []]);
  });

  it('by a build that could not check the answer', async () => {
    const { notice, look, asked } = bench({ key: null, read: async () => noticeOf() });
    expect(await notice()).toMatchObject({ state: 'unsigned', version: null, notes: null, files: [] });
    expect([(await look()).state, asked]).toEqual(['unsigned', []]);
  });
});

describe('a notice that cannot be trusted', () => {
  const other = generateKeyPairSync('ed25519').privateKey;
  const changed = noticeOf().replace('0.3.0', '9.9.9');
  const unsigned = JSON.stringify({ manifest: JSON.stringify(MANIFEST), signature: '' });
  it.each([
    ['signed with another key', noticeOf({}, other), 'update.signature'],
    ['changed after it was signed', changed, 'update.signature'],
    ['not signed', unsigned, 'update.signature'],
    ['half', noticeOf().slice(0, 150), 'update.not_whole'],
    ['empty', '', 'update.not_whole'],
    ['a page of a sign-in', '<html>', 'update.not_whole'],
    ['a bare manifest', JSON.stringify(MANIFEST), 'update.not_whole'],
    ['of another form', noticeOf({ format: 2 }), 'update.form'],
    ['of another product', noticeOf({ product: 'Other' }), 'update.form'],
    ['with a way to elsewhere', noticeOf({ files: [{ name: '../a.exe', octets: 1, sha256: 'a'.repeat(64) }] }), 'update.form'],
    ['with control characters', noticeOf({ notes: 'a\u001b[2J' }), 'update.form'],
    ['with a version of letters', noticeOf({ version: '1.0.0<b>' }), 'update.form'],
  ])('is told as such, and nothing of it is shown: %s', async (_what, text, code) => {
    const told = await bench({ read: async () => text }).notice();
    expect(told).toMatchObject({ state: 'failed', version: null, date: null, notes: null, files: [], trouble: { code } });
  });

  it('is waited for 15 s', async () => {
    const { notice, clock } = bench({
      read: (_file, _most, signal) =>
        new Promise((_done, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true })),
    });
    const told = notice();
    await clock.advance(15_000);
    expect(await told).toMatchObject({ state: 'failed', trouble: { code: 'update.silent', params: { seconds: 15 } } });
  });
});

describe('the place is asked anew', () => {
  const HOUR = 3_600_000;
  it('after six hours, and when somebody asks for it', async () => {
    const { notice, look, clock, asked } = bench({ read: async () => noticeOf() });
    await notice();
    await notice();
    await clock.advance(6 * HOUR - 1);
    await notice();
    expect(asked).toHaveLength(1);
    await clock.advance(1);
    await notice();
    expect(asked).toHaveLength(2);
    await look();
    expect(asked).toHaveLength(3);
  });

  it('ten minutes after it failed', async () => {
    const { notice, clock, asked } = bench({ read: async () => '{' });
    await notice();
    await clock.advance(599_999);
    await notice();
    expect(asked).toHaveLength(1);
    await clock.advance(1);
    await notice();
    expect(asked).toHaveLength(2);
  });

  it('when it is another one; and once, however many ask', async () => {
    const { notice, look, setPlace, asked } = bench({ read: async () => noticeOf() });
    await Promise.all([notice(), notice(), look()]);
    expect(asked).toHaveLength(1);
    setPlace('https://files.example');
    expect(await notice()).toMatchObject({ file: 'https://files.example/loopcheck-update.json' });
    setPlace('');
    expect(await notice()).toMatchObject({ state: 'off' });
  });
});
