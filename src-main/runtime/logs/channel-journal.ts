import type { ChannelStatus } from '#shared/domain/enums.ts';
import { asMessage, english, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { Readings } from '../../drivers/spi/index.ts';
import { BLOCK_CAPACITY, BLOCK_STATE, ReadingBlock } from '../../drivers/spi/reading-block.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ReadTask } from '../tasks/read-task.ts';
import { engineeringNumber, engineeringText, engineeringValue, type ValueRule, valueRuleOf } from '../values/engineering-value.ts';
import type { PointStore } from '../values/point-table.ts';
import type { EventHead, EventLog } from './event-log.ts';
import type { NumberRun } from './event-record.ts';

const NO_POINT = { pointId: null, frameType: null, code: '' } as const;
const NO_VALUE = { value: null, flags: [], deviceTime: null, detail: null } as const;

interface PointFace {
  readonly id: number;
  readonly head: EventHead;
  readonly rule: ValueRule;
  /** The point whose change came behind a change of this one: devices send many in the same order again and again. */
  following: PointFace | null;
}

/** Enters what happens on one channel into the event log. */
export class ChannelJournal {
  readonly #channelId: number;
  readonly #events: EventLog;
  readonly #clock: Clock;
  readonly #faces = new Map<number, PointFace>();
  #facesRevision = -1;
  #lastFace: PointFace | null = null;
  /** Heads and engineering values of the block that is entered. */
  readonly #heads: EventHead[] = [];
  readonly #values = new Float64Array(BLOCK_CAPACITY);

  constructor(channelId: number, events: EventLog, clock: Clock) {
    this.#channelId = channelId;
    this.#events = events;
    this.#clock = clock;
  }

  /** A change of status, with its reason where there is one. */
  status(status: ChannelStatus, error: Message | null): void {
    const name = say(`runtime.status_${status}`);
    this.#add('channel', error === null ? name : say('runtime.status_because', { status: name, reason: error }));
  }

  /** Something the driver has to say. */
  notice(said: Message): void {
    this.#add('channel', asMessage(said));
  }

  /** A task has ended. */
  taskEnded(task: ReadTask): void {
    const { state, cycle_count, success, fail } = task.snapshot();
    const kind = say(`runtime.task_${task.kind}`);
    if (state === 'failed') this.#add('task', say('runtime.task_failed', { task: kind, reason: task.lastError ?? '' }));
    else if (task.kind === 'manual' && cycle_count > 0) this.#add('task', say('runtime.task_finished', { success, fail }));
    else this.#add('task', say('runtime.task_stopped', { task: kind }));
  }

  /** Changes that came by themselves, each with its time tag. `isNoValue`: they became no values of their points. */
  changes(points: PointStore, readings: Readings, isNoValue = false): void {
    const receivedAt = this.#clock.wallMs();
    if (readings instanceof ReadingBlock) {
      this.#blockChanges(points, readings, receivedAt, isNoValue);
      return;
    }
    this.#renew(points);
    for (const reading of readings) {
      const point = reading.kind === 'value' ? this.#face(points, reading.pointId) : undefined;
      if (reading.kind !== 'value' || !point) continue;
      const value = engineeringValue(point.rule, reading);
      this.#events.add(point.head, {
        value: Number.isFinite(value) ? value : null,
        flags: reading.flags,
        deviceTime: reading.sourceTime,
        receivedAt,
        text: engineeringText(point.rule, reading, value),
        said: null,
        detail: reading.detail ?? null,
        isNoValue,
        isInvalid: reading.quality === 'invalid' || !Number.isFinite(value),
        raw: reading.raw,
      });
    }
  }

  #blockChanges(points: PointStore, block: ReadingBlock, receivedAt: number, isNoValue: boolean): void {
    this.#renew(points);
    const heads = this.#heads;
    const values = this.#values;
    const run = { heads, values, block, receivedAt, isNoValue };
    /** Where a run of numbers begins that go into the log together. */
    let from = 0;
    for (let at = 0; at < block.length; at++) {
      const point = this.#face(points, block.pointId[at] as number);
      const isState = ((block.form[at] as number) & BLOCK_STATE) !== 0;
      const value = point ? engineeringNumber(point.rule, block.value[at] as number, isState) : Number.NaN;
      values[at] = value;
      if (point && Number.isFinite(value)) {
        heads[at] = point.head;
        continue;
      }
      this.#events.addNumbers(run, from, at);
      from = at + 1;
      if (point) this.#addNoNumber(point.head, String(value), run, at);
    }
    this.#events.addNumbers(run, from, block.length);
  }

  /** A change that brought NaN or an infinity. */
  #addNoNumber(head: EventHead, text: string, { block, receivedAt, isNoValue }: NumberRun, at: number): void {
    const { flags, sourceTime: deviceTime, detail = null, raw } = block.reading(at);
    this.#events.add(head, { value: null, flags, deviceTime, receivedAt, text, said: null, detail, isNoValue, isInvalid: true, raw });
  }

  /** Forgets the points of a table that has changed. */
  #renew(points: PointStore): void {
    if (this.#facesRevision === points.configRevision) return;
    this.#faces.clear();
    this.#facesRevision = points.configRevision;
    this.#lastFace = null;
  }

  /** What an entry shows of its point; a table makes its settings anew at each question. */
  #face(points: PointStore, id: number): PointFace | undefined {
    const last = this.#lastFace;
    const guess = last?.following;
    if (guess?.id === id) {
      this.#lastFace = guess;
      return guess;
    }
    const face = this.#faces.get(id) ?? this.#newFace(points, id);
    if (last && face) last.following = face;
    this.#lastFace = face ?? null;
    return face;
  }

  #newFace(points: PointStore, id: number): PointFace | undefined {
    const point = points.config(id);
    if (!point) return undefined;
    const { frame_type: frameType, code } = point;
    const head: EventHead = { channelId: this.#channelId, kind: 'change', pointId: id, frameType, code };
    const face: PointFace = { id, head, rule: valueRuleOf(point), following: null };
    this.#faces.set(id, face);
    return face;
  }

  #add(kind: 'channel' | 'task', said: Message): void {
    const body = { ...NO_VALUE, receivedAt: this.#clock.wallMs(), text: english(said), said };
    this.#events.add({ channelId: this.#channelId, kind, ...NO_POINT }, body);
  }
}
