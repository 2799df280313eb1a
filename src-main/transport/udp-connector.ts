import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { type Clock, cancelled } from '../platform/clock.ts';
import { PacedDatagrams } from './paced-intake.ts';
import { connectError, datagramTrouble, endPoint, notConnected, notSent } from './socket-errors.ts';
import type { ByteTransport, LineSettings, TransportEvents } from './types.ts';
import { lookUp } from './udp-address.ts';

/**
 * Datagrams to one device and from it: each `write` sends one, each `onData` is one. `open` sends nothing, so it says nothing of the device. The
 * system lets datagrams of this one address and port through, and tells through `onTrouble` when nothing takes ours there.
 */
export class UdpConnector implements ByteTransport {
  readonly #settings: LineSettings;
  readonly #clock: Clock;
  readonly #target: string;
  #label: string;
  #socket: Socket | null = null;
  #isOpen = false;
  #isUsed = false;
  #isClosed = false;
  #events: TransportEvents | null = null;
  #closing: Promise<void> | null = null;

  constructor(settings: LineSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
    this.#target = endPoint(settings.ip, settings.port);
    this.#label = `UDP ${this.#target}`;
  }

  get label(): string {
    return this.#label;
  }

  async open(events: TransportEvents, signal: AbortSignal): Promise<void> {
    if (this.#isUsed) throw new AppError('INTERNAL', say('transport.opened_once'));
    this.#isUsed = true;
    const { ip, connectTimeoutMs } = this.#settings;
    if (signal.aborted || this.#isClosed) throw cancelled();
    const { address, family } = await lookUp(ip, { clock: this.#clock, signal, limitMs: connectTimeoutMs, target: this.#target });
    if (signal.aborted || this.#isClosed) throw cancelled();
    const socket = createSocket(family === 6 ? 'udp6' : 'udp4');
    this.#socket = socket;
    try {
      await this.#connect(socket, address);
    } catch (thrown) {
      await this.close();
      throw thrown;
    }
    if (signal.aborted || this.#isClosed) {
      await this.close();
      throw cancelled();
    }
    this.#start(socket, events);
  }

  write(bytes: Uint8Array): Promise<void> {
    const socket = this.#socket;
    if (!socket || !this.#isOpen) return Promise.reject(notConnected(this.#label));
    return new Promise((resolve, reject) => {
      socket.send(bytes, (error) => {
        if (error) reject(notSent(error, this.#target));
        else resolve();
      });
    });
  }

  close(): Promise<void> {
    this.#isClosed = true;
    this.#closing ??= new Promise((resolve) => {
      const wasOpen = this.#isOpen;
      this.#isOpen = false;
      const done = () => {
        if (wasOpen) this.#events?.onClosed({ kind: 'local' });
        resolve();
      };
      if (this.#socket) this.#socket.close(done);
      else done();
    });
    return this.#closing;
  }

  /** Fixes the other end; nothing is sent. */
  #connect(socket: Socket, address: string): Promise<void> {
    return new Promise((resolve, reject) => {
      socket.once('error', (error) => reject(connectError(error, this.#target)));
      socket.once('close', () => reject(cancelled()));
      socket.connect(this.#settings.port, address, () => {
        socket.removeAllListeners('error');
        socket.removeAllListeners('close');
        resolve();
      });
    });
  }

  #start(socket: Socket, events: TransportEvents): void {
    const here = socket.address();
    const there = socket.remoteAddress();
    this.#label = `UDP ${endPoint(here.address, here.port)} → ${endPoint(there.address, there.port)}`;
    this.#events = events;
    this.#isOpen = true;
    // what came between the opening of the port and the choice of the other end may be anybody's
    const isOurs = (from: RemoteInfo) => from.port === there.port && from.address === there.address;
    const intake = new PacedDatagrams<Uint8Array>(this.#clock, (datagram) => {
      if (this.#isOpen) events.onData(datagram);
    });
    socket.on('message', (datagram, from) => {
      if (this.#isOpen && isOurs(from)) intake.take(datagram);
    });
    socket.on('error', (error) => {
      if (this.#isOpen) events.onTrouble?.(datagramTrouble(error, endPoint(there.address, there.port)));
    });
  }
}
