/** A station of a plain socket that answers commands as a script says: what no stack can be made to do. */
import { createServer, type Socket } from 'node:net';

const CON = 0x07;
const TERM = 0x0a;

/** Answers one command with ASDUs. `asdu` is the command; `mirror` makes it an answer with this cause, its octets changed by `change`. */
export type Script = (
  asdu: Uint8Array,
  mirror: (cause: number, change?: (octets: Uint8Array) => void) => Uint8Array,
) => readonly Uint8Array[];

export interface RawStation {
  readonly port: number;
  script: Script;
  /** Commands that came, as hex. */
  readonly commands: string[];
  close(): Promise<void>;
}

/** Confirms STARTDT, STOPDT and TESTFR, acknowledges with what it sends, and runs its script for every I frame. */
export async function openRawStation(): Promise<RawStation> {
  const sockets = new Set<Socket>();
  const state: { script: Script; commands: string[] } = { script: carriedOut, commands: [] };
  const server = createServer((socket) => {
    sockets.add(socket);
    let sent = 0;
    let received = 0;
    let rest: Uint8Array = new Uint8Array(0);
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      for (let length = 2 + (rest[1] ?? 0); rest.length >= 2 && rest.length >= length; length = 2 + (rest[1] ?? 0)) {
        const apdu = rest.subarray(0, length);
        rest = rest.subarray(length);
        const control = apdu[2] ?? 0;
        const confirmation = { 7: 0x0b, 19: 0x23, 67: 0x83 }[control];
        if (confirmation !== undefined) socket.write(Uint8Array.of(0x68, 4, confirmation, 0, 0, 0));
        if ((control & 1) === 1) continue;
        received += 1;
        const asdu = Uint8Array.from(apdu.subarray(6));
        state.commands.push(Buffer.from(asdu).toString('hex'));
        const mirror = (cause: number, change: (octets: Uint8Array) => void = () => undefined) => {
          const octets = Uint8Array.from(asdu);
          octets[2] = cause;
          change(octets);
          return octets;
        };
        for (const answer of state.script(asdu, mirror)) {
          const [ns, nr] = [sent++ << 1, received << 1];
          socket.write(Uint8Array.of(0x68, 4 + answer.length, ns & 0xff, ns >> 8, nr & 0xff, nr >> 8, ...answer));
        }
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return Object.assign(state, {
    port: typeof address === 'object' && address ? address.port : 0,
    close: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  });
}

/** Confirmed and terminated, as it should be. */
export const carriedOut: Script = (_asdu, mirror) => [mirror(CON), mirror(TERM)];
