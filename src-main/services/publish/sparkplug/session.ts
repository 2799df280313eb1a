import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { type Clock, delay } from '../../../platform/clock.ts';
import { Turns } from '../../../platform/turns.ts';
import type { BrokerLink } from '../../../transport/types.ts';
import type { PresentPoint, PublishedDevice, PublishedTable } from '../published-table.ts';
import type { AboutPoint, PublishedValue } from '../record-queue.ts';
import { topicLevel } from '../topic-level.ts';
import { KIND_NAMES } from '../value-json.ts';
import { DataType, encodeMetric, encodePayload, type Metric, REBIRTH } from './payload.ts';

/** A device is told dead when its line is down for so long, in milliseconds: what was found before has been sent then. */
const DOWN_MS = 1000;
/** Least time between two births of the node, in milliseconds: whoever asks for more gets no more. */
const BIRTHS_MS = 1000;
/** Metrics that are encoded before other work gets its turn. */
const METRICS_A_TURN = 1000;
/** `seq` is an octet. */
const SEQUENCES = 256;

/** Where the messages of a node go. */
export interface NodeNames {
  readonly group: string;
  readonly node: string;
}

/** What a host knows of a metric: its last value. */
interface Told {
  readonly alias: number;
  readonly type: Metric['type'];
  at: number;
  value: Metric['value'];
  quality: PublishedValue['quality'];
}

interface Device {
  readonly mark: string;
  /** By kind and code. */
  readonly metrics: Map<string, Told>;
  /** Monotonic milliseconds; null: its line stands. */
  downSince: number | null;
}

export interface SparkplugParts {
  readonly link: Pick<BrokerLink, 'publish'>;
  readonly clock: Clock;
  readonly table: Pick<PublishedTable, 'devices' | 'points'>;
  readonly names: NodeNames;
  readonly bdSeq: number;
  /** Called when something could not be sent that nobody waits for. */
  readonly onFault: (thrown: unknown) => void;
}

/** Topic of a message of a node, or of one of its devices (Sparkplug 3.0, 4.1). */
export function nodeTopic({ group, node }: NodeNames, type: string, device?: string): string {
  return ['spBv1.0', group, type, node, ...(device === undefined ? [] : [topicLevel(device)])].join('/');
}

/** Payload of NDEATH, which is the will of the connection (Sparkplug 3.0, 6.4.21): `bdSeq` alone. */
export function deathPayload(bdSeq: number, now: number): Uint8Array {
  return encodePayload(now, [encodeMetric(bdSeqMetric(bdSeq, now))]);
}

function bdSeqMetric(bdSeq: number, now: number): Metric {
  return { name: 'bdSeq', timestamp: now, type: DataType.int64, value: bdSeq };
}

/**
 * An edge node on one connection (Sparkplug 3.0, 5): its births, its data and its death, one after the other with `seq` between them. Channels are its
 * devices, points their metrics. A device whose table changed is born anew, one whose line is down is told dead.
 */
export class SparkplugSession {
  readonly #parts: SparkplugParts;
  readonly #devices = new Map<string, Device>();
  readonly #end = new AbortController();
  #seq = 0;
  #last: Promise<unknown> = Promise.resolve();
  /** Births and deaths are on their way: what is otherwise than it was told is looked at behind them. */
  #isTelling = false;
  #isRebirthAsked = false;
  #bornAt = Number.NEGATIVE_INFINITY;

  constructor(parts: SparkplugParts) {
    this.#parts = parts;
  }

  /** The births of node and devices. */
  begin(): Promise<void> {
    return this.#inTurn(() => this.#bear());
  }

  /** Births anew, under the same `bdSeq`. What is under way goes before, what comes waits for it. */
  rebirth(): void {
    if (this.#isRebirthAsked) return;
    this.#isRebirthAsked = true;
    this.#tell(async () => {
      const { clock } = this.#parts;
      await delay(clock, this.#bornAt + BIRTHS_MS - clock.monotonicMs(), this.#end.signal);
      this.#isRebirthAsked = false;
      await this.#bear();
    });
  }

  /** Sees which devices are otherwise than they were told. */
  look(): void {
    if (this.#isTelling) return;
    const due = this.#due();
    if (due.born.length + due.dead.length === 0) return;
    this.#tell(async () => {
      for (const name of due.dead) await this.#die(name);
      for (const device of due.born) await this.#bearDevice(device);
    });
  }

  /** DDATA of each device. Values of a device that is not there are refused. */
  send(values: readonly PublishedValue[]): Promise<'taken' | { readonly refused: number }> {
    return this.#inTurn(() => this.#data(values));
  }

  /** NDEATH; nothing follows it. */
  async end(): Promise<void> {
    if (this.#end.signal.aborted) return;
    this.#end.abort();
    const { link, clock, names, bdSeq } = this.#parts;
    const payload = deathPayload(bdSeq, clock.wallMs());
    await link.publish({ topic: nodeTopic(names, 'NDEATH'), payload, qos: 1, retain: false });
  }

  #due(): { readonly born: PublishedDevice[]; readonly dead: string[] } {
    const now = this.#parts.clock.monotonicMs();
    const there = new Map(this.#parts.table.devices().map((device) => [device.name, device]));
    const dead: string[] = [];
    for (const [name, device] of this.#devices) {
      const isUp = there.get(name)?.isUp === true;
      device.downSince = isUp ? null : (device.downSince ?? now);
      if (!there.has(name) || (device.downSince !== null && now - device.downSince >= DOWN_MS)) dead.push(name);
    }
    const born = [...there.values()].filter(({ name, mark, isUp }) => isUp && this.#devices.get(name)?.mark !== mark);
    return { born, dead };
  }

  async #bear(): Promise<void> {
    const { clock, names, table, bdSeq } = this.#parts;
    const now = clock.wallMs();
    this.#bornAt = clock.monotonicMs();
    this.#devices.clear();
    this.#seq = 0;
    const rebirth: Metric = { name: REBIRTH, timestamp: now, type: DataType.boolean, value: false };
    await this.#publish(nodeTopic(names, 'NBIRTH'), [bdSeqMetric(bdSeq, now), rebirth].map(encodeMetric));
    for (const device of table.devices()) if (device.isUp) await this.#bearDevice(device);
  }

  async #bearDevice({ name, mark }: PublishedDevice): Promise<void> {
    const { clock, names, table } = this.#parts;
    const { breathe } = new Turns('behind');
    const points = await table.points(name, breathe);
    if (points.length === 0) await this.#die(name);
    const now = clock.wallMs();
    // Sparkplug 3.0, 5.15: values stand in the order of their times
    points.sort((one, other) => (one.at ?? now) - (other.at ?? now));
    const metrics = new Map<string, Told>();
    const encoded: Uint8Array[] = [];
    for (const [index, point] of points.entries()) {
      const told = toldOf(point, now);
      const { name: description, unit } = point.about;
      const { at: timestamp, ...said } = told;
      metrics.set(metricName(point.about), told);
      encoded.push(encodeMetric({ ...said, name: metricName(point.about), timestamp, unit, description }));
      if (index % METRICS_A_TURN === 0) await breathe();
    }
    if (points.length > 0) await this.#publish(nodeTopic(names, 'DBIRTH', name), encoded);
    this.#devices.set(name, { mark, metrics, downSince: null });
  }

  async #die(name: string): Promise<void> {
    const device = this.#devices.get(name);
    this.#devices.delete(name);
    if (device && device.metrics.size > 0) await this.#publish(nodeTopic(this.#parts.names, 'DDEATH', name), []);
  }

  async #data(values: readonly PublishedValue[]): Promise<'taken' | { readonly refused: number }> {
    const { names, clock } = this.#parts;
    let refused = 0;
    const byDevice = new Map<string, PublishedValue[]>();
    for (const value of values) {
      const { device } = value.about;
      // what an absent device would say of itself is said by its death
      if (!this.#devices.has(device)) refused += value.quality === 'good' ? 1 : 0;
      else if (byDevice.get(device)?.push(value) === undefined) byDevice.set(device, [value]);
    }
    const now = clock.wallMs();
    for (const [name, ofDevice] of byDevice) {
      const metrics = this.#devices.get(name)?.metrics;
      const inOrder = ofDevice.toSorted((one, other) => one.at - other.at);
      const news = inOrder.flatMap((value) => dataOf(metrics?.get(metricName(value.about)), value, now) ?? []);
      if (news.length > 0) await this.#publish(nodeTopic(names, 'DDATA', name), news.map(encodeMetric));
    }
    return refused === 0 ? 'taken' : { refused };
  }

  async #publish(topic: string, metrics: readonly Uint8Array[]): Promise<void> {
    const { link, clock } = this.#parts;
    if (this.#end.signal.aborted) throw new AppError('CANCELLED', say('common.cancelled'));
    const payload = encodePayload(clock.wallMs(), metrics, this.#seq);
    this.#seq = (this.#seq + 1) % SEQUENCES;
    await link.publish({ topic, payload, qos: 0, retain: false });
  }

  #inTurn<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const run = this.#last.then(work);
    this.#last = run.catch(() => {});
    return run;
  }

  #tell(work: () => Promise<void>): void {
    this.#isTelling = true;
    const run = this.#inTurn(async () => {
      this.#isTelling = true;
      await work();
      this.#isTelling = false;
    });
    run.catch((thrown: unknown) => {
      if (!this.#end.signal.aborted) this.#parts.onFault(thrown);
    });
  }
}

/** `YC/code`: a folder for each kind of points. Codes stand once in a device. */
function metricName({ frameType, code }: AboutPoint): string {
  return `${KIND_NAMES[frameType]}/${code}`;
}

function toldOf({ id, isTwoState, value, quality, at }: PresentPoint, now: number): Told {
  const type = isTwoState ? DataType.boolean : DataType.double;
  return { alias: id, type, at: at ?? now, ...stateOf(type, quality === 'never' ? null : value, quality) };
}

/** A state that is neither 0 nor 1, such as a breaker between its ends, is no Boolean. */
function stateOf(type: Metric['type'], value: number | null, quality: PublishedValue['quality']): Pick<Told, 'value' | 'quality'> {
  if (type !== DataType.boolean || value === null) return { value, quality };
  return value === 0 || value === 1 ? { value: value === 1, quality } : { value: null, quality: 'invalid' };
}

/** What a host does not know yet; null: it knows it, or the metric is gone. */
function dataOf(told: Told | undefined, { value: given, quality: found, at }: PublishedValue, now: number): Metric | null {
  if (!told) return null;
  const { alias, type } = told;
  const { value, quality } = stateOf(type, given, found);
  if (at === told.at && value === told.value && quality === told.quality) return null;
  // a clock that was set back makes nothing old
  const isHistorical = at < told.at && told.at <= now;
  if (isHistorical) return { alias, timestamp: at, type, value, isHistorical, quality };
  const isQualityNew = quality !== 'good' || quality !== told.quality;
  Object.assign(told, { at, value, quality });
  return { alias, timestamp: at, type, value, ...(isQualityNew && { quality }) };
}
