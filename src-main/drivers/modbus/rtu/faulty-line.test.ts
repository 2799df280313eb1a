import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../platform/manual-clock.ts';
import { createRandom } from '../../../platform/seeded-random.ts';
import { u8, u16 } from '../../../protocol-kit/bytes.ts';
import { FaultyTransports, type LineFaults } from '../../../transport/faulty.ts';
import { LoopbackNetwork } from '../../../transport/loopback.ts';
import { tcpLine } from '../../../transport/testing/transport-conformance.ts';
import type { AcceptedPeer } from '../../../transport/types.ts';
import { clientSettings } from '../../testing/settings.ts';
import { exchangeContext, TestHealth } from '../../testing/sinks.ts';
import { encodeRead, encodeRequest } from '../codec/request.ts';
import { exceptionOf, expectEcho, readAnswerData } from '../codec/response.ts';
import type { ExchangeEnd } from '../link/exchange-session.ts';
import type { SessionRequest } from '../link/session-check.ts';
import { rtuFraming } from './framing.ts';
import { LineSession } from './session.ts';
import {
  fixedBit,
  fixedRegister,
  NO_ADDRESS_FROM,
  SimulatedSlaves,
  type SlaveSettings,
  WRITABLE_FROM,
} from './testing/simulated-slaves.ts';
import { serialTiming } from './timing.ts';

const SCALE = Number(process.env.LOOPCHECK_SOAK ?? 1);
const TIMEOUT_MS = 100;
const timing = serialTiming(clientSettings(), rtuFraming);

interface Plan {
  readonly faults: LineFaults;
  readonly exchanges: number;
}

interface Tally {
  values: number;
  refusals: number;
  confirmed: number;
  lates: number;
  readonly codes: string[];
}

/** What holds for every value of some ten thousand exchanges; `expect` takes longer than the exchange. */
function mustBe(holds: boolean, complaint: string): void {
  if (!holds) throw new Error(complaint);
}

/** One line with faults from the first connection to the last, and everything that is checked about each exchange. */
class Trial {
  readonly clock = new ManualClock();
  readonly tally: Tally = { values: 0, refusals: 0, confirmed: 0, lates: 0, codes: [] };
  readonly #random: () => number;
  readonly #plan: Plan;
  readonly #transports: FaultyTransports;
  readonly #listener;
  readonly #slaves: SimulatedSlaves;
  #peer: AcceptedPeer | null = null;
  #session: LineSession | null = null;
  #isOpen = false;
  #serial = 0;

  constructor(plan: Plan) {
    this.#plan = plan;
    this.#random = createRandom(plan.faults.seed + 1000);
    const network = new LoopbackNetwork(this.clock);
    this.#transports = new FaultyTransports(network, this.clock, plan.faults);
    this.#listener = this.#transports.listener(tcpLine(0));
    const slow = () => (this.#random() < 0.1 ? 60 + this.#random() * 120 : 30);
    const slaves: SlaveSettings[] = [
      { unitId: 1, turnRoundMs: () => 5 },
      { unitId: 2, turnRoundMs: () => 5 + this.#random() * 25 },
      { unitId: 3, turnRoundMs: slow },
    ];
    this.#slaves = new SimulatedSlaves(this.clock, timing, slaves, (bytes) => {
      this.#peer?.write(bytes).catch(() => undefined);
    });
  }

  async run(): Promise<void> {
    await this.#listener.listen((peer) => {
      this.#peer = peer;
      peer.start({ onData: (chunk) => this.#slaves.hear(chunk), onClosed: () => undefined });
    });
    for (let count = 0; count < this.#plan.exchanges; count++) {
      if (!this.#isOpen) await this.#open();
      await this.#exchange();
    }
  }

  async #open(): Promise<void> {
    const line = this.#transports.connector(tcpLine(this.#listener.boundPort ?? 0));
    const health = new TestHealth();
    health.late = () => {
      this.tally.lates += 1;
    };
    const session = new LineSession({
      framing: rtuFraming,
      clock: this.clock,
      line,
      frames: { record: () => 1 },
      health,
      timing,
      timeoutMs: TIMEOUT_MS,
      requestGapMs: 0,
      turnAroundMs: 100,
      echo: 'unknown',
      tellingRequests: true,
      notice: () => undefined,
      slowestMs: () => 60,
    });
    // what the old connection still had on its way must not reach the new one
    await this.clock.advance(1000);
    await line.open(
      {
        onData: (chunk) => session.receive(chunk),
        onClosed: (cause) => {
          this.#isOpen = false;
          session.closed(cause);
        },
      },
      new AbortController().signal,
    );
    this.#isOpen = true;
    this.#session = session;
  }

  async #exchange(): Promise<void> {
    const { request, judge } = this.#choose();
    const since = this.clock.monotonicMs();
    let end: ExchangeEnd | null = null;
    const retries = this.#random() < 0.2 ? 1 : 0;
    void this.#session?.exchange(request, exchangeContext({ retries })).then((value) => {
      end = value;
    });
    // the longest way: a telling read and a repeat, each to its end, on a line that has to become silent first
    for (let waited = 0; end === null && waited < 6000; waited += 50) await this.clock.advance(50);
    const result = end as ExchangeEnd | null;
    if (result === null) throw new Error('an exchange without an end');
    if (result.kind === 'failed') {
      const { code } = result.error;
      if (!this.tally.codes.includes(code)) this.tally.codes.push(code);
    } else if (exceptionOf(result.pdu) !== 0) {
      this.tally.refusals += 1;
      expect(u16(request.pdu, 1)).toBeGreaterThanOrEqual(NO_ADDRESS_FROM - 20);
    } else judge(result.pdu, since);
  }

  #choose(): { request: SessionRequest; judge: (pdu: Uint8Array, since: number) => void } {
    const unitId = 1 + Math.floor(this.#random() * 4);
    const kind = this.#random();
    if (kind < 0.1) return this.#writeOne(unitId);
    if (kind < 0.15) return this.#writeMany(unitId);
    if (kind < 0.3) return this.#readBits(unitId);
    return this.#readRegisters(unitId);
  }

  #readRegisters(unitId: number) {
    // few lengths, so that answers look alike
    const quantity = 1 + Math.floor(this.#random() * 3);
    const isMissing = this.#random() < 0.03;
    const isWritable = !isMissing && this.#random() < 0.3;
    const start = isMissing ? NO_ADDRESS_FROM : (isWritable ? WRITABLE_FROM : 0) + Math.floor(this.#random() * 20);
    const request: SessionRequest = {
      unitId,
      pdu: encodeRead(3, start, quantity),
      check: (pdu) => {
        readAnswerData(pdu, 3, quantity);
      },
    };
    const judge = (pdu: Uint8Array, since: number) => {
      this.tally.values += 1;
      for (let at = 0; at < quantity; at++) {
        const value = u16(pdu, 2 + 2 * at);
        if (isWritable)
          mustBe(this.#slaves.heldSince(unitId, start + at, value, since), `unit ${unitId} register ${start + at} never held ${value}`);
        else mustBe(value === fixedRegister(unitId, start + at), `unit ${unitId} register ${start + at} is not ${value}`);
      }
    };
    return { request, judge };
  }

  #readBits(unitId: number) {
    const quantity = 9 + Math.floor(this.#random() * 20);
    const start = Math.floor(this.#random() * 100);
    const request: SessionRequest = {
      unitId,
      pdu: encodeRead(1, start, quantity),
      check: (pdu) => {
        readAnswerData(pdu, 1, quantity);
      },
    };
    const judge = (pdu: Uint8Array) => {
      this.tally.values += 1;
      for (let at = 0; at < quantity; at++) {
        mustBe(((u8(pdu, 2 + (at >> 3)) >> (at & 7)) & 1) === fixedBit(unitId, start + at), `unit ${unitId} coil ${start + at} is not so`);
      }
    };
    return { request, judge };
  }

  #writeOne(unitId: number) {
    this.#serial += 1;
    const address = WRITABLE_FROM + Math.floor(this.#random() * 5);
    const value = this.#serial & 0xffff;
    const pdu = encodeRequest({ functionCode: 6, address, value });
    const request: SessionRequest = { unitId, pdu, check: (answer) => expectEcho(pdu, answer) };
    const judge = () => {
      this.tally.confirmed += 1;
      expect(this.#slaves.carriedOut.get(`${unitId} ${address} ${value}`) ?? 0).toBeGreaterThan(0);
    };
    return { request, judge };
  }

  #writeMany(unitId: number) {
    this.#serial += 1;
    const start = WRITABLE_FROM + 5;
    const value = this.#serial & 0xffff;
    const pdu = encodeRequest({ functionCode: 16, start, quantity: 1, octets: Uint8Array.of(value >> 8, value & 0xff) });
    const request: SessionRequest = { unitId, pdu, check: (answer) => expectEcho(pdu, answer) };
    const judge = () => {
      this.tally.confirmed += 1;
      expect(this.#slaves.carriedOut.get(`${unitId} ${start} ${value}`) ?? 0).toBeGreaterThan(0);
    };
    return { request, judge };
  }
}

const out = { loss: 0.01, noise: 0.01, half: 0.005, duplicate: 0.01, split: 0.03, pieceGapMs: 2, glue: 0.01, glueMs: 3, jitterMs: 1 };
const incoming = { loss: 0.01, noise: 0.02, half: 0.01, duplicate: 0.01, split: 0.05, pieceGapMs: 5, glue: 0.02, glueMs: 10, jitterMs: 4 };

async function trial(plan: Plan): Promise<Tally> {
  const made = new Trial(plan);
  await made.run();
  return made.tally;
}

describe('RTU session over a line with every fault', () => {
  it.each<[string, LineFaults]>([
    ['answers up to one timeout late', { seed: 1, out, in: { ...incoming, late: 0.02, lateMs: 90 }, cut: 0.0005 }],
    ['a local echo', { seed: 2, out, in: { ...incoming, late: 0.02, lateMs: 60 }, echo: true, cut: 0.0005 }],
    ['answers up to eight timeouts late', { seed: 3, out, in: { ...incoming, late: 0.05, lateMs: 800 }, cut: 0.0005 }],
  ])('gives no value that was not the device’s, and ends every exchange: %s', { timeout: 240_000 * SCALE }, async (_name, faults) => {
    const exchanges = 10_000 * SCALE;
    const tally = await trial({ faults, exchanges });
    expect(tally.values / exchanges).toBeGreaterThan(0.3);
    expect(tally.confirmed / exchanges).toBeGreaterThan(0.03);
    expect(tally.refusals / exchanges).toBeGreaterThan(0.003);
    expect(tally.lates / exchanges).toBeGreaterThan(0.015);
    expect(tally.codes).toEqual(expect.arrayContaining(['TIMEOUT_RESPONSE', 'FRAME_CHECKSUM', 'FRAME_LENGTH', 'TRANSPORT_LOST']));
  });
});
