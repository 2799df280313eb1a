import { describe, expect, it } from 'vitest';
import { runInTurns, runSteps, type Steps } from './steps.ts';

function* work(log: string[]): Steps<string> {
  try {
    for (let at = 0; at < 3; at++) {
      log.push(`part ${at}`);
      yield;
    }
    return 'made';
  } finally {
    log.push('ended');
  }
}

describe('work in steps', () => {
  it('is done at once, or with others between the steps', async () => {
    const [one, other]: [string[], string[]] = [[], []];
    expect(runSteps(work(one))).toBe('made');
    expect(await runInTurns(work(other), async () => void other.push('others'))).toBe('made');
    expect(one).toEqual(['part 0', 'part 1', 'part 2', 'ended']);
    expect(other).toEqual(['part 0', 'others', 'part 1', 'others', 'part 2', 'others', 'ended']);
  });

  it('ends where it stands when who runs it gives it up, and puts away what it has', async () => {
    const log: string[] = [];
    const breathe = async () => {
      if (log.length === 2) throw new Error('stopped');
    };
    await expect(runInTurns(work(log), breathe)).rejects.toThrow('stopped');
    expect(log).toEqual(['part 0', 'part 1', 'ended']);
  });
});
