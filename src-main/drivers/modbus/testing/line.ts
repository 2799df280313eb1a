/** A line in memory, and a client of a server, whose other end is the test. */

import type { AppError } from '#shared/domain/errors.ts';
import type { AcceptedPeer, CloseCause, TransportEvents } from '../../../transport/types.ts';
import type { DriverLine } from '../../spi/index.ts';
import { encodeMbap } from '../link/mbap.ts';
import { octets } from '../vectors/load.ts';

/** A line whose other end is the test. */
export class TestLine implements DriverLine {
  readonly label = 'test line';
  /** Everything that was written, in order. */
  readonly sent: Uint8Array[] = [];
  /** Called with each frame that is written; the script of a device. */
  onWrite: (bytes: Uint8Array) => void = () => {};
  /** Set: the next writes fail with it. */
  writeError: Error | null = null;
  isClosed = false;
  #events: TransportEvents | null = null;

  start(events: TransportEvents): void {
    this.#events = events;
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.writeError) throw this.writeError;
    this.sent.push(Uint8Array.from(bytes));
    this.onWrite(bytes);
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#events?.onClosed({ kind: 'local' });
  }

  /** Octets from the device; text is spaced hex. */
  receive(bytes: Uint8Array | string): void {
    this.#events?.onData(typeof bytes === 'string' ? octets(bytes) : Uint8Array.from(bytes));
  }

  /** The system tells why datagrams do not arrive. */
  trouble(error: AppError): void {
    this.#events?.onTrouble?.(error);
  }

  /** The device or the network ends the line. */
  end(cause: CloseCause = { kind: 'peer' }): void {
    this.#events?.onClosed(cause);
  }
}

/** A client of the server under test: sends octets, keeps what came back. */
export class TestPeer implements AcceptedPeer {
  readonly label = 'test peer';
  readonly written: Uint8Array[] = [];
  /** Set: writes never come to an end, as with a client that does not read. */
  isStuck = false;
  isClosed = false;
  #events: { onData(chunk: Uint8Array): void; onClosed(cause: CloseCause): void } | null = null;

  start(events: { onData(chunk: Uint8Array): void; onClosed(cause: CloseCause): void }): void {
    this.#events = events;
  }
  write(bytes: Uint8Array): Promise<void> {
    this.written.push(Uint8Array.from(bytes));
    return this.isStuck ? new Promise(() => {}) : Promise.resolve();
  }
  async close(): Promise<void> {
    this.isClosed = true;
    this.#events?.onClosed({ kind: 'local' });
  }
  push(bytes: Uint8Array): void {
    this.#events?.onData(bytes);
  }
  /** Sends one request PDU; the answer PDU, or null when none came. */
  ask(pdu: string, unitId = 1): Uint8Array | null {
    this.written.length = 0;
    this.push(encodeMbap(7, unitId, octets(pdu)));
    const [answer] = this.written;
    return answer ? answer.subarray(7) : null;
  }
}
