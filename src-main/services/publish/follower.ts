import { QUALITIES } from '#shared/domain/enums.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import { IdSet } from './id-set.ts';
import { LookMarks } from './look-marks.ts';
import type { AboutPoint, PublishedValue } from './record-queue.ts';
import { aboutPoint, isWantedDevice, isWantedPoint, type Wanted } from './wanted.ts';

/** Rows that are looked at before other work gets its turn. */
const ROWS_A_TURN = 5000;
/** Index of `never` in QUALITIES. */
const NEVER = 0;
/** Points whose words are kept, about 10 MiB. */
const MOST_KEPT = 50_000;

/** How far the table of a channel was looked at, and what is known of its points; null: not published. */
interface Followed {
  readonly marks: LookMarks;
  /** Behind which point the walk over the present values goes on; null: all of them were taken. */
  presentAfter: number | null;
  revision: number;
  name: string;
  about: Map<number, AboutPoint | null>;
  /** Points that had a value at some time: the other side may have it, so it is told when such a point is `never` again. */
  readonly read: IdSet;
}

/** Where found values go. */
export interface Intake {
  readonly room: number;
  add(item: PublishedValue): void;
}

/** Finds what is to be published: what changed since the last look, and the present values after each connection. */
export class Follower {
  readonly #which: Wanted;
  readonly #tellsUnread: boolean;
  readonly #channels = new Map<ChannelRuntime, Followed>();
  #kept = 0;
  #sequence = 0;

  /** `tellsUnread`: the present value of a point that was not read yet is told as well: that it has none. */
  constructor(which: Wanted, tellsUnread = false) {
    this.#which = which;
    this.#tellsUnread = tellsUnread;
  }

  /** Number of the newest value. */
  get sequence(): number {
    return this.#sequence;
  }

  /** From now on all present values are to be given, as there is room for them. */
  restart(): void {
    for (const followed of this.#channels.values()) followed.presentAfter = 0;
  }

  /** The other side is gone: what changes from now on waits for it, and the walk over the present values begins anew with the next connection. */
  pause(): void {
    for (const followed of this.#channels.values()) followed.presentAfter = null;
  }

  /**
   * Gives the queue what is behind the last look; what changes while it pauses once, at this look or at the next. `change`: the last one of the project before this look. `now`: UTC milliseconds. `withPresent`: the walk over the
   * present values goes on too, and only as far as there is room.
   */
  async look(
    channels: readonly ChannelRuntime[],
    { change, now, withPresent }: { readonly change: number; readonly now: number; readonly withPresent: boolean },
    queue: Intake,
    breathe: () => Promise<void>,
  ): Promise<void> {
    const there = new Set(channels);
    for (const [channel, { about }] of this.#channels) {
      if (there.has(channel)) continue;
      this.#kept -= about.size;
      this.#channels.delete(channel);
    }
    for (const channel of channels) {
      if (!isWantedDevice(channel.settings.name, this.#which)) continue;
      const isNew = !this.#channels.has(channel);
      const followed = this.#follow(channel, change, withPresent);
      if (isNew && !this.#tellsUnread) await this.#meet(channel, followed, breathe);
      // news go first: what the walk takes at this look is not news as well
      await this.#news(channel, followed, now, queue, breathe);
      if (withPresent) await this.#present(channel, followed, now, queue, breathe);
    }
  }

  async #news(channel: ChannelRuntime, followed: Followed, now: number, queue: Intake, breathe: () => Promise<void>): Promise<void> {
    const { points } = channel;
    const { marks } = followed;
    const { least } = marks;
    let afterId: number | null = points.lastChange > least ? 0 : null;
    while (afterId !== null) {
      const from: number = afterId;
      // what the walk over the present values has not come to, it will give as it is then
      const known = followed.presentAfter ?? Number.POSITIVE_INFINITY;
      afterId = points.visit(
        { afterId: from, rows: ROWS_A_TURN, change: least, readAt: Number.POSITIVE_INFINITY },
        (id, value, quality, at) => {
          if (id <= known && points.isChangedSince(id, marks.of(id))) this.#take(channel, followed, { id, value, quality, at, now }, queue);
        },
      );
      marks.set(from, afterId, points.lastChange);
      if (afterId !== null) await breathe();
    }
  }

  async #present(channel: ChannelRuntime, followed: Followed, now: number, queue: Intake, breathe: () => Promise<void>): Promise<void> {
    const { points } = channel;
    while (followed.presentAfter !== null && queue.room > 0) {
      const afterId = followed.presentAfter;
      const which = {
        afterId,
        rows: Math.min(ROWS_A_TURN, queue.room),
        change: Number.NEGATIVE_INFINITY,
        readAt: Number.POSITIVE_INFINITY,
      };
      followed.presentAfter = points.visit(which, (id, value, quality, updatedAt) =>
        this.#take(channel, followed, { id, value, quality, at: updatedAt, now }, queue),
      );
      followed.marks.set(afterId, followed.presentAfter, points.lastChange);
      if (followed.presentAfter !== null) await breathe();
    }
  }

  /** Enters which points have a value at the first look: a publisher before this one may have told it. */
  async #meet(channel: ChannelRuntime, followed: Followed, breathe: () => Promise<void>): Promise<void> {
    let afterId: number | null = 0;
    while (afterId !== null) {
      const which = { afterId, rows: ROWS_A_TURN, change: Number.NEGATIVE_INFINITY, readAt: Number.POSITIVE_INFINITY };
      afterId = channel.points.visit(which, (id, _value, quality) => {
        if (quality !== NEVER) followed.read.add(id);
      });
      if (afterId !== null) await breathe();
    }
  }

  #follow(channel: ChannelRuntime, change: number, withPresent: boolean): Followed {
    const { points, settings } = channel;
    let followed = this.#channels.get(channel);
    if (!followed) {
      const presentAfter = withPresent ? 0 : null;
      followed = {
        marks: new LookMarks(change),
        presentAfter,
        revision: points.configRevision,
        name: settings.name,
        about: new Map(),
        read: new IdSet(),
      };
      this.#channels.set(channel, followed);
    }
    // under another name the other side has nothing of it yet
    if (followed.name !== settings.name && withPresent) followed.presentAfter = 0;
    if (followed.revision !== points.configRevision || followed.name !== settings.name) {
      followed.revision = points.configRevision;
      followed.name = settings.name;
      this.#kept -= followed.about.size;
      followed.about = new Map();
    }
    return followed;
  }

  #take(
    channel: ChannelRuntime,
    followed: Followed,
    row: { readonly id: number; readonly value: number; readonly quality: number; readonly at: number; readonly now: number },
    queue: Intake,
  ): void {
    const isNever = row.quality === NEVER;
    if (isNever && !this.#tellsUnread && !followed.read.has(row.id)) return;
    const about = this.#about(channel, followed, row.id);
    if (!about) return;
    if (!isNever && !this.#tellsUnread) followed.read.add(row.id);
    this.#sequence += 1;
    queue.add({
      about,
      value: !isNever && Number.isFinite(row.value) ? row.value : null,
      quality: QUALITIES[row.quality] ?? 'invalid',
      at: Number.isFinite(row.at) ? row.at : row.now,
      sequence: this.#sequence,
    });
  }

  #about({ points, settings }: ChannelRuntime, followed: Followed, id: number): AboutPoint | null {
    const known = followed.about.get(id);
    if (known !== undefined) return known;
    if (this.#kept >= MOST_KEPT) {
      for (const other of this.#channels.values()) other.about = new Map();
      this.#kept = 0;
    }
    const point = points.config(id);
    const about = point && isWantedPoint(point, this.#which) ? aboutPoint(settings.name, point) : null;
    followed.about.set(id, about);
    this.#kept += 1;
    return about;
  }
}
