import { connect, type Socket } from 'node:net';
import { startPeer } from './peers/child.ts';
import { type BenchResult, median, ratioAtLeast } from './result.ts';

const QUANTITY = 125;
const ANSWER_OCTETS = 9 + 2 * QUANTITY;
const MEASURE_MS = 800;
const REPEATS = 9;
/** The limit of one request at a time; with many outstanding the floor only copies octets, and ours is held to its own mark. */
const LIMITS = [
  { window: 1, limit: 0.7 },
  { window: 16, limit: 0.4 },
] as const;

/** The load: reads of 125 registers on one connection, `window` of them outstanding. */
class Load {
  readonly #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  static open(port: number): Promise<Load> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      socket.once('error', reject);
      socket.once('connect', () => resolve(new Load(socket)));
    });
  }

  /** Answers a second over one measurement; throws when an answer is not a read answer of the right length. */
  rate(window: number): Promise<number> {
    const request = Buffer.from([0, 0, 0, 0, 0, 6, 1, 3, 0, 0, 0, QUANTITY]);
    return new Promise((resolve, reject) => {
      let octets = 0;
      let isOver = false;
      let open = window;
      const began = performance.now();
      const onData = (chunk: Buffer) => {
        const before = Math.floor(octets / ANSWER_OCTETS);
        octets += chunk.length;
        const answers = Math.floor(octets / ANSWER_OCTETS) - before;
        open -= answers;
        if (performance.now() - began > MEASURE_MS) isOver = true;
        if (!isOver) {
          open += answers;
          this.#socket.write(answers === 1 ? request : Buffer.concat(Array.from({ length: answers }, () => request)));
        } else if (open === 0) {
          this.#socket.off('data', onData);
          const count = octets / ANSWER_OCTETS;
          if (Number.isInteger(count)) resolve(count / ((performance.now() - began) / 1000));
          else reject(new Error('an answer had another length'));
        }
      };
      this.#socket.on('data', onData);
      this.#socket.write(Buffer.concat(Array.from({ length: window }, () => request)));
    });
  }

  end(): void {
    this.#socket.destroy();
  }
}

/** Requests a second that our server answers on one connection, against a `net` server with a fixed answer. */
export async function run(): Promise<BenchResult[]> {
  const ours = startPeer('loopcheck-server.ts');
  const fixed = startPeer('fixed-server.ts');
  try {
    const own = await Load.open((await ours.ask<{ port: number }>({ quantity: QUANTITY })).port);
    const floor = await Load.open((await fixed.ask<{ port: number }>({ quantity: QUANTITY })).port);
    const results: BenchResult[] = [];
    for (const { window, limit } of LIMITS) {
      const ownRates: number[] = [];
      const floorRates: number[] = [];
      for (let repeat = -2; repeat < REPEATS; repeat++) {
        const ownRate = await own.rate(window);
        const floorRate = await floor.rate(window);
        if (repeat < 0) continue;
        ownRates.push(ownRate);
        floorRates.push(floorRate);
      }
      const name = `server: reads of 125 registers a second, one connection, ${window} outstanding`;
      results.push(ratioAtLeast(name, median(ownRates), 'requests/s', median(floorRates), limit));
    }
    own.end();
    floor.end();
    return results;
  } finally {
    await Promise.all([ours.end(), fixed.end()]);
  }
}
