/** What a station sends about its objects: turned into values of points, and passed on in the order of arrival. */
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { Clock } from '../../../platform/clock.ts';
import { ReadingRun, type RunKind } from '../../kit/reading-run.ts';
import type { DriverSink, ReadingDetail } from '../../spi/index.ts';
import { BLOCK_INVALID, BLOCK_OCTETS, BLOCK_STATE, littleEndian } from '../../spi/reading-block.ts';
import type { AsduView } from '../codec/asdu.ts';
import { Cause } from '../codec/causes.ts';
import { ObjectCursor } from '../codec/cursor.ts';
import type { TimeTag } from '../codec/time-tags.ts';
import { typeText } from '../codec/types.ts';
import { isSameKind } from '../point-types.ts';
import { flagBitsOf, Quality } from '../quality.ts';
import { commonDetail, detailOf, isLive } from '../reading-detail.ts';
import { type TimeRules, tagToUtc } from '../time.ts';
import { type ObjectReading, plainNumber, readingOf, type ValueForm, valueForm } from '../values.ts';
import type { EventMemory } from './event-memory.ts';
import type { MonitoredPoint, PointIndex } from './point-index.ts';
import type { UnknownObjects } from './unknown-objects.ts';

/** Takes the values of the points it was made for, the latest of each. */
export class Collector {
  #wanted: ReadonlySet<number>;
  readonly readings = new Map<number, ObjectReading>();

  constructor(pointIds: readonly number[]) {
    this.#wanted = new Set(pointIds);
  }

  wants(pointId: number): boolean {
    return this.#wanted.has(pointId);
  }

  /** Nobody waits for it any more: hands over what it has and takes nothing further. */
  release(): ObjectReading[] {
    this.#wanted = new Set();
    const readings = [...this.readings.values()];
    this.readings.clear();
    return readings;
  }
}

export interface IntakeOptions {
  readonly clock: Clock;
  readonly sink: DriverSink;
  readonly index: PointIndex;
  readonly unknown: UnknownObjects;
  readonly memory: EventMemory;
  readonly rules: TimeRules;
  /** Changes without time tag are values only, their twin with time tag is the event. */
  readonly isDoubled: boolean;
}

/** Objects of which is told that they come as another type than the table says; further ones are only noted, and of more than these nothing. */
const MOST_NOTICES = 20;
const MOST_DIFFERING = 10_000;

export class Intake {
  readonly #options: IntakeOptions;
  readonly #cursor = new ObjectCursor();
  readonly #collectors = new Set<Collector>();
  readonly #differing = new Map<number, Message>();
  readonly #run: ReadingRun;

  constructor(options: IntakeOptions) {
    this.#options = options;
    this.#run = new ReadingRun(options.sink);
  }

  /** Points whose objects came as another type than the table says. */
  get differing(): ReadonlyMap<number, Message> {
    return this.#differing;
  }

  /** From now on a collector gets the later values of the points it has, whatever brings them. */
  attach(collector: Collector): void {
    this.#collectors.add(collector);
  }

  /** What it has is passed on by its owner. */
  detach(collector: Collector): void {
    this.#collectors.delete(collector);
  }

  /** Passes on what has come, as one batch. */
  flush(): void {
    this.#run.flush();
  }

  /**
   * Takes the objects of a checked ASDU in monitor direction; those that `target` wants go there and not to the sink. What is no live data goes
   * to the event log alone: its point keeps the value it has.
   */
  take(view: AsduView, target: Collector | null): void {
    const { index, unknown, clock, rules } = this.#options;
    const points = index.of(view.commonAddress);
    const isChange = isChangeCause(view.cause);
    const isTimed = view.type?.time != null;
    const isLogged = isChange && (isTimed || !this.#options.isDoubled);
    const cursor = this.#cursor.open(view);
    const form = valueForm(view.type?.element.kind);
    const isData = isLive(view);
    const common = commonDetail(view);
    const isFree = common !== null && target === null && this.#collectors.size === 0 && cursor.elementLength <= BLOCK_OCTETS;
    let guess: MonitoredPoint | null | undefined;
    while (cursor.next()) {
      const point: MonitoredPoint | undefined = guess?.address === cursor.address ? guess : points.get(cursor.address);
      let sourceTime: number | null = null;
      let tag: TimeTag | null = null;
      if (isTimed) {
        tag = cursor.time();
        if (tag && !tag.isInvalid) sourceTime = tagToUtc(tag, clock.wallMs(), rules);
      }
      if (!point) {
        if (isData) unknown.note(view, cursor, sourceTime, clock.wallMs());
        continue;
      }
      guess = point.following;
      if (point.typeId !== view.typeId) this.#checkType(point, view, cursor.address);
      const kind = isData ? isLogged && !this.#isRepeated(view, cursor, sourceTime) : 'only';
      const hasInvalidTime = tag !== null && sourceTime === null;
      const detail = common !== null && !hasInvalidTime ? common : detailOf(view, cursor, hasInvalidTime ? tag : null);
      const isPlain = isFree && detail === common;
      for (let next: MonitoredPoint | null = point; next; next = next.next) {
        if (isPlain && this.#put(next, view, sourceTime, form, kind, detail)) continue;
        this.#pass(readingOf(next, cursor, view, sourceTime, form, detail), kind, target);
      }
    }
  }

  #isRepeated(view: AsduView, cursor: ObjectCursor, sourceTime: number | null): boolean {
    if (sourceTime === null) return false;
    return this.#options.memory.isRepeated(view.commonAddress, cursor.address, view.typeId, sourceTime, cursor.value);
  }

  #pass(reading: ObjectReading, kind: RunKind, target: Collector | null): void {
    if (kind !== 'only') {
      if (target?.wants(reading.pointId)) {
        target.readings.set(reading.pointId, reading);
        return;
      }
      if (this.#collectors.size > 0) this.#renew(reading);
    }
    this.#run.push(reading, kind);
  }

  /** Puts the current object into the block; false where it is more than a number. */
  #put(point: MonitoredPoint, view: AsduView, sourceTime: number | null, form: ValueForm, kind: RunKind, detail: ReadingDetail): boolean {
    const cursor = this.#cursor;
    const value = form === 'plain' && point.bit < 0 ? cursor.value : plainNumber(point, cursor, view, form);
    if (value === null) return false;
    const block = this.#run.room(detail, kind);
    const { octets } = view;
    const { quality, elementAt: from, elementLength: size } = cursor;
    const at = block.length;
    block.length = at + 1;
    block.pointId[at] = point.id;
    block.value[at] = value;
    block.form[at] = (point.isSignal ? BLOCK_STATE : 0) | ((quality & Quality.invalid) === 0 ? 0 : BLOCK_INVALID);
    block.flags[at] = flagBitsOf(quality, view.isTest);
    block.sourceTime[at] = sourceTime ?? Number.NaN;
    block.rawLow[at] = littleEndian(octets, from, size);
    block.rawHigh[at] = size > 4 ? littleEndian(octets, from + 4, size - 4) : 0;
    block.rawLength[at] = size;
    return true;
  }

  /** What an interrogation has brought is out of date as soon as something newer comes. */
  #renew(reading: ObjectReading): void {
    for (const { readings } of this.#collectors) if (readings.has(reading.pointId)) readings.set(reading.pointId, reading);
  }

  #checkType(point: MonitoredPoint, view: AsduView, address: number): void {
    if (isSameKind(point.typeId, view.typeId) || this.#differing.has(point.id) || this.#differing.size >= MOST_DIFFERING) return;
    const types = { came: typeText(view.typeId), type: typeText(point.typeId) };
    const said = say('iec104.type_differs', { object: address, address: view.commonAddress, ...types });
    this.#differing.set(point.id, said);
    if (this.#differing.size <= MOST_NOTICES) this.#options.sink.notice(said);
  }
}

/** Causes of a change: spontaneous, or the return information of a command. */
function isChangeCause(cause: number): boolean {
  return cause === Cause.spontaneous || cause === Cause.returnRemote || cause === Cause.returnLocal;
}
