import { describe, expect, it } from 'vitest';
import { sendInHalves } from './in-halves.ts';

const range = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Takes a part only where all of it may be taken. */
function target(bad: ReadonlySet<number>) {
  const taken: number[] = [];
  let tries = 0;
  const send = async (part: readonly number[]) => {
    tries += 1;
    if (part.some((value) => bad.has(value))) return 'refused' as const;
    taken.push(...part);
    return 'taken' as const;
  };
  return { taken, send, tries: () => tries };
}

describe('a batch in halves', () => {
  it.each([[[]], [[0]], [[999]], [[3, 500, 501]], [[0, 999]]])('leaves out those that are refused alone: %j', async (bad) => {
    const { taken, send } = target(new Set(bad));
    expect(await sendInHalves(range(1000), send)).toBe(bad.length);
    expect(taken).toEqual(range(1000).filter((value) => !bad.includes(value)));
  });

  it('sends what is right in one go', async () => {
    const { send, tries } = target(new Set());
    expect([await sendInHalves(range(1000), send), tries()]).toEqual([0, 1]);
  });

  it('gives up after so many tries where all are refused', async () => {
    const { send, tries } = target(new Set(range(1000)));
    expect([await sendInHalves(range(1000), send), tries()]).toEqual([1000, 100]);
  });

  it('counts what the target says it left out, and sends nothing of it again', async () => {
    expect(await sendInHalves(range(10), async () => 4)).toBe(4);
  });

  it('ends with what goes wrong on the way', async () => {
    await expect(
      sendInHalves(range(10), async (part) => {
        if (part.length < 10) throw new Error('lost');
        return 'refused';
      }),
    ).rejects.toThrow('lost');
  });
});
