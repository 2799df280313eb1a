import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** A broker of MQTT 3.1.1 that takes everything, forwards nothing, and remembers the topics of what was published. */
export class TakingBroker {
  readonly topics: string[] = [];
  readonly filters: string[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor() {
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      let rest = Buffer.alloc(0);
      socket.on('error', () => {});
      socket.on('data', (octets) => {
        rest = Buffer.concat([rest, octets]);
        for (let packet = first(rest); packet; packet = first(rest)) {
          rest = rest.subarray(packet.length);
          this.#take(socket, packet.head, packet.body);
        }
      });
    });
  }

  static async start(): Promise<TakingBroker> {
    const broker = new TakingBroker();
    broker.#server.listen(0, '127.0.0.1');
    await once(broker.#server, 'listening');
    return broker;
  }

  get url(): string {
    return `mqtt://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #take(socket: Socket, head: number, body: Buffer): void {
    const textAt = (at: number) => body.subarray(at + 2, at + 2 + body.readUInt16BE(at)).toString();
    const type = head >> 4;
    // CONNACK, SUBACK with QoS 0, PINGRESP
    if (type === 1) socket.write(Buffer.from([0x20, 2, 0, 0]));
    if (type === 12) socket.write(Buffer.from([0xd0, 0]));
    if (type === 8) {
      this.filters.push(textAt(2));
      socket.write(Buffer.from([0x90, 3, body[0] ?? 0, body[1] ?? 0, 0]));
    }
    if (type !== 3) return;
    const topic = textAt(0);
    this.topics.push(topic);
    const at = 2 + Buffer.byteLength(topic);
    // PUBACK
    if ((head & 0x06) === 0x02) socket.write(Buffer.from([0x40, 2, body[at] ?? 0, body[at + 1] ?? 0]));
  }
}

/** The first packet of what came; null: it is not whole. */
function first(octets: Buffer): { readonly head: number; readonly body: Buffer; readonly length: number } | null {
  let size = 0;
  for (let at = 1; at < 5; at++) {
    const octet = octets[at];
    if (octet === undefined) return null;
    size += (octet & 0x7f) * 0x80 ** (at - 1);
    if (octet >= 0x80) continue;
    const length = at + 1 + size;
    return octets.length < length ? null : { head: octets[0] ?? 0, body: octets.subarray(at + 1, length), length };
  }
  return null;
}
