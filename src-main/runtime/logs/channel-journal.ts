import type { ChannelStatus } from '#shared/domain/enums.ts';
import type { PointConfig, PointReading } from '../../drivers/spi/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ReadTask } from '../tasks/read-task.ts';
import type { PointStore } from '../values/point-table.ts';
import type { EventLog } from './event-log.ts';

const NO_POINT = { pointId: null, frameType: null, code: '', value: null, flags: [], deviceTime: null, detail: null } as const;

interface PointFace extends Pick<PointConfig, 'id' | 'frame_type' | 'code'> {
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
  status(status: ChannelStatus, error: string | null): void {
    this.#add('channel', error === null ? status : `${status}: ${error}`);
  }

  /** Something the driver has to say. */
  notice(text: string): void {
    this.#add('channel', text);
  }

  /** A task has ended. */
  taskEnded(task: ReadTask): void {
    const { state, cycle_count, success, fail } = task.snapshot();
    if (state === 'failed') this.#add('task', `${task.kind} read failed: ${task.lastError}`);
    else if (task.kind === 'manual' && cycle_count > 0) this.#add('task', `manual read finished: ${success} read, ${fail} failed`);
    else this.#add('task', `${task.kind} read stopped`);
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
        frameType: point.frame_type,
        code: point.code,
        value: reading.value,
        flags: reading.flags,
        deviceTime: reading.sourceTime,
        receivedAt,
        text: reading.valueText,
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
    const face: PointFace = { id, frame_type: point.frame_type, code: point.code, following: null };
    this.#faces.set(id, face);
    return face;
  }

  #add(kind: 'channel' | 'task', text: string): void {
    this.#events.add({ channelId: this.#channelId, kind, ...NO_POINT, receivedAt: this.#clock.wallMs(), text });
  }
}
