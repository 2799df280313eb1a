/** What protocols share that are listened to: a connection that never sends, and points that grow old when nobody reads them. */
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { CloseCause } from '../../transport/types.ts';
import type {
  ClientIo,
  DriverCommandResult,
  DriverConnection,
  PointConfig,
  PointFailure,
  PointsEdit,
  ReadAnswer,
  ReadPlan,
} from '../spi/index.ts';
import { DueTimer } from './due-timer.ts';
import { lostLine } from './line-end.ts';
import { PointList } from './point-list.ts';

/** Points whose age is looked at in one turn. */
const POINTS_A_TURN = 2_000;

/** How one protocol hears. */
export interface Hearing {
  /** When `passed` has to be called, in monotonic milliseconds; null: nothing waits for time. */
  readonly deadline: number | null;
  /** Octets came at `now`, in monotonic milliseconds. */
  push(chunk: Uint8Array, now: number): void;
  passed(now: number): void;
  pointsChanged(points: readonly PointConfig[]): void;
}

/** Values that were heard, by point, and when. */
export class HeardPoints {
  readonly #heardAt = new Map<number, number>();

  heard(pointId: number, now: number): void {
    // last heard, last in order: the oldest one is the first
    this.#heardAt.delete(pointId);
    this.#heardAt.set(pointId, now);
  }

  /** Points that were not heard since `before`, each told once, at most so many. */
  takeOlder(before: number, most: number): number[] {
    const older: number[] = [];
    for (const [pointId, at] of this.#heardAt) {
      if (at > before || older.length >= most) break;
      older.push(pointId);
    }
    for (const pointId of older) this.#heardAt.delete(pointId);
    return older;
  }

  /** When the oldest value was heard; null: there is none. */
  get oldest(): number | null {
    for (const at of this.#heardAt.values()) return at;
    return null;
  }

  keep(ids: ReadonlySet<number>): void {
    for (const id of this.#heardAt.keys()) if (!ids.has(id)) this.#heardAt.delete(id);
  }
}

/** A connection that sends nothing, whatever it is asked. */
export class ListeningConnection implements DriverConnection {
  readonly link = { kind: 'exchange' } as const;
  readonly dataSets = null;
  readonly #io: ClientIo;
  readonly #hearing: Hearing;
  readonly #points: PointList;
  readonly #heard: HeardPoints;
  readonly #limitMs: number;
  readonly #timer: DueTimer;

  constructor(io: ClientIo, hearing: Hearing, heard: HeardPoints, limitS: number) {
    this.#io = io;
    this.#hearing = hearing;
    this.#heard = heard;
    this.#limitMs = limitS * 1000;
    this.#points = new PointList(io.points);
    this.#timer = new DueTimer(io.clock, () => this.#due());
    hearing.pointsChanged(io.points);
    io.line.start({
      onData: (chunk) => {
        hearing.push(chunk, io.clock.monotonicMs());
        this.#arm();
      },
      onClosed: (cause) => this.#ended(cause),
    });
  }

  plan(points: readonly PointConfig[]): ReadPlan {
    const error = new AppError('STATE_CONFLICT', say('listen.not_asked'));
    return { batches: [], excluded: points.map(({ id }): PointFailure => ({ kind: 'failure', pointId: id, error })), predictedMs: null };
  }

  async read(): Promise<ReadAnswer> {
    throw new AppError('STATE_CONFLICT', say('listen.mute'));
  }

  async execute(): Promise<DriverCommandResult> {
    throw new AppError('STATE_CONFLICT', say('listen.mute'));
  }

  pointsChanged(points: readonly PointConfig[]): void {
    this.#points.replace(points);
    this.#tablesChanged();
  }

  pointsEdited(edit: PointsEdit): void {
    this.#points.edit(edit);
    this.#tablesChanged();
  }

  async close(): Promise<void> {
    this.#timer.dispose();
  }

  #tablesChanged(): void {
    const { all } = this.#points;
    this.#heard.keep(new Set(all.map(({ id }) => id)));
    this.#hearing.pointsChanged(all);
  }

  #due(): void {
    const now = this.#io.clock.monotonicMs();
    this.#hearing.passed(now);
    const older = this.#heard.takeOlder(now - this.#limitMs, POINTS_A_TURN);
    if (older.length > 0) {
      const error = new AppError('TIMEOUT_RESPONSE', say('listen.not_heard', { seconds: Math.round(this.#limitMs / 1000) }));
      this.#io.sink.values(
        older.map((pointId): PointFailure => ({ kind: 'failure', pointId, error })),
        false,
      );
    }
    this.#arm();
  }

  #arm(): void {
    const { oldest } = this.#heard;
    const ages = oldest === null ? null : oldest + this.#limitMs;
    const { deadline } = this.#hearing;
    if (deadline === null && ages === null) this.#timer.clear();
    else this.#timer.set(Math.min(deadline ?? Number.POSITIVE_INFINITY, ages ?? Number.POSITIVE_INFINITY));
  }

  #ended(cause: CloseCause): void {
    this.#timer.dispose();
    this.#io.sink.lost(lostLine(cause));
  }
}
