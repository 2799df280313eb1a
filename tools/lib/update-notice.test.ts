import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readManifest } from '../../src-main/services/updates/manifest.ts';
import { updateKey } from './update-key.ts';
import { makeNotice, newKeys } from './update-notice.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loopcheck-made-'));
  writeFileSync(join(folder, 'Loopcheck-0.3.0-setup-x64.exe'), 'MZ');
  writeFileSync(join(folder, 'loopcheck.cdx.json'), '{}');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const OF = { version: '0.3.0', date: '2026-12-01', notes: '- 新增：更新通知\n' };

describe('the notice of a version', () => {
  it('is read by the program that was built with its key, with the installers alone', () => {
    const { signing, key } = newKeys();
    const text = makeNotice({ ...OF, folder, signing, key });
    expect(readManifest(text, key, 'a')).toEqual({
      ...OF,
      format: 1,
      product: 'Loopcheck',
      files: [{ name: 'Loopcheck-0.3.0-setup-x64.exe', octets: 2, sha256: createHash('sha256').update('MZ').digest('hex') }],
    });
  });

  it('is not made for programs that would refuse it', () => {
    const { signing, key } = newKeys();
    expect(() => makeNotice({ ...OF, folder, signing, key: newKeys().key })).toThrow('is not the public key of the signing key');
    expect(() => makeNotice({ ...OF, folder, signing, key: null })).toThrow('is not the public key');
    expect(() => makeNotice({ ...OF, folder, signing: key, key })).toThrow('LOOPCHECK_UPDATE_SIGNING_KEY must be a private key');
    expect(() => makeNotice({ ...OF, version: '0.3', folder, signing, key })).toThrow('version');
    rmSync(join(folder, 'Loopcheck-0.3.0-setup-x64.exe'));
    expect(() => makeNotice({ ...OF, folder, signing, key })).toThrow('nothing that could be installed');
  });

  it('ends long notes at a line', () => {
    const { signing, key } = newKeys();
    const { notes } = readManifest(makeNotice({ ...OF, notes: '- a line of some length\n'.repeat(2000), folder, signing, key }), key, 'a');
    expect(notes.length).toBeLessThanOrEqual(12_003);
    expect(notes.endsWith('some length\n…\n')).toBe(true);
  });
});

describe('the key of a build', () => {
  it('is an Ed25519 key or none', () => {
    const { key, signing } = newKeys();
    expect(updateKey({})).toBeNull();
    expect(updateKey({ LOOPCHECK_UPDATE_KEY: '' })).toBeNull();
    expect(updateKey({ LOOPCHECK_UPDATE_KEY: ` ${key}\n` })).toBe(key);
    for (const wrong of [signing, key.slice(0, 40), 'key']) {
      expect(() => updateKey({ LOOPCHECK_UPDATE_KEY: wrong })).toThrow('LOOPCHECK_UPDATE_KEY must be a public key');
    }
  });
});
