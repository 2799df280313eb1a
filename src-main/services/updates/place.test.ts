import { afterEach, describe, expect, it, vi } from 'vitest';
import { besideNotice, checkPlace, noticeAt } from './place.ts';

const NOTICE = 'loopcheck-update.json';

function on(platform: NodeJS.Platform): void {
  vi.spyOn(process, 'platform', 'get').mockReturnValue(platform);
}
afterEach(() => {
  vi.restoreAllMocks();
});

describe('a place that is set', () => {
  it.each([
    ['linux', '/srv/tools'],
    ['linux', 'https://tools.example/loopcheck'],
    ['linux', 'HTTP://10.0.0.5:8080/a/loopcheck-update.json'],
    ['win32', 'D:\\tools\\loopcheck'],
    ['win32', '\\\\server\\share\\loopcheck'],
  ] as const)('on %s may be %s', (platform, place) => {
    on(platform);
    expect(checkPlace(place)).toBe(place);
  });

  it('is kept without the spaces around it, and may be none', () => {
    expect(checkPlace('  https://tools.example \n')).toBe('https://tools.example');
    expect(checkPlace('   ')).toBe('');
  });

  it.each([
    ['linux', 'tools', 'a folder below wherever the service was started'],
    ['linux', 'D:\\tools', 'a path of another system'],
    ['win32', 'tools\\loopcheck', 'a folder below wherever the service was started'],
    ['linux', 'ftp://tools.example/loopcheck', 'an address of another protocol'],
    ['linux', 'see https://tools.example', 'words around an address'],
    ['linux', 'https://', 'an address of nobody'],
    ['linux', 'https://li@tools.example/', 'a user in an address'],
    ['linux', 'https://:secret@tools.example/', 'a password in an address'],
    ['linux', 'https://tools.example/?token=1', 'a query, which no file below it would have'],
    ['linux', 'https://tools.example/#new', 'a part of a page'],
  ] as const)('on %s is not %s: %s', (platform, place, _reason) => {
    on(platform);
    expect(() => checkPlace(place)).toThrow(
      expect.objectContaining({ status: 422, data: [expect.objectContaining({ path: 'update_place', message_code: 'update.place' })] }),
    );
  });
});

describe('the notice of a place', () => {
  it.each([
    ['linux', '/srv/tools', `/srv/tools/${NOTICE}`],
    ['linux', '/srv/tools/', `/srv/tools/${NOTICE}`],
    ['win32', 'D:\\tools', `D:\\tools\\${NOTICE}`],
    ['linux', 'https://tools.example', `https://tools.example/${NOTICE}`],
    ['linux', 'https://tools.example/a//', `https://tools.example/a/${NOTICE}`],
    ['linux', '/srv/tools/test.JSON', '/srv/tools/test.JSON'],
    ['linux', 'https://tools.example/test.json', 'https://tools.example/test.json'],
    ['linux', '/srv/file.json.d', `/srv/file.json.d/${NOTICE}`],
  ] as const)('on %s at %s is %s', (platform, place, notice) => {
    on(platform);
    expect(noticeAt(place)).toBe(notice);
  });
});

describe('a file that a notice names', () => {
  it.each([
    ['linux', '/srv/tools/test.json', '/srv/tools/setup.exe'],
    ['win32', 'D:\\tools\\test.json', 'D:\\tools\\setup.exe'],
    ['win32', 'https://tools.example/a/test.json', 'https://tools.example/a/setup.exe'],
  ] as const)('on %s lies beside it: %s', (platform, notice, file) => {
    on(platform);
    expect(besideNotice(notice, 'setup.exe')).toBe(file);
  });
});
