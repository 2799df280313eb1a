import { describe, expect, it } from 'vitest';
import { ManualClock } from '../platform/manual-clock.ts';
import { Endings } from './endings.ts';

async function settled(endings: Endings, clock: ManualClock, ms = 1000): Promise<unknown> {
  const [ended] = await Promise.allSettled([endings.settle(ms), clock.advance(ms)]);
  return ended.status === 'rejected' ? ended.reason : 'kept';
}

describe('what has to end before a project is left', () => {
  it('ends, all of it, and what was taken out is not asked', async () => {
    const clock = new ManualClock();
    const endings = new Endings(clock);
    const asked: string[] = [];
    endings.add(async () => void asked.push('one'));
    const takeOut = endings.add(async () => void asked.push('two'));
    endings.add(async () => void asked.push('three'));
    takeOut();
    expect(await settled(endings, clock)).toBe('kept');
    expect(asked).toEqual(['one', 'three']);
  });

  it('what cannot be kept is told: the first of it, when all others have ended', async () => {
    const clock = new ManualClock();
    const endings = new Endings(clock);
    const [full, later] = [new Error('disk full'), new Error('later')];
    let isEnded = false;
    endings.add(() => new Promise((_, reject) => void clock.after(200, () => reject(later))));
    endings.add(() => Promise.reject(full));
    endings.add(
      () =>
        new Promise((resolve) => {
          clock.after(300, () => {
            isEnded = true;
            resolve();
          });
        }),
    );
    expect(await settled(endings, clock)).toBe(full);
    expect(isEnded).toBe(true);
  });

  it('what does not end is waited for as long as is allowed', async () => {
    const clock = new ManualClock();
    const endings = new Endings(clock);
    endings.add(() => new Promise(() => undefined));
    let end: unknown = null;
    void endings.settle(500).then(() => {
      end = clock.monotonicMs();
    });
    await clock.advance(499);
    expect(end).toBeNull();
    await clock.advance(1);
    expect(end).toBe(500);
  });
});
