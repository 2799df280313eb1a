import { describe, expect, it } from 'vitest';
import { ManualClock, settle } from '../platform/manual-clock.ts';
import { FaultyTransports, type LineFaults } from './faulty.ts';
import { LoopbackNetwork } from './loopback.ts';
import { describeTransport, RecordedEvents, tcpLine } from './testing/transport-conformance.ts';
import type { AcceptedPeer } from './types.ts';

describeTransport('a faulty line with all faults off', () => {
  const clock = new ManualClock();
  return new FaultyTransports(new LoopbackNetwork(clock), clock, { seed: 1 });
});

/** Two ends of a faulty line: blocks sent from the far end, and when they arrived. */
async function line(faults: LineFaults) {
  const clock = new ManualClock();
  const transports = new FaultyTransports(new LoopbackNetwork(clock), clock, faults);
  const listener = transports.listener(tcpLine(0));
  const peers: AcceptedPeer[] = [];
  await listener.listen((peer) => peers.push(peer));
  const near = transports.connector(tcpLine(listener.boundPort ?? 0));
  const events = new RecordedEvents();
  await near.open(events, new AbortController().signal);
  const far = new RecordedEvents();
  peers[0]?.start(far);
  await settle();
  const block = (index: number) => Uint8Array.of(index, 1, 2, 3, 4, 5, 6, 7);
  /** Sends blocks from the far end, one a millisecond, and lets all of them arrive. */
  const send = async (count: number) => {
    for (let index = 0; index < count; index++) {
      await peers[0]?.write(block(index));
      await clock.advance(1);
    }
    await clock.advance(10_000);
    return events.chunks.map((chunk) => Buffer.from(chunk).toString('hex'));
  };
  return { clock, near, events, far, send, block };
}

const whole = (count: number) => Array.from({ length: count }, (_, index) => Buffer.of(index, 1, 2, 3, 4, 5, 6, 7).toString('hex'));

describe('faults of a line', () => {
  it('delay and jitter keep the order', async () => {
    const { send } = await line({ seed: 3, in: { delayMs: 20, jitterMs: 50, late: 0.2, lateMs: 300 } });
    expect(await send(50)).toEqual(whole(50));
  });

  it('deliver late, not early', async () => {
    const { clock, near, far } = await line({ seed: 3, out: { delayMs: 20 } });
    await near.write(Uint8Array.of(1));
    await clock.advance(19.9);
    expect(far.chunks).toHaveLength(0);
    await clock.advance(0.1);
    expect(far.chunks).toHaveLength(1);
  });

  it('are the same for the same seed and others for another', async () => {
    const faults = { loss: 0.2, noise: 0.2, half: 0.1, split: 0.3, pieceGapMs: 3, glue: 0.2, duplicate: 0.1, jitterMs: 4 };
    const run = async (seed: number) => (await line({ seed, in: faults })).send(100);
    const first = await run(7);
    expect(await run(7)).toEqual(first);
    expect(await run(8)).not.toEqual(first);
  });

  it.each([
    [
      'loss leaves blocks out',
      { loss: 0.5 },
      (got: string[]) => got.length < 80 && got.length > 20 && got.every((text) => text.length === 16),
    ],
    ['duplicate brings blocks twice', { duplicate: 0.5 }, (got: string[]) => got.some((text) => text.length === 32)],
    ['half breaks blocks off', { half: 0.5 }, (got: string[]) => got.some((text) => text.length < 16)],
    [
      'split and glue lose nothing',
      { split: 0.5, glue: 0.5, pieceGapMs: 2 },
      (got: string[]) => got.join('') === whole(100).join('') && got.length !== 100,
    ],
    ['noise changes blocks', { noise: 0.5 }, (got: string[]) => got.some((text, index) => text !== whole(100)[index])],
  ])('%s', async (_name, faults, isRight) => {
    const { send } = await line({ seed: 11, in: faults });
    expect(isRight(await send(100))).toBe(true);
  });

  it('echo brings back what was written', async () => {
    const { near, events } = await line({ seed: 1, echo: true });
    await near.write(Uint8Array.of(9, 8));
    await settle();
    expect(events.bytes).toEqual(Buffer.of(9, 8));
  });

  it('cut ends the line with a loss, once', async () => {
    const { near, events } = await line({ seed: 1, cut: 1 });
    await expect(near.write(Uint8Array.of(9))).rejects.toMatchObject({ code: 'TRANSPORT_LOST' });
    await expect(near.write(Uint8Array.of(9))).rejects.toMatchObject({ code: 'TRANSPORT_NOT_CONNECTED' });
    await settle();
    expect(events.causes).toMatchObject([{ kind: 'failed', error: { code: 'TRANSPORT_LOST' } }]);
  });

  it('a closed line leaves no timer behind', async () => {
    const { clock, near } = await line({ seed: 1, out: { delayMs: 100, glue: 1, glueMs: 50 }, in: { delayMs: 100 } });
    await near.write(Uint8Array.of(9));
    await near.close();
    expect(clock.pending).toBe(0);
  });
});
