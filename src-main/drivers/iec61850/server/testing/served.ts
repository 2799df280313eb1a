/** A client at the simulated device without a network: octets in, octets out. */
import { english } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { ManualClock } from '../../../../platform/manual-clock.ts';
import type { AcceptedPeer, TransportEvents } from '../../../../transport/types.ts';
import { ServedClient, type ServedClientOptions } from '../client.ts';

/** One connection to the device. */
export class TestPeer implements AcceptedPeer {
  readonly label = '127.0.0.1:50112 → 127.0.0.1:102';
  /** Writes in order. */
  readonly written: Uint8Array[] = [];
  isClosed = false;
  #events: TransportEvents | null = null;

  start(events: TransportEvents): void {
    this.#events = events;
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.written.push(new Uint8Array(bytes));
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }

  /** Octets from the client; waits until the answers are out. */
  async send(bytes: Uint8Array): Promise<void> {
    this.#events?.onData(bytes);
    await settled();
  }

  /** The client is gone. */
  drop(): void {
    this.#events?.onClosed({ kind: 'peer' });
  }
}

/** What was queued behind the present turn has run. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}

/** What a client is given of its channel, and what it did with it. */
export interface TestIo extends Pick<ServedClientOptions, 'io' | 'frames'> {
  readonly clock: ManualClock;
  readonly notices: string[];
  readonly counts: { request: number; response: number; refusal: number; fault: number };
}

/** Clock, counters and notices for a client. */
export function testIo(secrets: Readonly<Record<string, string>> = {}): TestIo {
  const clock = new ManualClock();
  const notices: string[] = [];
  const counts = { request: 0, response: 0, refusal: 0, fault: 0 };
  const health = {
    request: () => void counts.request++,
    response: () => void counts.response++,
    timeout: () => undefined,
    refusal: () => void counts.refusal++,
    fault: () => void counts.fault++,
    late: () => undefined,
  };
  const sink = { values: () => undefined, notice: (said: Message) => void notices.push(english(said)), lost: () => undefined };
  let seq = 0;
  const frames = { record: () => ++seq };
  return { clock, notices, counts, frames, io: { clock, health, sink, secrets } };
}

/** Lets a client in. */
export function connect(io: TestIo, options: Pick<ServedClientOptions, 'device' | 'limits'> & Partial<ServedClientOptions>) {
  const peer = new TestPeer();
  const client = new ServedClient(peer, { io: io.io, frames: io.frames, faults: {}, ...options });
  client.start(() => undefined);
  return { peer, client };
}
