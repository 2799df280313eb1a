import { connect, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { type Clock, cancelled } from '../platform/clock.ts';
import { connectError, endPoint, notConnected } from './socket-errors.ts';
import { SocketLine } from './socket-line.ts';
import { SocketReader } from './socket-reader.ts';
import { handshakeTimeout } from './tls-errors.ts';
import { encryptionOf, secureClient } from './tls-handshake.ts';
import { loadTls } from './tls-material.ts';
import type { ByteTransport, Encryption, LineSettings, TlsSettings, TransportEvents } from './types.ts';

/** Silence after which the system asks whether the peer is still there. */
const KEEP_ALIVE_MS = 30_000;

/** A TCP connection to a device, encrypted where the settings say so. */
export class TcpConnector implements ByteTransport {
  readonly #settings: LineSettings;
  readonly #clock: Clock;
  readonly #target: string;
  #line: SocketLine | null = null;
  #encryption: Encryption | null = null;
  #used = false;
  #isClosed = false;
  #cancelOpen: (() => void) | null = null;

  constructor(settings: LineSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
    this.#target = endPoint(settings.ip, settings.port);
  }

  get label(): string {
    return this.#line?.label ?? this.#target;
  }

  get encryption(): Encryption | null {
    return this.#encryption;
  }

  async open(events: TransportEvents, signal: AbortSignal): Promise<void> {
    if (this.#used) throw new AppError('INTERNAL', say('transport.opened_once'));
    this.#used = true;
    if (signal.aborted || this.#isClosed) throw cancelled();
    const { tls } = this.#settings;
    const secure = tls && (await this.#prepareTls(tls));
    if (signal.aborted || this.#isClosed) throw cancelled();
    const deadline = this.#clock.monotonicMs() + this.#settings.connectTimeoutMs;
    // encryption takes the octets of its socket by itself
    const reader = secure ? null : new SocketReader();
    const socket = await this.#connect(signal, reader);
    const label = `${endPoint(socket.localAddress, socket.localPort)} → ${endPoint(socket.remoteAddress, socket.remotePort)}`;
    const carrier = secure ? await this.#secure(socket, secure, deadline, signal) : socket;
    this.#encryption = carrier instanceof TLSSocket ? encryptionOf(carrier) : null;
    this.#line = new SocketLine(carrier, label, this.#clock, reader);
    this.#line.start(events);
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#line ? this.#line.write(bytes) : Promise.reject(notConnected(this.#target));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelOpen?.();
    await this.#line?.close();
  }

  /** Reads the certificates before anything is sent; answers with how to encrypt a connection. */
  async #prepareTls(tls: TlsSettings): Promise<(socket: Socket) => Promise<Socket>> {
    const material = await loadTls(tls, false);
    return (socket) => secureClient(socket, material, tls, this.#settings.ip, this.#target);
  }

  #secure(socket: Socket, secure: (socket: Socket) => Promise<Socket>, deadline: number, signal: AbortSignal): Promise<Socket> {
    const { connectTimeoutMs } = this.#settings;
    return new Promise((resolve, reject) => {
      const stop = (error: AppError) => {
        reject(error);
        socket.destroy();
      };
      const cancelOpen = () => stop(cancelled());
      const cancelTimer = this.#clock.after(deadline - this.#clock.monotonicMs(), () =>
        stop(handshakeTimeout(this.#target, connectTimeoutMs)),
      );
      this.#cancelOpen = cancelOpen;
      signal.addEventListener('abort', cancelOpen, { once: true });
      secure(socket)
        .then(resolve, reject)
        .finally(() => {
          cancelTimer();
          signal.removeEventListener('abort', cancelOpen);
          this.#cancelOpen = null;
        });
    });
  }

  #connect(signal: AbortSignal, reader: SocketReader | null): Promise<Socket> {
    const { ip, port, connectTimeoutMs } = this.#settings;
    return new Promise((resolve, reject) => {
      // what came before the end of the peer may still be answered: `SocketLine` ends this side
      const options = { host: ip, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS, allowHalfOpen: true };
      const socket = connect(reader ? { ...options, onread: reader.options } : options);
      const settle = (error: AppError | null) => {
        cancelTimer();
        signal.removeEventListener('abort', cancelOpen);
        socket.removeListener('connect', onConnect);
        this.#cancelOpen = null;
        if (!error) {
          socket.removeListener('error', onError);
          resolve(socket);
          return;
        }
        // `onError` stays: a socket that is destroyed while it connects may still report.
        socket.destroy();
        reject(error);
      };
      const onConnect = () => settle(null);
      const onError = (error: Error) => settle(connectError(error, this.#target));
      const cancelOpen = () => settle(cancelled());
      const cancelTimer = this.#clock.after(connectTimeoutMs, () => {
        settle(new AppError('TIMEOUT_CONNECT', say('transport.silent_for', { target: this.#target, ms: connectTimeoutMs })));
      });
      this.#cancelOpen = cancelOpen;
      signal.addEventListener('abort', cancelOpen, { once: true });
      socket.once('connect', onConnect);
      socket.on('error', onError);
    });
  }
}
