/** DL/T 645 as the trial of the asking protocols runs it: single items, blocks, and blocks in follow-up frames. */
import { ConnType } from '#shared/domain/enums.ts';
import { concatBytes } from '../../../protocol-kit/bytes.ts';
import type { Question, TrialMaster, TrialScheme } from '../../kit/testing/asking-trial.ts';
import type { PointConfig, PointReading, ReadBatch } from '../../spi/index.ts';
import { TestHealth } from '../../testing/sinks.ts';
import { Dlt645Client } from '../client/client.ts';
import { decodeAddress } from '../codec/address.ts';
import { functionOf } from '../codec/control.ts';
import { encodeFrame } from '../codec/frame.ts';
import { Dlt645Framer, type ReceivedFrame } from '../link/framer.ts';
import { lineTiming } from '../link/line-time.ts';
import { channelSettings } from '../settings.ts';
import { pointsOf, testSettings } from './bench.ts';

const METERS = [11, 12];
/** Data octets of one part of an answer. */
const PART = 8;
const NO_BYTES = new Uint8Array(0);

/** Items by edition, and the block that has them all as its elements. */
const ITEMS = {
  2007: { items: [0x02010100, 0x02010200, 0x02010300], size: 2, factor: 0.1, block: (di: number) => (di & 0xff00) === 0xff00 },
  1997: { items: [0x9010, 0x9011, 0x9012, 0x9013, 0x9014], size: 4, factor: 0.01, block: (di: number) => (di & 0xf) === 0xf },
} as const;

/** What an item of a meter holds: digits of its own. */
function digits(meter: number, di: number, size: number): number {
  return (Math.imul((di ^ (di >>> 8)) + 1, 40_503) + meter * 9973 + 123_457) % (size === 2 ? 9973 : 9_999_991);
}

function bcd(value: number, size: number): Uint8Array {
  const text = String(Math.abs(value)).padStart(2 * size, '0');
  return Uint8Array.from({ length: size }, (_, at) => Number.parseInt(text.slice(2 * (size - 1 - at), 2 * (size - at)), 16));
}

/** A meter with the follow-up frames it has begun. */
class Meters {
  readonly #edition: 2007 | 1997;
  readonly #rest = new Map<number, { di: Uint8Array; data: Uint8Array }>();

  constructor(edition: 2007 | 1997) {
    this.#edition = edition;
  }

  answer(octets: Uint8Array): { unit: number; bytes: Uint8Array } | null {
    const frame = new Dlt645Framer().push(octets).find((item): item is ReceivedFrame => item.kind === 'frame');
    if (!frame || (frame.control & 0x80) !== 0) return null;
    const unit = Number(decodeAddress(frame.address));
    if (!METERS.includes(unit)) return null;
    return { unit, bytes: encodeFrame({ address: frame.address, ...this.#data(unit, frame) }) };
  }

  #data(unit: number, { control, data }: ReceivedFrame): { control: number; data: Uint8Array } {
    const isNew = this.#edition === 2007;
    const isNext = functionOf(control) === (isNew ? 0x12 : 0x02);
    const di = data.slice(0, isNew ? 4 : 2);
    if (!isNext) return this.#part(unit, control, di, this.#value(unit, di), null);
    const sequence = isNew ? (data.at(-1) ?? 0) : null;
    const whole = this.#value(unit, di);
    const left = this.#rest.get(unit);
    const rest = sequence === null ? (left && String(left.di) === String(di) ? left.data : NO_BYTES) : whole.subarray(PART * sequence);
    if (rest.length === 0) return { control: control | 0xc0, data: Uint8Array.of(2) };
    return this.#part(unit, control, di, rest, sequence);
  }

  #part(unit: number, control: number, di: Uint8Array, rest: Uint8Array, sequence: number | null): { control: number; data: Uint8Array } {
    this.#rest.set(unit, { di, data: rest.slice(PART) });
    const more = rest.length > PART ? 0x20 : 0;
    const data = concatBytes(di, rest.subarray(0, PART), sequence === null ? NO_BYTES : Uint8Array.of(sequence));
    return { control: control | 0x80 | more, data };
  }

  #value(unit: number, octets: Uint8Array): Uint8Array {
    const { items, size, block } = ITEMS[this.#edition];
    const di = octets.reduceRight((sum, octet) => sum * 256 + octet, 0);
    return concatBytes(...(block(di) ? items : [di]).map((item) => bcd(digits(unit, item, size), size)));
  }
}

/** A block of the old edition that breaks off, and its items one by one behind it: requests of 16 octets, answers of 22, a tenth of a second each. */
function chainMs(octetMs: number): number {
  const exchanges = 3 + ITEMS[1997].items.length;
  return exchanges * ((16 + 22) * octetMs + 100 + 20);
}

/** Options as in `TrialScheme`. */
export function meterScheme(edition: 2007 | 1997, { hasEcho = false, reopens = false } = {}): TrialScheme {
  const { items, size, factor } = ITEMS[edition];
  const timing = lineTiming(testSettings);
  const points = pointsOf(
    METERS.flatMap((slave_id) => items.map((address) => ({ address, slave_id, protocol: edition === 2007 ? {} : { edition } }))),
  );
  const meters = new Meters(edition);
  return {
    units: METERS,
    isTold: true,
    shapes: ['single', 'batch'],
    octetMs: timing.octetMs,
    gapMs: 0,
    hasEcho,
    reopens,
    ...(edition === 1997 ? { questionMs: chainMs(timing.octetMs) } : {}),
    open({ clock, timeoutMs, write, frames }): TrialMaster {
      const events: { onData: (chunk: Uint8Array) => void } = { onData: () => undefined };
      const memory = new Map();
      const open = () =>
        new Dlt645Client({
          clock,
          settings: { ...testSettings, connType: ConnType.rtuMaster, timeoutMs, protocol: channelSettings.parse({}) },
          points,
          sink: { values: () => undefined, notice: () => undefined, lost: () => undefined },
          frames,
          health: new TestHealth(),
          memory,
          line: {
            label: 'trial',
            write: async (bytes) => write(bytes),
            start: ({ onData }) => {
              events.onData = onData;
            },
            close: async () => undefined,
          },
        });
      let client = open();
      return {
        receive: (chunk) => events.onData(chunk),
        reopen: () => {
          void client.close();
          client = open();
        },
        question: (shape, random, unit) =>
          question(
            client,
            points.filter(({ slave_id: slaveId }) => unit === undefined || slaveId === unit),
            shape === 'batch' ? 'batch' : 'single',
            random,
          ),
      };
    },
    unitOf: (request) => Number(decodeAddress(request.subarray(request.indexOf(0x68) + 1, request.indexOf(0x68) + 7))),
    answer: (request) => meters.answer(request),
  };

  function question(client: Dlt645Client, all: readonly PointConfig[], mode: 'batch' | 'single', random: () => number): Question {
    const { batches } = client.plan(all, { mode, skipKnownHoles: false });
    const batch = batches[Math.floor(random() * batches.length)];
    if (!batch) throw new Error('Nothing is planned.');
    return {
      unit: batch.slaveId ?? 0,
      async run(context, _timeoutMs, onValue) {
        const readings: PointReading[] = [];
        for (const batches = [batch as ReadBatch]; batches.length > 0; ) {
          const answer = await client.read(batches.shift() ?? batch, context).catch(() => null);
          if (answer?.readings.some(({ kind }) => kind === 'value')) onValue();
          readings.push(...(answer?.readings ?? []));
          batches.push(...(answer?.next ?? []));
        }
        let end: 'right' | 'none' = 'none';
        for (const reading of readings) {
          const point = all.find(({ id }) => id === reading.pointId);
          if (reading.kind !== 'value' || reading.quality !== 'good' || !point) continue;
          end = 'right';
          if (Math.abs(Number(reading.value) - digits(point.slave_id, point.address, size) * factor) > factor / 10) return 'wrong';
        }
        return end;
      },
    };
  }
}
