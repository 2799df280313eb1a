import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dataPaths } from '../platform/paths.ts';
import { readStartSettings, startSettingsStore } from './start-settings.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'loopcheck-start-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe('settings of the next start', () => {
  it('are the defaults until something is set, and keep each other', () => {
    const store = startSettingsStore(dataPaths(dir));
    expect(store.read()).toEqual({ port: 8991, token: null, updates: '' });
    store.write({ token: 'a-token-of-some-length' });
    store.write({ port: 9001 });
    expect(readStartSettings(dataPaths(dir))).toEqual({ port: 9001, token: 'a-token-of-some-length', updates: '' });
    store.write({ token: null });
    expect(store.read()).toEqual({ port: 9001, token: null, updates: '' });
  });

  it.runIf(process.platform !== 'win32')('are readable by their owner only', () => {
    const { startFile } = dataPaths(dir);
    startSettingsStore({ startFile }).write({ token: 'secret' });
    expect(statSync(startFile).mode & 0o777).toBe(0o600);
  });

  it.each([
    '',
    '{',
    '[]',
    'null',
    '{"port":0}',
    '{"port":"8991"}',
    '{"port":65536}',
    '{"token":""}',
    '{"token":"two words"}',
    '{"token":5}',
  ])('that somebody has spoilt (%s) are refused in words, without their text, and stay as they are', (text) => {
    const paths = dataPaths(dir);
    writeFileSync(paths.startFile, text);
    const said = { code: 'CONFIG_INVALID', message: expect.stringContaining(`${paths.startFile} is not as Loopcheck wrote it`) };
    expect(() => readStartSettings(paths)).toThrow(expect.objectContaining(said));
    expect(() => startSettingsStore(paths).write({ port: 9001 })).toThrow(expect.objectContaining(said));
    expect(readFileSync(paths.startFile, 'utf8')).toBe(text);
  });
});
