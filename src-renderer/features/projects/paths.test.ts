import { describe, expect, it } from 'vitest';
import { copyPath, inFolder, projectPath } from './paths.ts';

describe('paths of projects', () => {
  it.each([
    ['site', '/p/a.loopcheck', '/p/site.loopcheck'],
    [' site 7.LOOPCHECK ', '/p/a.loopcheck', '/p/site 7.LOOPCHECK'],
    ['工程', 'C:\\p\\a.loopcheck', 'C:\\p\\工程.loopcheck'],
    ['/q/site', '/p/a.loopcheck', '/q/site.loopcheck'],
    ['D:\\site', 'C:\\p\\a.loopcheck', 'D:\\site.loopcheck'],
    ['v1.2', '/p/a.loopcheck', '/p/v1.2.loopcheck'],
    ['   ', '/p/a.loopcheck', ''],
  ])('"%s" beside %s is %s', (text, present, path) => expect(projectPath(text, present)).toBe(path));

  it('keep the separator of their folder', () => {
    expect([inFolder('/p', 'a'), inFolder('C:\\p', 'a')]).toEqual(['/p/a', 'C:\\p\\a']);
  });

  it('of copies have the time before their ending', () => {
    const now = new Date(2026, 2, 1, 14, 3);
    expect(copyPath('/p/site.loopcheck', now)).toBe('/p/site-2026-03-01-1403.loopcheck');
    expect(copyPath('/p.d/site', now)).toBe('/p.d/site-2026-03-01-1403.loopcheck');
  });
});
