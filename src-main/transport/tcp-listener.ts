import { createServer, type Server, type Socket } from 'node:net';
import { AppError } from '#shared/domain/errors.ts';
import { type Clock, cancelled } from '../platform/clock.ts';
import { endPoint, listenError } from './socket-errors.ts';
import { SocketLine } from './socket-line.ts';
import type { AcceptedPeer, ByteListener, LineSettings } from './types.ts';

/** Connections accepted at once; the next ones are closed by the system layer until one ends. */
export const MAX_PEERS = 64;

const KEEP_ALIVE_MS = 30_000;

/** A TCP port where clients connect to our own server. */
export class TcpListener implements ByteListener {
  readonly #settings: LineSettings;
  readonly #clock: Clock;
  readonly #peers = new Set<SocketLine>();
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

  async listen(onPeer: (peer: AcceptedPeer) => void): Promise<void> {
    if (this.#server) throw new AppError('INTERNAL', 'A listener listens once; a new one is needed to listen again.');
    if (this.#isClosed) throw cancelled();
    const { ip, port } = this.#settings;
    const options = { noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS, pauseOnConnect: true };
    const server = createServer(options, (socket) => this.#accept(socket, onPeer));
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
    await Promise.all([...this.#peers].map((peer) => peer.close()));
    await stopped;
  }

  #accept(socket: Socket, onPeer: (peer: AcceptedPeer) => void): void {
    const label = `${endPoint(socket.remoteAddress, socket.remotePort)} → ${endPoint(socket.localAddress, socket.localPort)}`;
    const line = new SocketLine(socket, label, this.#clock);
    this.#peers.add(line);
    socket.once('close', () => this.#peers.delete(line));
    if (this.#isClosed) void line.close();
    else onPeer(line);
  }
}
