/** A line of meters and a foreign master, overheard: frames into the log, values into the table, commands into the events; nothing is ever sent. */
import { say } from '#shared/messages/index.ts';
import { HeardPoints, type Hearing, ListeningConnection } from '../../kit/listening-connection.ts';
import type { ClientIo, DriverConnection, PointConfig, PointReading } from '../../spi/index.ts';
import { readRefused } from '../client/refusal.ts';
import { decodeAddress, encodeAddress, isMeant } from '../codec/address.ts';
import { BadValue } from '../codec/bcd.ts';
import { carriesSecret, type Edition, functionNames, functionOf } from '../codec/control.ts';
import { START } from '../codec/frame.ts';
import { splitElements } from '../codec/items.ts';
import { Dlt645Framer, type FramerItem, type ReceivedFrame } from '../link/framer.ts';
import { lineTiming } from '../link/line-time.ts';
import { recordSelection } from '../load-records.ts';
import { type MeterPoint, meterPoint, readingOfElement, readingOfItem } from '../meter-point.ts';
import type { ChannelSettings } from '../settings.ts';
import { type HeardItems, heardItemsOf } from './heard-items.ts';
import { type HeardFromMeters, type HeardItem, type MeterDoubt, MeterPairing } from './pairing.ts';

/** Doubts are told by an event once in so many milliseconds. */
const DOUBTS_TOLD_MS = 60_000;
/** From the start of a frame to its control code. */
const CONTROL_AT = 8;
const DATA_AT = 10;

/** Brings up a connection that only listens. */
export function listenToMeters(io: ClientIo, protocol: ChannelSettings): DriverConnection {
  const heard = new HeardPoints();
  return new ListeningConnection(io, new MeterHearing(io, heard), heard, protocol.heard_limit_s);
}

class MeterHearing implements Hearing {
  readonly #io: ClientIo;
  readonly #heard: HeardPoints;
  readonly #framer = new Dlt645Framer();
  readonly #pairing: MeterPairing;
  readonly #silenceMs: number;
  readonly #unknown: HeardItems;
  readonly #doubts: Record<MeterDoubt, number> = { unasked: 0, late: 0, noise: 0 };
  #doubtsTold = Number.NEGATIVE_INFINITY;
  #lastOctetAt = Number.NEGATIVE_INFINITY;
  /** The points that an identifier of an edition has values for, by itself or as a block. */
  #byItem = new Map<string, MeterPoint[]>();
  #asked: { readonly frame: ReceivedFrame; readonly seq: number } | null = null;

  constructor(io: ClientIo, heard: HeardPoints) {
    this.#io = io;
    this.#heard = heard;
    this.#pairing = new MeterPairing(io.settings.timeoutMs);
    this.#silenceMs = lineTiming(io.settings).octetGapMs;
    this.#unknown = heardItemsOf(io.memory ?? new Map());
  }

  get deadline(): number | null {
    return this.#framer.buffered > 0 ? this.#lastOctetAt + this.#silenceMs : this.#pairing.deadline;
  }

  push(chunk: Uint8Array, now: number): void {
    this.passed(now);
    this.#lastOctetAt = now;
    this.#take(this.#framer.push(Uint8Array.from(chunk)), now);
  }

  passed(now: number): void {
    if (this.#framer.buffered > 0) {
      if (now - this.#lastOctetAt < this.#silenceMs) return;
      this.#take(this.#framer.silence(), now);
    }
    this.#tell(this.#pairing.passed(now), now);
  }

  pointsChanged(points: readonly PointConfig[]): void {
    this.#byItem = new Map();
    for (const point of points) {
      const meter = asMeterPoint(point);
      if (!meter) continue;
      const { edition } = meter.target;
      this.#add(keyOf(edition, point.address), meter);
      if (meter.block) this.#add(keyOf(edition, meter.block.blockDi), meter);
    }
    this.#unknown.serve((address, edition, di) => this.#pointsOf(address, edition, di).length > 0);
  }

  #add(key: string, meter: MeterPoint): void {
    const same = this.#byItem.get(key);
    if (same) same.push(meter);
    else this.#byItem.set(key, [meter]);
  }

  #pointsOf(address: Uint8Array, edition: Edition, di: number): MeterPoint[] {
    const all = this.#byItem.get(keyOf(edition, di)) ?? [];
    return all.filter(({ target }) => isMeant(encodeAddress(target.address), address));
  }

  #take(items: readonly FramerItem[], now: number): void {
    for (const item of items) {
      if (item.kind === 'frame') this.#tell(this.#pairing.take(item, now), now);
      else {
        this.#io.health.fault(item.fault);
        this.#io.frames.record({ kind: 'noise', bytes: withoutSecrets(item.bytes) });
        this.#tell(this.#pairing.noise(), now);
      }
    }
  }

  #tell(told: readonly HeardFromMeters[], now: number): void {
    for (const item of told) this.#tellOne(item, now);
  }

  #tellOne(item: HeardFromMeters, now: number): void {
    const { frames, health } = this.#io;
    switch (item.kind) {
      case 'request':
        this.#request(item);
        return;
      case 'answer': {
        const { frame, request, isRefusal, sentAt } = item;
        const link = this.#asked?.frame === request ? { link: this.#asked.seq } : {};
        frames.record({ kind: 'rx', bytes: frame.bytes, text: say('listen.answer'), ...link });
        const exchange = exchangeOf(request, frame, now - sentAt);
        health.response(Math.max(0, now - sentAt), exchange);
        if (isRefusal) health.refusal(exchange);
        return;
      }
      case 'stray':
        health.fault('protocol');
        frames.record({
          kind: 'late',
          bytes: item.frame.bytes,
          text: say('listen.meter_stray', { meter: decodeAddress(item.frame.address) }),
        });
        return;
      case 'unanswered':
        health.timeout(exchangeOf(item.request, null, 0));
        return;
      case 'doubt':
        this.#doubt(item.why, now);
        return;
      case 'refused':
        this.#refused(item.read, item.word);
        return;
      case 'value':
        this.#value(item.item, now);
    }
  }

  #request({ frame, isRepeated, isCommand }: Extract<HeardFromMeters, { kind: 'request' }>): void {
    const { frames, health, sink } = this.#io;
    const code = functionOf(frame.control);
    const words = {
      meter: decodeAddress(frame.address),
      function: functionNames(code) ?? say('dlt645frame.function', { code: code.toString(16).toUpperCase() }),
    };
    const text = say(isCommand ? 'listen.meter_command' : 'listen.meter_request', words);
    health.request();
    this.#asked = { frame, seq: frames.record({ kind: 'rx', bytes: frame.bytes, text }) };
    if (isCommand && !isRepeated) sink.notice(text);
  }

  #value(item: HeardItem, now: number): void {
    const { address, edition, di } = item;
    const readings = this.#pointsOf(address, edition, di).flatMap((meter) => readingOf(meter, item) ?? []);
    for (const reading of readings) if (reading.kind === 'value') this.#heard.heard(reading.pointId, now);
    if (readings.length > 0) this.#io.sink.values(readings, false);
    else this.#unknown.note(item, this.#io.clock.wallMs());
  }

  /** What a meter does not have; a block that is refused says nothing of its items. */
  #refused({ address, edition, di, selection }: Omit<HeardItem, 'data'>, word: number | null): void {
    const asked = this.#pointsOf(address, edition, di).filter((meter) => meter.point.address === di && isSameSelection(meter, selection));
    if (asked.length === 0) return;
    const error = readRefused({ address: decodeAddress(address), edition }, di, word);
    this.#io.sink.values(
      asked.map(({ point }): PointReading => ({ kind: 'failure', pointId: point.id, error })),
      false,
    );
  }

  #doubt(why: MeterDoubt, now: number): void {
    this.#doubts[why] += 1;
    if (now - this.#doubtsTold < DOUBTS_TOLD_MS) return;
    this.#doubtsTold = now;
    this.#io.sink.notice(say('listen.doubt', { ...this.#doubts, twoWays: 0 }));
  }
}

function keyOf(edition: Edition, di: number): string {
  return `${edition} ${di}`;
}

function asMeterPoint(point: PointConfig): MeterPoint | null {
  try {
    return meterPoint(point);
  } catch {
    // an identifier without a format: nothing can be made of its octets
    return null;
  }
}

/** What an answer says of a point; null where it is not about it. */
function readingOf(meter: MeterPoint, { di, selection, data }: HeardItem): PointReading | null {
  if (meter.point.address === di) return isSameSelection(meter, selection) ? readingOfItem(meter, data) : null;
  if (!meter.block || meter.block.blockDi !== di || selection.length > 0) return null;
  try {
    const element = splitElements(data, meter.format, null)[meter.block.index];
    return element ? readingOfElement(meter, element) : null;
  } catch (thrown) {
    if (thrown instanceof BadValue) return null;
    throw thrown;
  }
}

function isSameSelection({ point }: MeterPoint, selection: Uint8Array): boolean {
  const own = recordSelection(point);
  return own.length === selection.length && own.every((octet, at) => octet === selection[at]);
}

/** Octets that are no frame, with what stands behind a control code of a frame with a password hidden: half a frame has its secret as well. */
function withoutSecrets(bytes: Uint8Array): Uint8Array {
  for (let at = 0; at + CONTROL_AT < bytes.length; at++) {
    const isStart = bytes[at] === START && bytes[at + 7] === START;
    if (isStart && carriesSecret(functionOf(bytes[at + CONTROL_AT] ?? 0)))
      return Uint8Array.from(bytes).fill(0, Math.min(bytes.length, at + DATA_AT));
  }
  return bytes;
}

function exchangeOf(request: ReceivedFrame, answer: ReceivedFrame | null, durationMs: number) {
  const meter = Number(decodeAddress((answer ?? request).address));
  return {
    slaveId: Number.isSafeInteger(meter) ? meter : 0,
    functionCode: request.control,
    txOctets: request.bytes.length,
    rxOctets: answer?.bytes.length ?? 0,
    durationMs: Math.max(0, durationMs),
    turnRoundMs: null,
  };
}
