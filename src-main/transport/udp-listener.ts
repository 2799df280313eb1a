import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { type CancelTimer, type Clock, cancelled } from '../platform/clock.ts';
import { PacedDatagrams } from './paced-intake.ts';
import { endPoint, listenError } from './socket-errors.ts';
import { MAX_PEERS } from './tcp-listener.ts';
import type { AcceptedPeer, ByteListener, CloseCause, LineSettings } from './types.ts';
import { UdpPeer } from './udp-peer.ts';

interface Received {
  readonly datagram: Uint8Array;
  readonly from: RemoteInfo;
}

/** A sender that is silent for so long is forgotten: no datagram says that it has gone. */
export const PEER_QUIET_MS = 60_000;

/**
 * A UDP port where clients ask our own server. A peer is an address with a port that has sent a datagram; at most `MAX_PEERS` are remembered, and the
 * one that was silent the longest is forgotten for the next one. A forgotten one that sends again is a new peer.
 */
export class UdpListener implements ByteListener {
  readonly #settings: LineSettings;
  readonly #clock: Clock;
  /** By end point, the one that was silent the longest first. */
  readonly #peers = new Map<string, UdpPeer>();
  #socket: Socket | null = null;
  #boundPort: number | null = null;
  #closing: Promise<void> | null = null;
  #cancelSweep: CancelTimer | null = null;

  constructor(settings: LineSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
  }

  get boundPort(): number | null {
    return this.#boundPort;
  }

  async listen(onPeer: (peer: AcceptedPeer) => void): Promise<void> {
    if (this.#socket) throw new AppError('INTERNAL', say('transport.listened_once'));
    if (this.#closing) throw cancelled();
    const { ip, port } = this.#settings;
    const socket = createSocket(isIPv6(ip) ? 'udp6' : 'udp4');
    this.#socket = socket;
    const intake = new PacedDatagrams<Received>(this.#clock, ({ datagram, from }) => this.#receive(datagram, from, onPeer));
    socket.on('message', (datagram, from) => intake.take({ datagram, from }));
    await new Promise<void>((resolve, reject) => {
      // The handler stays: that one peer has gone (Windows tells it here) must not end the port.
      socket.on('error', (error) => reject(listenError(error, ip, port)));
      socket.once('close', () => reject(cancelled()));
      socket.bind({ address: ip, port, exclusive: true }, resolve);
    });
    this.#boundPort = socket.address().port;
  }

  close(): Promise<void> {
    this.#closing ??= new Promise((resolve) => {
      this.#cancelSweep?.();
      for (const peer of [...this.#peers.values()]) peer.end({ kind: 'local' });
      if (this.#socket) this.#socket.close(() => resolve());
      else resolve();
    });
    return this.#closing;
  }

  #receive(datagram: Uint8Array, from: RemoteInfo, onPeer: (peer: AcceptedPeer) => void): void {
    const socket = this.#socket;
    if (!socket || this.#closing) return;
    const key = endPoint(from.address, from.port);
    const known = this.#peers.get(key);
    const peer = known ?? this.#welcome(socket, from, key);
    peer.heardAt = this.#clock.monotonicMs();
    this.#peers.delete(key);
    this.#peers.set(key, peer);
    if (!known) onPeer(peer);
    peer.receive(datagram);
    this.#sweepLater();
  }

  #welcome(socket: Socket, { address, port }: RemoteInfo, key: string): UdpPeer {
    if (this.#peers.size >= MAX_PEERS) {
      const [longest] = this.#peers.values();
      longest?.end(forgotten(say('transport.datagram_crowd', { peer: longest.label, most: MAX_PEERS })));
    }
    const here = socket.address();
    return new UdpPeer({
      label: `UDP ${key} → ${endPoint(here.address, here.port)}`,
      send: (bytes, done) => socket.send(bytes, port, address, done),
      onEnd: () => this.#peers.delete(key),
    });
  }

  #sweepLater(): void {
    const [longest] = this.#peers.values();
    if (this.#cancelSweep || !longest) return;
    this.#cancelSweep = this.#clock.after(longest.heardAt + PEER_QUIET_MS - this.#clock.monotonicMs(), () => this.#sweep());
  }

  #sweep(): void {
    this.#cancelSweep = null;
    const limit = this.#clock.monotonicMs() - PEER_QUIET_MS;
    for (const peer of [...this.#peers.values()]) {
      if (peer.heardAt > limit) break;
      peer.end(forgotten(say('transport.datagram_quiet', { peer: peer.label, seconds: PEER_QUIET_MS / 1000 })));
    }
    this.#sweepLater();
  }
}

function forgotten(said: ReturnType<typeof say>): CloseCause {
  return { kind: 'failed', error: new AppError('TRANSPORT_LOST', said) };
}
