import type { ChannelStatus } from '#shared/domain/enums.ts';
import { asMessage, english, type Said, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { PointConfig, PointReading } from '../../drivers/spi/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ReadTask } from '../tasks/read-task.ts';
import type { PointStore } from '../values/point-table.ts';
import type { EventLog } from './event-log.ts';

const NO_POINT = { pointId: null, frameType: null, code: '', value: null, flags: [], deviceTime: null, detail: null } as const;

interface PointFace extends Pick<PointConfig, 'id' | 'frameType' | 'code'> {
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
  notice(said: Said): void {
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

  /** Changes that came by themselves, each with its time tag. */
  changes(points: PointStore, readings: readonly PointReading[]): void {
    const receivedAt = this.#clock.wallMs();
    for (const reading of readings) {
      const point = reading.kind === 'value' ? this.#face(points, reading.pointId) : undefined;
      if (reading.kind !== 'value' || !point) continue;
      this.#events.add({
        channelId: this.#channelId,
        kind: 'change',
        pointId: reading.pointId,
        frameType: point.frameType,
        code: point.code,
        value: reading.value,
        flags: reading.flags,
        deviceTime: reading.sourceTime,
        receivedAt,
        text: reading.valueText,
        said: null,
        detail: reading.detail ?? null,
      });
    }
  }

  /** What an entry shows of its point; a table makes its settings anew at each question. */
  #face(points: PointStore, id: number): PointFace | undefined {
    if (this.#facesRevision !== points.configRevision) {
      this.#faces.clear();
      this.#facesRevision = points.configRevision;
      this.#lastFace = null;
    }
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
    const face: PointFace = { id, frameType: point.frameType, code: point.code, following: null };
    this.#faces.set(id, face);
    return face;
  }

  #add(kind: 'channel' | 'task', said: Message): void {
    this.#events.add({ channelId: this.#channelId, kind, ...NO_POINT, receivedAt: this.#clock.wallMs(), text: english(said), said });
  }
}
