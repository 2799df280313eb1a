/** What every line has to do between two ends, whether somebody listens at one of them (TCP) or not (serial). */
import { expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import type { ByteTransport, CloseCause, TransportEvents } from '../types.ts';

/** Events of one end, kept, with promises for what a test waits for. */
export class RecordedEvents implements TransportEvents {
  readonly chunks: Uint8Array[] = [];
  readonly causes: CloseCause[] = [];
  #checks: (() => void)[] = [];

  onData(chunk: Uint8Array): void {
    this.chunks.push(chunk);
    this.#changed();
  }

  onClosed(cause: CloseCause): void {
    this.causes.push(cause);
    this.#changed();
  }

  get bytes(): Buffer {
    return Buffer.concat(this.chunks);
  }

  /** Resolves when at least `count` octets have arrived; answers all of them. */
  async received(count: number): Promise<Buffer> {
    await this.#when(() => this.bytes.length >= count);
    return this.bytes;
  }

  /** Resolves when the line has ended. */
  async closed(): Promise<CloseCause | undefined> {
    await this.#when(() => this.causes.length > 0);
    return this.causes[0];
  }

  #when(isTrue: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (!isTrue()) return;
        this.#checks = this.#checks.filter((item) => item !== check);
        resolve();
      };
      this.#checks.push(check);
      check();
    });
  }

  #changed(): void {
    for (const check of this.#checks) check();
  }
}

/** The code a promise rejects with. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return 'no error';
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
}

export const never = (): AbortSignal => new AbortController().signal;

/** Two ends of an open line, and what they received. */
export interface LinePair {
  readonly near: ByteTransport;
  readonly nearEvents: RecordedEvents;
  readonly far: { write(bytes: Uint8Array): Promise<void> };
  readonly farEvents: RecordedEvents;
}

/** `prepare` answers with a maker of near ends that can be opened. */
export function describeLine(startedPair: () => Promise<LinePair>, prepare: () => Promise<() => ByteTransport>): void {
  it('carries octets both ways in order', async () => {
    const { near, nearEvents, far, farEvents } = await startedPair();
    const blocks = Array.from({ length: 50 }, (_, index) => Uint8Array.from([index, 255 - index, 0]));
    await Promise.all(blocks.map((block) => near.write(block)));
    expect(await farEvents.received(150)).toEqual(Buffer.concat(blocks));
    await far.write(Uint8Array.of(1, 2, 3));
    expect(await nearEvents.received(3)).toEqual(Buffer.from([1, 2, 3]));
  });

  it('carries every octet there is, and a megabyte whole', async () => {
    const { near, farEvents } = await startedPair();
    const block = Buffer.alloc(1 << 20);
    for (let at = 0; at < block.length; at++) block[at] = (at * 7) & 0xff;
    await near.write(block);
    expect((await farEvents.received(block.length)).equals(block)).toBe(true);
  });

  it('tells its own end once', async () => {
    const { near, nearEvents } = await startedPair();
    await Promise.all([near.close(), near.close()]);
    expect(await nearEvents.closed()).toEqual({ kind: 'local' });
    await near.close();
    expect(nearEvents.causes).toHaveLength(1);
  });

  it('gives no octets after close was asked', async () => {
    const { near, nearEvents, far } = await startedPair();
    const closed = near.close();
    await codeOf(far.write(Uint8Array.of(1, 2, 3)));
    await closed;
    expect(nearEvents.bytes).toHaveLength(0);
  });

  it('refuses to write after its own close', async () => {
    const { near } = await startedPair();
    const closed = near.close();
    expect(await codeOf(near.write(Uint8Array.of(1)))).toBe('TRANSPORT_NOT_CONNECTED');
    await closed;
  });

  it('ends an open that is aborted or closed, and tells no event', async () => {
    const make = await prepare();
    const events = new RecordedEvents();
    const before = make().open(events, AbortSignal.abort());
    const controller = new AbortController();
    const during = make().open(events, controller.signal);
    controller.abort();
    const line = make();
    const closed = line.open(events, never());
    const codes = Promise.all([before, during, closed].map(codeOf));
    await line.close();
    expect(await codes).toEqual(['CANCELLED', 'CANCELLED', 'CANCELLED']);
    expect(events.causes).toHaveLength(0);
  });

  it('refuses to write before it is open, and to open twice', async () => {
    const make = await prepare();
    const line = make();
    expect(await codeOf(line.write(Uint8Array.of(1)))).toBe('TRANSPORT_NOT_CONNECTED');
    await line.open(new RecordedEvents(), never());
    expect(await codeOf(line.open(new RecordedEvents(), never()))).toBe('INTERNAL');
    await line.close();
  });
}
