import { describe, expect, it } from 'vitest';
import { modbusTcpDriver } from '../../drivers/modbus/driver.ts';
import { JobBench } from '../jobs/testing/job-bench.ts';
import { LiveHub } from './hub.ts';
import type { StreamSink } from './stream-answer.ts';
import { StreamFilter } from './stream-filter.ts';

/** A reader in memory that takes what it is allowed to. */
class Taker implements StreamSink {
  text = '';
  isTaking = true;
  ended: 'in order' | 'at once' | null = null;
  #drained = () => {};
  closed = () => {};

  write(octets: Uint8Array): boolean {
    this.text += Buffer.from(octets).toString();
    return this.isTaking;
  }
  onDrained(call: () => void): void {
    this.#drained = call;
  }
  onClosed(call: () => void): void {
    this.closed = call;
  }
  end(): void {
    this.ended = 'in order';
  }
  destroy(): void {
    this.ended = 'at once';
  }
  drain(): void {
    this.isTaking = true;
    this.#drained();
  }
}

describe('the hub of the stream', () => {
  it('gives a sign of life with the place every 15 s, and no timer goes on without readers', async () => {
    const { clock, hub, session } = setUp();
    const taker = new Taker();
    hub.join(session, new StreamFilter(session, { kinds: ['command'] }), taker, { since: undefined, hello: {} });
    await clock.advance(100);
    const before = taker.text.length;
    await clock.advance(14_500);
    expect(taker.text.length).toBe(before);
    await clock.advance(1000);
    expect(taker.text.slice(before)).toMatch(/^id: bench-\d+-0\n: \n\n$/);
    taker.closed();
    await clock.advance(1000);
    expect(hub.counts()).toEqual({ readers: 0, missed: 0, disconnected: 0 });
    expect(clock.pending).toBe(0);
  });

  it('disconnects a reader that takes nothing for a minute, and lets one go on that takes something in time', async () => {
    const { clock, hub, session } = setUp();
    const [stuck, late] = [new Taker(), new Taker()];
    for (const taker of [stuck, late]) {
      taker.isTaking = false;
      hub.join(session, new StreamFilter(session, {}), taker, { since: undefined, hello: {} });
    }
    await clock.advance(59_000);
    late.drain();
    await clock.advance(2000);
    expect([stuck.ended, late.ended]).toEqual(['at once', null]);
    expect(hub.counts()).toMatchObject({ readers: 1, disconnected: 1 });
  });

  it('writes nothing more to a reader that is full, whatever happens', async () => {
    const { clock, hub, session } = setUp();
    const taker = new Taker();
    taker.isTaking = false;
    hub.join(session, new StreamFilter(session, { kinds: ['command'] }), taker, { since: undefined, hello: {} });
    const written = taker.text.length;
    for (let count = 0; count < 600; count++) {
      session.commands.add({ ...ENTRY, id: count });
      await clock.advance(50);
    }
    expect(taker.text.length).toBe(written);
    taker.drain();
    await clock.advance(100);
    expect(taker.text).toMatch(/event: missed\ndata: \{"reason":"slow",.*"commands":100,/);
    expect(taker.text.match(/event: command/g)).toHaveLength(500);
  });
});

const ENTRY = {
  id: 0,
  at: '2026-01-01T00:00:00.000Z',
  closed_at: null,
  channel_id: 1,
  channel_name: 'One',
  point_id: 1,
  frame_type: 2,
  code: 'K',
  operation: null,
  step: 'operate',
  value: 1,
  source: 'api',
  outcome: 'open',
  detail: '',
} as const;

function setUp() {
  const bench = new JobBench([modbusTcpDriver]);
  const { deps } = bench;
  return { clock: bench.clock, session: deps.projects.current(), hub: new LiveHub(deps) };
}
