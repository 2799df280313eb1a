import { describe, expect, it } from 'vitest';
import { createRandom } from '../../platform/seeded-random.ts';
import { u8, u16 } from '../../protocol-kit/bytes.ts';
import { crc16 } from '../../protocol-kit/crc.ts';
import { addressOfNumber, decodeAddress, encodeAddress } from '../dlt645/codec/address.ts';
import { encodeFrame } from '../dlt645/codec/frame.ts';
import { Dlt645Framer, type ReceivedFrame } from '../dlt645/link/framer.ts';
import { lineTiming } from '../dlt645/link/line-time.ts';
import { MeterSession } from '../dlt645/link/session.ts';
import { readRequest } from '../dlt645/meter-request.ts';
import { testSettings as meterSettings } from '../dlt645/testing/bench.ts';
import { encodeRequest } from '../modbus/codec/request.ts';
import { exceptionOf, expectEcho } from '../modbus/codec/response.ts';
import { encodeRtu, rtuFraming } from '../modbus/rtu/framing.ts';
import { LineSession } from '../modbus/rtu/session.ts';
import { serialTiming } from '../modbus/rtu/timing.ts';
import type { DriverMemory } from '../spi/index.ts';
import { clientSettings } from '../testing/settings.ts';
import { exchangeContext, TestHealth } from '../testing/sinks.ts';
import { FAULTS, type Fault, FaultyDevice } from './testing/faulty-device.ts';
import { TrialClock } from './testing/trial-clock.ts';

const SCALE = Number(process.env.LOOPCHECK_SOAK ?? 1);
const COMMANDS = 5000;
/** The quiet time in front of a command is shorter than six of them, so late answers come behind it too. */
const TIMEOUT_MS = 1000;
const CONTEXT = exchangeContext();

type Outcome = 'accepted' | 'rejected' | 'unknown';

/** What a device made of each command, by the serial number it carries. */
class Book {
  readonly carriedOut = new Map<number, number>();
  readonly refused = new Set<number>();
  /** Commands whose answer did not come whole. */
  readonly unanswered = new Set<number>();

  #latest = 0;

  /** The answer to the command that came last is lost. */
  lose(): void {
    this.unanswered.add(this.#latest);
  }

  /** A command came; every fifth is refused. True when it was carried out. */
  take(serial: number): boolean {
    this.#latest = serial;
    if (serial % 5 === 0) {
      this.refused.add(serial);
      return false;
    }
    this.carriedOut.set(serial, (this.carriedOut.get(serial) ?? 0) + 1);
    return true;
  }
}

interface Master {
  receive(chunk: Uint8Array): void;
  command(serial: number): Promise<Outcome>;
}

interface Line {
  readonly octetMs: number;
  readonly gapMs: number;
  isCommand(request: Uint8Array): boolean;
  answer(request: Uint8Array, book: Book): { readonly unit: number; readonly bytes: Uint8Array } | null;
  open(clock: TrialClock, write: (bytes: Uint8Array) => void, random: () => number, memory: DriverMemory): Master;
}

const timing = serialTiming(clientSettings(), rtuFraming);

/** Writes of one register and of several: the confirmation of these carries no value. */
const rtu: Line = {
  octetMs: timing.octetMs,
  gapMs: timing.gapMs,
  isCommand: (request) => u8(request, 1) === 6 || u8(request, 1) === 16,
  answer(request, book) {
    const unit = u8(request, 0);
    if (request.length < 4 || crc16(request) !== 0) return null;
    const pdu = request.subarray(1, -2);
    const functionCode = u8(pdu, 0);
    if (functionCode === 8) return { unit, bytes: encodeRtu(unit, pdu) };
    if (functionCode === 3)
      return { unit, bytes: encodeRtu(unit, Uint8Array.from([3, 2 * u16(pdu, 3), ...new Uint8Array(2 * u16(pdu, 3))])) };
    const isDone = book.take(functionCode === 6 ? u16(pdu, 3) : u16(pdu, 6));
    return { unit, bytes: encodeRtu(unit, isDone ? pdu.slice(0, 5) : Uint8Array.of(functionCode | 0x80, 4)) };
  },
  open(clock, write, random, memory) {
    const session = new LineSession({
      framing: rtuFraming,
      clock,
      line: { write: async (bytes) => write(bytes) },
      frames: { record: () => 1 },
      health: new TestHealth(),
      timing,
      timeoutMs: TIMEOUT_MS,
      requestGapMs: 0,
      turnAroundMs: 100,
      echo: 'no',
      tellingRequests: random() < 0.7,
      notice: () => undefined,
      memory,
      slowestMs: () => 0.1 * TIMEOUT_MS,
    });
    return {
      receive: (chunk) => session.receive(chunk),
      async command(serial) {
        const octets = Uint8Array.of(serial >> 8, serial & 0xff);
        const isOne = random() < 0.4;
        const pdu = encodeRequest(
          isOne ? { functionCode: 6, address: 5, value: serial } : { functionCode: 16, start: 5, quantity: 1, octets },
        );
        const end = await session.exchange({ unitId: 1, pdu, check: (answer) => expectEcho(pdu, answer) }, CONTEXT);
        if (end.kind === 'failed') return 'unknown';
        return exceptionOf(end.pdu) === 0 ? 'accepted' : 'rejected';
      },
    };
  },
};

const METER = { slaveId: 11, address: addressOfNumber(11), edition: 2007 } as const;
const READS = [0x02010100, 0x02020100, 0x02030000].map((di) => readRequest(METER, di));

/** Control frames, whose confirmation carries nothing. */
const meters: Line = {
  octetMs: lineTiming(meterSettings).octetMs,
  gapMs: 0,
  isCommand: (request) => request[request.indexOf(0x68) + 8] === 0x1c,
  answer(octets, book) {
    const frame = new Dlt645Framer().push(octets).find((item): item is ReceivedFrame => item.kind === 'frame');
    if (!frame) return null;
    const unit = Number(decodeAddress(frame.address));
    const reply = (control: number, data: Uint8Array) => ({ unit, bytes: encodeFrame({ address: frame.address, control, data }) });
    if (frame.control === 0x11) return reply(0x91, Uint8Array.of(...frame.data, 0x05, 0x22));
    const isDone = book.take(u16(frame.data, 0));
    return isDone ? reply(frame.control | 0x80, new Uint8Array(0)) : reply(frame.control | 0xc0, Uint8Array.of(1));
  },
  open(clock, write, random, memory) {
    const hasReads = random() < 0.7;
    const session = new MeterSession({
      clock,
      line: { write: async (bytes) => write(bytes) },
      frames: { record: () => 1 },
      health: new TestHealth(),
      notice: () => undefined,
      timing: lineTiming(meterSettings),
      timeoutMs: TIMEOUT_MS,
      preambles: 4,
      tellingRequests: true,
      readsOf: () => (hasReads ? READS : []),
      memory,
      slowestMs: () => 0.1 * TIMEOUT_MS,
    });
    return {
      receive: (chunk) => session.receive(chunk),
      async command(serial) {
        const data = Uint8Array.of(serial >> 8, serial & 0xff);
        const request = { slaveId: 11, address: encodeAddress(METER.address), control: 0x1c, data, repeated: 0, sequence: null };
        const end = await session.exchange(request, CONTEXT);
        if (end.kind === 'failed') return 'unknown';
        return (end.frame.control & 0x40) === 0 ? 'accepted' : 'rejected';
      },
    };
  },
};

describe('commands to devices that are late, silent, half and double', () => {
  it.each([
    ['Modbus RTU', rtu, 1, 0],
    ['DL/T 645', meters, 2, 0],
    ['Modbus RTU on a line that is opened anew now and then', rtu, 3, 0.2],
    ['DL/T 645 on a line that is opened anew now and then', meters, 4, 0.2],
  ] as const)(
    'are carried out once at most, and have the outcome of that very command or none: %s',
    { timeout: 240_000 * SCALE },
    async (name, line, seed, reopenShare) => {
      const random = createRandom(seed);
      const tally = { accepted: 0, rejected: 0, unknown: 0 };
      const wrong: string[] = [];
      for (let sent = 0; sent < COMMANDS * SCALE; ) {
        const clock = new TrialClock();
        const book = new Book();
        const { octetMs, gapMs } = line;
        const device: FaultyDevice = new FaultyDevice({
          clock,
          random,
          timeoutMs: TIMEOUT_MS,
          octetMs,
          gapMs,
          latest: 6,
          hasEcho: false,
          answer: (request) => line.answer(request, book),
          onUnanswered: (request) => {
            if (line.isCommand(request)) book.lose();
          },
          deliver: (chunk) => master.receive(chunk),
        });
        const memory = new Map();
        const open = () => line.open(clock, (bytes) => device.hear(bytes), random, memory);
        let master = open();
        let hasDoubled = false;
        for (let serial = 1; serial <= 100; serial++, sent++) {
          // the first copy of all, together with a lost answer, cannot be told: faults are mixed once the line was seen to double
          const faults: readonly Fault[] = hasDoubled ? FAULTS : FAULTS.filter((fault) => fault !== 'mixed');
          if (serial % 4 === 1) device.fault = random() < 0.4 ? 'prompt' : (faults[Math.floor(random() * faults.length)] ?? 'late');
          if (reopenShare > 0 && random() < reopenShare) master = open();
          const outcome = await clock.finish(master.command(serial));
          tally[outcome] += 1;
          const times = book.carriedOut.get(serial) ?? 0;
          const isAnswered = !book.unanswered.has(serial);
          const isRight = outcome === 'unknown' || (isAnswered && (outcome === 'accepted' ? times === 1 : book.refused.has(serial)));
          if (!isRight || times > 1) wrong.push(`${serial} ${outcome}, carried out ${times} times, ${device.fault}`);
          if (device.fault === 'double' && !hasDoubled && serial % 4 === 0) {
            hasDoubled = true;
            await clock.advance(2 * TIMEOUT_MS);
          }
          if (random() < 0.3) await clock.advance(random() * 2 * TIMEOUT_MS);
        }
      }
      if (process.env.LOOPCHECK_TELL) console.log(name, JSON.stringify(tally));
      expect(wrong).toEqual([]);
      expect(tally.accepted).toBeGreaterThan(COMMANDS / 5);
      expect(tally.rejected).toBeGreaterThan(COMMANDS / 50);
      expect(tally.unknown).toBeGreaterThan(COMMANDS / 20);
    },
  );
});
