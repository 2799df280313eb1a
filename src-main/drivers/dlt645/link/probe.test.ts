import { describe, expect, it } from 'vitest';
import { exchangeContext } from '../../testing/sinks.ts';
import { bench, pointsOf } from '../testing/bench.ts';

const TIMEOUT_MS = 1000;
const POINTS = pointsOf([{ address: 0x02010100, slave_id: 11 }]);

/** How long a probe of a meter that has become silent waits: from its hand-over to its end. */
async function probeOf(probeBudgetMs: number, wasHeard: boolean): Promise<number> {
  let isSilent = !wasHeard;
  const { clock, client, line, readAll } = bench({ points: POINTS, answerFilter: (bytes) => (isSilent ? null : bytes) });
  if (wasHeard) await readAll();
  isSilent = true;
  const [batch] = client.plan(POINTS, { mode: 'batch', skipKnownHoles: true }).batches;
  if (!batch) throw new Error('Nothing is planned.');
  const before = line.sent.length;
  let endedAt = Number.NaN;
  const probe = client.read(batch, exchangeContext({ probeBudgetMs })).catch(() => {
    endedAt = clock.monotonicMs();
  });
  await clock.advance(20_000);
  await probe;
  expect(line.sent.length).toBe(before + 1);
  return endedAt - (line.sent.at(-1)?.at ?? Number.NaN);
}

describe('a probe of a suspended meter', () => {
  /** 20 octets at 2400 8E1, four of them FE. */
  const REQUEST_MS = (20 * 11_000) / 2400;

  it('of which nobody was ever heard waits for the whole timeout and no longer', async () => {
    expect(await probeOf(100, false)).toBeCloseTo(REQUEST_MS + TIMEOUT_MS, 0);
  });

  it('with a budget beyond the timeout waits no longer than the timeout', async () => {
    expect(await probeOf(60_000, true)).toBeCloseTo(REQUEST_MS + TIMEOUT_MS, 0);
  });

  it('with a small budget ends well before the timeout', async () => {
    expect(await probeOf(300, true)).toBeLessThanOrEqual(REQUEST_MS + 300);
  });
});
