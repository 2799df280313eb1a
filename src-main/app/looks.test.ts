import { describe, expect, it } from 'vitest';
import { ManualClock } from '../platform/manual-clock.ts';
import { Looks } from './looks.ts';

const driveOf = (path: string) => path.split('/', 2).join('/');

function begin() {
  const clock = new ManualClock();
  const looks = new Looks(clock, driveOf, '/home');
  const asked: string[] = [];
  /** Drives that do not answer; each look at one waits until it is answered. */
  const silent = new Map<string, PromiseWithResolvers<string>>();
  const find = (path: string) => {
    asked.push(path);
    return silent.get(driveOf(path))?.promise ?? Promise.resolve('there');
  };
  const look = (path: string) => looks.look(path, find, (why) => why);
  /** A look that its drive does not answer in time. */
  const lookInVain = async (path: string) => {
    silent.set(driveOf(path), Promise.withResolvers());
    const looking = look(path);
    await clock.advance(1000);
    return looking;
  };
  return { look, lookInVain, asked, silent };
}

describe('looks at files', () => {
  it('call silent only what lies on a drive that did not answer', async () => {
    const { look, lookInVain, asked } = begin();
    expect(await look('/known/a')).toBe('there');
    expect([await lookInVain('/nas1/a'), await lookInVain('/nas2/a')]).toEqual(['silent', 'silent']);
    asked.length = 0;
    expect([await look('/nas1/a'), await look('/nas1/b'), await look('/nas2/c')]).toEqual(['silent', 'silent', 'silent']);
    expect(asked).toEqual([]);
    expect([await look('/home/a'), await look('/known/b')]).toEqual(['there', 'there']);
  });

  it('leave a drive of which nothing is known unasked while two do not answer', async () => {
    const { look, lookInVain, silent } = begin();
    await lookInVain('/nas1/a');
    await lookInVain('/nas2/a');
    expect(await look('/stick/a')).toBe('unseen');
    silent.get('/nas1')?.resolve('there');
    silent.delete('/nas1');
    await Promise.resolve();
    await Promise.resolve();
    expect([await look('/stick/a'), await look('/nas1/a')]).toEqual(['there', 'there']);
  });

  it('do not ask a drive twice that answered before and does not any more', async () => {
    const { look, lookInVain, asked } = begin();
    expect(await look('/nas3/a')).toBe('there');
    for (const path of ['/nas1/a', '/nas2/a', '/nas3/b']) expect(await lookInVain(path)).toBe('silent');
    asked.length = 0;
    expect(await look('/nas3/c')).toBe('silent');
    expect(asked).toEqual([]);
  });
});
