import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ManualClock } from '../../../platform/manual-clock.ts';
import { ApduPort } from './apdu-port.ts';
import type { LinkEnd, LinkLimits, OutgoingAsdu } from './link-types.ts';

/** One end: what it was given to send, what reached it. */
class End {
  readonly port: ApduPort;
  readonly waiting: OutgoingAsdu[] = [];
  readonly received: number[] = [];
  offered = 0;
  acknowledged = 0;
  end: LinkEnd | null = null;
  /** Delivers to the other end. */
  deliver: (bytes: Uint8Array) => void = () => {};

  constructor(role: 'controlling' | 'controlled', clock: ManualClock, limits: LinkLimits) {
    this.port = new ApduPort({
      role,
      clock,
      limits,
      source: { next: () => this.waiting.shift() ?? null },
      line: { write: async (bytes) => this.deliver(bytes), close: async () => undefined },
      frames: { record: () => 1 },
      health: { fault: () => undefined },
      events: {
        onData: (apdu) => this.received.push(((apdu[6] ?? 0) | ((apdu[7] ?? 0) << 8)) >>> 0),
        onChunk: () => undefined,
        onStarted: () => undefined,
        onStopped: () => undefined,
        onEnd: (end) => {
          this.end = end;
        },
      },
    });
  }

  offer(count: number): void {
    for (let left = count; left > 0; left--) {
      const asdu = Uint8Array.of(this.offered & 0xff, this.offered >> 8);
      this.offered += 1;
      this.waiting.push({ asdu, onAcknowledged: () => this.acknowledged++ });
    }
    this.port.link.wake();
  }
}

const action = fc.oneof(
  fc.record({ kind: fc.constant('offer' as const), isClient: fc.boolean(), count: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 4000 }) }),
  fc.record({ kind: fc.constant('stop' as const) }),
  fc.record({ kind: fc.constant('start' as const) }),
);

it('two links over a line with delay: nothing lost, doubled or out of order, windows kept, no fault', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(action, { maxLength: 25 }),
      fc.integer({ min: 1, max: 14 }),
      fc.integer({ min: 1, max: 14 }),
      fc.integer({ min: 0, max: 400 }),
      fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
      async (actions, k, w, delayMs, cuts) => {
        const clock = new ManualClock();
        const limits: LinkLimits = { k, w, t1Ms: 3000, t2Ms: 1000, t3Ms: 5000 };
        const client = new End('controlling', clock, limits);
        const server = new End('controlled', clock, limits);
        for (const [from, to] of [
          [client, server],
          [server, client],
        ] as const) {
          from.deliver = (bytes) => {
            for (let at = 0; at < bytes.length; ) {
              const size = cuts.next().value ?? 1;
              const piece = bytes.slice(at, at + size);
              clock.after(delayMs, () => to.port.receive(piece));
              at += size;
            }
          };
        }
        const check = () => {
          for (const end of [client, server]) {
            expect(end.end).toBeNull();
            expect(end.port.link.unacknowledged.length).toBeLessThanOrEqual(k);
          }
          expect(server.received).toEqual(Array.from({ length: server.received.length }, (_, at) => at));
          expect(client.received).toEqual(Array.from({ length: client.received.length }, (_, at) => at));
        };
        client.port.link.start();
        for (const item of actions) {
          if (item.kind === 'offer') (item.isClient ? client : server).offer(item.count);
          else if (item.kind === 'stop') client.port.link.stop();
          else if (item.kind === 'start') client.port.link.start();
          else await clock.advance(item.ms);
          check();
        }
        // whatever state it was left in, it can be started again and brings everything over
        for (let turn = 0; turn < 3; turn++) {
          client.port.link.start();
          await clock.advance(2500);
        }
        for (let turn = 0; turn < 40 && client.waiting.length + server.waiting.length > 0; turn++) await clock.advance(5000);
        await clock.advance(3000);
        check();
        expect([client.received.length, server.received.length]).toEqual([server.offered, client.offered]);
        expect([client.acknowledged, server.acknowledged]).toEqual([client.offered, server.offered]);
      },
    ),
    { numRuns: 60 },
  );
});
