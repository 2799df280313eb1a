import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { withinTime } from './within-time.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A request that ends with its signal alone. */
const hanging = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
const silent = { code: 'TIMEOUT_RESPONSE', said: { code: 'remote.silent', params: { name: 'Cabinet 7', seconds: 15 } } };

it('ends the request that it gives up, and says who was silent', async () => {
  let asked: AbortSignal | null = null;
  const answer = withinTime('Cabinet 7', new AbortController().signal, (signal) => {
    asked = signal;
    return hanging(signal);
  });
  const refused = expect(answer).rejects.toMatchObject(silent);
  await vi.advanceTimersByTimeAsync(14_999);
  expect(asked).toMatchObject({ aborted: false });
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toMatchObject({ aborted: true });
  await refused;
});

it('waits for none that hears of no end', async () => {
  const refused = expect(withinTime('Cabinet 7', new AbortController().signal, () => new Promise(() => {}))).rejects.toMatchObject(silent);
  await vi.advanceTimersByTimeAsync(15_000);
  await refused;
});

it('ends it as well where nobody wants the answer any more, and waits no longer than for the answer', async () => {
  const unwanted = new AbortController();
  const answer = withinTime('Cabinet 7', unwanted.signal, hanging);
  unwanted.abort(new Error('left'));
  await expect(answer).rejects.toThrow('left');
  expect(await withinTime('Cabinet 7', new AbortController().signal, async () => 5)).toBe(5);
  expect(vi.getTimerCount()).toBe(0);
});
