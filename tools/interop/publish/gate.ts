import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A way to a port on loopback that can be closed: whoever comes then is sent away. */
export class Gate {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  isOpen = true;

  private constructor(port: number) {
    this.#server = createServer((incoming) => {
      if (!this.isOpen) {
        incoming.destroy();
        return;
      }
      const outgoing = connect(port, '127.0.0.1');
      for (const [one, other] of [
        [incoming, outgoing],
        [outgoing, incoming],
      ] as const) {
        this.#sockets.add(one);
        one.setNoDelay(true);
        one.on('error', () => {});
        one.on('close', () => {
          this.#sockets.delete(one);
          other.destroy();
        });
        one.pipe(other);
      }
    });
  }

  static async to(port: number): Promise<Gate> {
    const gate = new Gate(port);
    gate.#server.listen(0, '127.0.0.1');
    await once(gate.#server, 'listening');
    return gate;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}
