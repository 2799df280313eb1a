import { type EndPoint, MOST_TCP_PAYLOAD, MOST_UDP_PAYLOAD, tcpFrame, udpFrame } from './network.ts';

/** Connections whose numbers are kept; of the others the one that was silent longest begins anew. */
const MOST_CONNECTIONS = 10_000;
/** Networks for tests (RFC 5737, RFC 2544): no address of a plant. */
const SERVER_ADDRESS = 0xc000_0201;
const CLIENT_NETWORK = 0xc612_0000;
const CLIENT_NETWORK_MASK = 0x1_ffff;
const FIRST_CLIENT_PORT = 49_152;
const CLIENT_PORT_BITS = 14;
const CLIENT_PORTS = 1 << CLIENT_PORT_BITS;
const FIRST_NUMBER = 1;

/** Next sequence number of each direction. */
interface Numbers {
  toServer: number;
  toClient: number;
}

/** One frame of a connection. */
export interface StreamFrame {
  /** Number of the connection in its channel. */
  readonly connection: number;
  readonly isToServer: boolean;
  readonly payload: Uint8Array;
  /** Octets that it had; more than `payload` has where its end was not kept. */
  readonly length: number;
}

/** A packet around a frame, or around a piece of a long one. */
export interface StreamPacket {
  readonly bytes: Uint8Array;
  readonly length: number;
}

/**
 * Makes TCP of frames: every connection has addresses and ports of its own, its sequence numbers go on in both directions. The server has the
 * address 192.0.2.1, clients those of 198.18.0.0/15.
 */
export class TcpStreams {
  readonly #port: number;
  readonly #numbers = new Map<number, Numbers>();

  /** `port`: the one that the protocol is known by. */
  constructor(port: number) {
    this.#port = port;
  }

  /** The packets of a frame: one, or several where it is longer than a packet may be. */
  packets(frame: StreamFrame): StreamPacket[] {
    const { payload, length, isToServer, connection } = frame;
    const numbers = this.#numbersOf(connection);
    const [from, to] = endPoints(connection, isToServer, this.#port);
    const packets: StreamPacket[] = [];
    for (let at = 0; at < length; at += MOST_TCP_PAYLOAD) {
      const piece = payload.subarray(at, at + MOST_TCP_PAYLOAD);
      const carried = { from, to, payload: piece, length: Math.min(MOST_TCP_PAYLOAD, length - at) };
      const { toServer, toClient } = numbers;
      const bytes = isToServer ? tcpFrame(carried, toServer, toClient) : tcpFrame(carried, toClient, toServer);
      if (isToServer) numbers.toServer = (toServer + carried.length) >>> 0;
      else numbers.toClient = (toClient + carried.length) >>> 0;
      packets.push({ bytes, length: bytes.length + carried.length - piece.length });
    }
    return packets;
  }

  #numbersOf(connection: number): Numbers {
    const numbers = this.#numbers.get(connection) ?? { toServer: FIRST_NUMBER, toClient: FIRST_NUMBER };
    // the one that was used last stands last
    this.#numbers.delete(connection);
    this.#numbers.set(connection, numbers);
    const [oldest] = this.#numbers.size > MOST_CONNECTIONS ? this.#numbers.keys() : [];
    if (oldest !== undefined) this.#numbers.delete(oldest);
    return numbers;
  }
}

/** The packet of a frame that is one datagram; what is longer than a datagram can be is cut. */
export function datagramPacket({ connection, isToServer, payload, length }: StreamFrame, port: number): StreamPacket {
  const [from, to] = endPoints(connection, isToServer, port);
  const carried = { from, to, payload: payload.subarray(0, MOST_UDP_PAYLOAD), length: Math.min(length, MOST_UDP_PAYLOAD) };
  const bytes = udpFrame(carried);
  return { bytes, length: bytes.length + carried.length - carried.payload.length };
}

/** From where to where; each of 2^31 connections has another client. */
function endPoints(connection: number, isToServer: boolean, port: number): readonly [from: EndPoint, to: EndPoint] {
  const server = { station: 1, address: SERVER_ADDRESS, port };
  const network = (connection >>> CLIENT_PORT_BITS) & CLIENT_NETWORK_MASK;
  const client = { station: 2, address: (CLIENT_NETWORK | network) >>> 0, port: FIRST_CLIENT_PORT + (connection % CLIENT_PORTS) };
  return isToServer ? [client, server] : [server, client];
}
