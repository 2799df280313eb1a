import type { Socket } from 'node:net';
import type { CancelTimer, Clock } from '../platform/clock.ts';
import { PacedIntake } from './paced-intake.ts';
import { lostError, notConnected } from './socket-errors.ts';
import type { SocketReader } from './socket-reader.ts';
import type { AcceptedPeer, CloseCause, TransportEvents } from './types.ts';

/** Octets that are still to be sent when a line closes get this long; then the socket is destroyed. */
const FLUSH_LIMIT_MS = 1000;

/**
 * One connected socket as a line: the common part of the connector and of accepted peers. Construct it paused or just connected; `reader` is the
 * one it was connected with.
 */
export class SocketLine implements AcceptedPeer {
  readonly label: string;
  readonly #socket: Socket;
  readonly #clock: Clock;
  readonly #reader: SocketReader | null;
  #intake: PacedIntake | null = null;
  #events: TransportEvents | null = null;
  #cause: CloseCause | null = null;
  #told = false;
  #closing: Promise<void> | null = null;
  #cancelFlush: CancelTimer | null = null;

  constructor(socket: Socket, label: string, clock: Clock, reader: SocketReader | null = null) {
    this.#socket = socket;
    this.#reader = reader;
    this.#clock = clock;
    this.label = label;
    socket.on('error', (error) => {
      this.#end({ kind: 'failed', error: lostError(error, label) });
      // TLS reports a peer that renegotiates too often, and leaves the end to us
      socket.destroy();
    });
    socket.on('close', () => {
      this.#cancelFlush?.();
      this.#behindAll(() => this.#end(this.#closing ? { kind: 'local' } : { kind: 'failed', error: lostError(null, label) }));
    });
  }

  start(events: TransportEvents): void {
    this.#events = events;
    const intake = new PacedIntake(this.#socket, this.#clock, (piece) => {
      if (!this.#cause && !this.#closing) events.onData(piece);
    });
    this.#intake = intake;
    if (this.#reader) this.#reader.start(intake.take);
    else this.#socket.on('data', intake.take);
    this.#socket.on('end', () => {
      this.#behindAll(() => {
        this.#end({ kind: 'peer' });
        this.#finishSoon();
      });
    });
    this.#socket.resume();
    // The line may have broken before anybody listened; the news still comes, but not inside this call.
    if (this.#cause) queueMicrotask(() => this.#tell());
  }

  write(bytes: Uint8Array): Promise<void> {
    if (this.#cause || this.#closing) return Promise.reject(notConnected(this.label));
    return new Promise((resolve, reject) => {
      this.#socket.write(bytes, (error) => {
        if (error) reject(lostError(error, this.label));
        else resolve();
      });
    });
  }

  close(): Promise<void> {
    this.#closing ??= new Promise((resolve) => {
      if (this.#socket.closed) {
        resolve();
        return;
      }
      this.#socket.once('close', () => resolve());
      this.#finishSoon();
    });
    return this.#closing;
  }

  /** Sends what is queued, then destroys; a peer that does not read holds it up no longer than the limit. */
  #finishSoon(): void {
    if (this.#socket.destroyed) return;
    this.#cancelFlush ??= this.#clock.after(FLUSH_LIMIT_MS, () => this.#socket.destroy());
    this.#socket.destroySoon();
  }

  /** An end that the peer tells comes behind what it sent before. */
  #behindAll(tell: () => void): void {
    if (this.#intake && !this.#closing) this.#intake.behindAll(tell);
    else tell();
  }

  #end(cause: CloseCause): void {
    this.#cause ??= cause;
    this.#tell();
  }

  #tell(): void {
    if (this.#told || !this.#events || !this.#cause) return;
    this.#told = true;
    this.#events.onClosed(this.#cause);
  }
}
