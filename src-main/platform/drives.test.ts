import { describe, expect, it } from 'vitest';
import { driveOf } from './drives.ts';

describe.skipIf(process.platform === 'win32')('driveOf', () => {
  it.each([
    ['/mnt/nas/plant/a.loopcheck', '/mnt/nas'],
    ['/mnt/nas2/a.loopcheck', '/mnt/nas2'],
    ['/mnt/other/a.loopcheck', '/'],
    ['/home/me/a.loopcheck', '/home'],
    ['/mnt/nas/../../tmp/a.loopcheck', '/'],
  ])('finds that of %s by the list of the system', (path, drive) => {
    expect(driveOf(path, ['/', '/home', '/mnt/nas', '/mnt/nas2'])).toBe(drive);
  });

  it.each([
    ['/Volumes/NAS/a.loopcheck', '/Volumes/NAS'],
    ['/Users/me/a.loopcheck', '/'],
  ])('finds that of %s by where drives are put, without a list', (path, drive) => {
    expect(driveOf(path, [])).toBe(drive);
  });
});
