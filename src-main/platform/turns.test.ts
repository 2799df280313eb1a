import { describe, expect, it } from 'vitest';
import { Turns, type Urgency } from './turns.ts';

/** Runs works of so many turns each side by side; answers who had each turn of the event loop, `-` where several had the same. */
async function sideBySide(works: Readonly<Record<string, { turns: number; urgency?: Urgency }>>): Promise<string> {
  let isOver = false;
  let turn: string[] = [];
  const turnsHad: string[] = [];
  const watching = (async () => {
    while (!isOver) {
      await new Promise((resolve) => setImmediate(resolve));
      if (turn.length > 0) turnsHad.push(turn.length === 1 ? (turn[0] ?? '') : '-');
      turn = [];
    }
  })();
  await Promise.all(
    Object.entries(works).map(async ([name, { turns, urgency }]) => {
      const own = new Turns(urgency);
      for (let index = 0; index < turns; index++) {
        await own.next();
        turn.push(name);
      }
    }),
  );
  isOver = true;
  await watching;
  return turnsHad.join('');
}

describe('turns of long works', () => {
  it('are never two in one turn of the event loop, and go round', async () => {
    expect(await sideBySide({ a: { turns: 4 }, b: { turns: 4 }, c: { turns: 4 } })).toBe('abcabcabcabc');
  });

  it('go to what is waited for first; what nobody waits for gets an eighth, and all of them alone', async () => {
    const had = await sideBySide({ a: { turns: 32 }, z: { turns: 8, urgency: 'behind' } });
    const together = had.slice(0, had.lastIndexOf('a'));
    const behind = [...together].filter((name) => name === 'z').length;
    expect(behind).toBeGreaterThanOrEqual(3);
    expect(behind).toBeLessThanOrEqual(5);
    expect(had).not.toContain('-');
    expect(had).toMatch(/z{3}$/);
  });
});
