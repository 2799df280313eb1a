import { createServer, type Server, type Socket } from 'node:net';
import { AppError, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { type Clock, cancelled } from '../platform/clock.ts';
import { endPoint, listenError } from './socket-errors.ts';
import { SocketLine } from './socket-line.ts';
import { handshakeTimeout } from './tls-errors.ts';
import { secureServer } from './tls-handshake.ts';
import { loadTls } from './tls-material.ts';
import type { AcceptedPeer, ByteListener, LineSettings } from './types.ts';

/** Connections accepted at once; the next ones are closed by the system layer until one ends. */
export const MAX_PEERS = 64;

const KEEP_ALIVE_MS = 30_000;

/** Makes an encrypted connection of one that was just accepted. */
type Secure = (socket: Socket, peer: string) => Promise<Socket>;

/** A TCP port where clients connect to our own server, encrypted where the settings say so. */
export class TcpListener implements ByteListener {
  readonly #settings: LineSettings;
  readonly #clock: Clock;
  readonly #peers = new Set<SocketLine>();
  /** Connections whose handshake is under way. */
  readonly #shaking = new Set<Socket>();
  #server: Server | null = null;
  #isClosed = false;

  constructor(settings: LineSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
  }

  get boundPort(): number | null {
    const address = this.#server?.address();
    return address && typeof address === 'object' ? address.port : null;
  }

  async listen(onPeer: (peer: AcceptedPeer) => void, onRefused?: (reason: AppError) => void): Promise<void> {
    if (this.#server) throw new AppError('INTERNAL', say('transport.listened_once'));
    const secure = await this.#prepareTls();
    if (this.#isClosed) throw cancelled();
    const { ip, port } = this.#settings;
    // what came before the end of a peer may still be answered: `SocketLine` ends this side
    const half = { allowHalfOpen: true, pauseOnConnect: true };
    const options = { noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS, ...half };
    const server = createServer(options, (socket) => {
      if (secure) void this.#shake(socket, secure, onPeer, onRefused);
      else this.#accept(socket, socket, onPeer);
    });
    server.maxConnections = MAX_PEERS;
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      // The handler stays: a failed accept (too many open files) must not end the process.
      server.on('error', (error) => reject(listenError(error, ip, port)));
      server.once('close', () => reject(cancelled()));
      server.listen({ host: ip, port }, () => resolve());
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const server = this.#server;
    const stopped = new Promise<void>((resolve) => {
      if (server) server.close(() => resolve());
      else resolve();
    });
    for (const socket of this.#shaking) socket.destroy();
    await Promise.all([...this.#peers].map((peer) => peer.close()));
    await stopped;
  }

  /** Reads the certificates once, before the port is taken; null without TLS. */
  async #prepareTls(): Promise<Secure | null> {
    const { tls } = this.#settings;
    if (!tls) return null;
    const material = await loadTls(tls, true);
    return (socket, peer) => secureServer(socket, material, tls, peer);
  }

  async #shake(
    socket: Socket,
    secure: Secure,
    onPeer: (peer: AcceptedPeer) => void,
    onRefused: ((reason: AppError) => void) | undefined,
  ): Promise<void> {
    const { connectTimeoutMs } = this.#settings;
    const name = endPoint(socket.remoteAddress, socket.remotePort);
    let late: AppError | null = null;
    const cancelTimer = this.#clock.after(connectTimeoutMs, () => {
      late = handshakeTimeout(name, connectTimeoutMs);
      socket.destroy();
    });
    this.#shaking.add(socket);
    try {
      this.#accept(await secure(socket, name), socket, onPeer);
    } catch (error) {
      if (!this.#isClosed) onRefused?.(late ?? toAppError(error));
    } finally {
      cancelTimer();
      this.#shaking.delete(socket);
    }
  }

  /** `carrier` carries the octets, `socket` was accepted; the same one without TLS. */
  #accept(carrier: Socket, socket: Socket, onPeer: (peer: AcceptedPeer) => void): void {
    const label = `${endPoint(socket.remoteAddress, socket.remotePort)} → ${endPoint(socket.localAddress, socket.localPort)}`;
    const line = new SocketLine(carrier, label, this.#clock);
    this.#peers.add(line);
    carrier.once('close', () => this.#peers.delete(line));
    if (this.#isClosed) void line.close();
    else onPeer(line);
  }
}
