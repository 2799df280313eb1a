import { posix, win32 } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dataPaths, defaultDataDir } from './paths.ts';

/** Whatever system the test runs on, separators are compared as slashes. */
const plain = (path: string) => path.replaceAll(win32.sep, posix.sep);

describe('data folder', () => {
  it.each([
    ['win32', { APPDATA: 'C:\\Users\\a\\AppData\\Roaming' }, 'C:/Users/a/AppData/Roaming/Loopcheck'],
    ['win32', {}, '/home/a/AppData/Roaming/Loopcheck'],
    ['linux', {}, '/home/a/.local/share/loopcheck'],
    ['linux', { XDG_DATA_HOME: '/data' }, '/data/loopcheck'],
    ['linux', { XDG_DATA_HOME: '' }, '/home/a/.local/share/loopcheck'],
    ['darwin', {}, '/home/a/Library/Application Support/Loopcheck'],
  ] as const)('on %s with %j', (platform, env, expected) => {
    expect(plain(defaultDataDir(platform, env, '/home/a'))).toBe(expected);
  });

  it('keeps the simulated plant apart from the own project', () => {
    const paths = dataPaths('/data');
    expect(plain(paths.demoProject)).toBe('/data/demo.loopcheck');
    expect(paths.project).not.toBe(paths.demoProject);
  });
});
