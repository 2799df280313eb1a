import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { CancelTimer, Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import { Turns } from '../../platform/turns.ts';
import type { ProjectSession, ServiceDeps } from '../ports.ts';
import { message, messagesOf, missedOf, type Sources, type Stretch, unknownPlace } from './messages.ts';
import { type Place, placeOf, placeText, presentPlace } from './place.ts';
import { StreamReader } from './reader.ts';
import { StateWatch } from './state-watch.ts';
import type { StreamSink } from './stream-answer.ts';
import type { StreamFilter } from './stream-filter.ts';
import { ValueTexts } from './value-texts.ts';

/** Time between two looks, in milliseconds. */
export const TICK_MS = 50;
/** Channels and tasks are looked at with every so many looks. */
const LOOKS_A_STATE = 4;
/** A sign of life comes when nothing else was written for so long, in milliseconds. */
const QUIET_MS = 15_000;
/** A reader that takes nothing for so long is disconnected, in milliseconds. */
const STUCK_MS = 60_000;
/** Readers at the same time. */
export const MOST_READERS = 100;

/** How a reader begins. */
export interface Beginning {
  /** A place or a revision as the reader gave it, `all`, or undefined for from now on. */
  readonly since: string | undefined;
  /** What the first event says beside the place. */
  readonly hello: Readonly<Record<string, unknown>>;
}

/** What the stream has done since the service began. */
export interface StreamCounts {
  readonly readers: number;
  /** Times that a reader was told that it missed something. */
  readonly missed: number;
  /** Readers that were disconnected because they took nothing. */
  readonly disconnected: number;
}

/** The open project as the stream sees it. */
interface Watched extends Sources {
  stopEnding(): void;
}

/**
 * Tells the readers of the stream what happens. Nothing is queued for them: each has its place, and what lies behind it is looked up in the tables, the
 * event log and the journals. Readers at one place with one filter are told by the same octets. What a reader has not taken yet is one message at most,
 * beside what the system holds.
 */
export class LiveHub {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #readers = new Set<StreamReader>();
  readonly #texts = new ValueTexts();
  #watched: Watched | null = null;
  #timer: CancelTimer | null = null;
  #looks = 0;
  #missed = 0;
  #disconnected = 0;

  constructor({ clock, logger }: Pick<ServiceDeps, 'clock' | 'logger'>) {
    this.#clock = clock;
    this.#logger = logger;
  }

  counts(): StreamCounts {
    return { readers: this.#readers.size, missed: this.#missed, disconnected: this.#disconnected };
  }

  /** Throws `STATE_BUSY` when there are as many readers as may be. */
  requireRoom(): void {
    if (this.#readers.size >= MOST_READERS) throw new AppError('STATE_BUSY', say('live.too_many_readers', { most: MOST_READERS }));
  }

  /** Takes a reader in, with a filter of the open project. */
  join(session: ProjectSession, filter: StreamFilter, sink: StreamSink, { since, hello }: Beginning): void {
    const sources = this.#watch(session);
    const present = presentPlace(session);
    const isAll = since === 'all';
    const known = since === undefined || isAll ? null : placeOf(session, since);
    const place: Place = isAll ? { change: 0, event: present.event } : (known ?? present);
    const now = this.#clock.monotonicMs();
    const reader = new StreamReader(sink, filter, { place, isAll, now });
    this.#readers.add(reader);
    sink.onClosed(() => this.#forget(reader));
    const first = { project_session: session.id, place: placeText(session, place), ...hello };
    let text = message('hello', JSON.stringify(first), isAll ? undefined : placeText(session, place));
    if (since !== undefined && !isAll && known === null) {
      text += message('missed', JSON.stringify(unknownPlace(session, filter, place)));
      this.#missed += 1;
    }
    reader.write(Buffer.from(text), now);
    sources.watch.look();
    this.#start();
  }

  /** Ends all readers in order. */
  endAll(reason: 'project_left' | 'service_stops'): void {
    const text = Buffer.from(message('ended', JSON.stringify({ reason })));
    for (const reader of this.#readers) {
      reader.write(text, this.#clock.monotonicMs());
      this.#forget(reader);
      reader.end();
    }
  }

  #watch(session: ProjectSession): Watched {
    if (this.#watched?.session === session) return this.#watched;
    this.#watched?.stopEnding();
    const stopEnding = session.endings.add(async () => this.endAll('project_left'));
    this.#watched = { session, watch: new StateWatch(session), texts: this.#texts, stopEnding };
    return this.#watched;
  }

  #forget(reader: StreamReader): void {
    reader.isClosed = true;
    this.#readers.delete(reader);
    if (this.#readers.size > 0) return;
    this.#watched?.stopEnding();
    this.#watched = null;
  }

  #start(): void {
    this.#timer ??= this.#clock.after(TICK_MS, () => void this.#tick());
  }

  async #tick(): Promise<void> {
    try {
      await this.#look();
    } catch (error) {
      this.#logger.error({ err: error }, 'the stream of events met an internal fault');
    } finally {
      this.#timer = null;
      if (this.#readers.size > 0) this.#start();
    }
  }

  async #look(): Promise<void> {
    const watched = this.#watched;
    if (!watched) return;
    this.#looks += 1;
    if (this.#looks % LOOKS_A_STATE === 0) watched.watch.look();
    const present = presentPlace(watched.session);
    const groups = new Map<string, StreamReader[]>();
    for (const reader of this.#readers) {
      if (this.#isWaitedFor(watched.session, reader, present)) continue;
      const { place, filter } = reader;
      const key = reader.isFirst ? reader : `${place.change} ${place.event} ${filter.key}`;
      const group = typeof key === 'string' ? groups.get(key) : undefined;
      if (group) group.push(reader);
      else groups.set(typeof key === 'string' ? key : `first ${groups.size}`, [reader]);
    }
    await Promise.all([...groups.values()].map((readers) => this.#tellTogether(watched, readers, present)));
  }

  /** True for a reader that gets nothing at this look: it has all, or has not taken what it got. */
  #isWaitedFor(session: ProjectSession, reader: StreamReader, present: Place): boolean {
    const now = this.#clock.monotonicMs();
    const hasAll = !reader.isFirst && reader.place.change === present.change && reader.place.event === present.event;
    if (reader.isFull || reader.isBusy) {
      if (reader.isFull && !hasAll && !reader.isBusy) reader.isSlow = true;
      if (reader.fullSince !== null && now - reader.fullSince >= STUCK_MS) this.#disconnect(reader);
      return true;
    }
    if (now - reader.writtenAt >= QUIET_MS) reader.write(Buffer.from(`id: ${placeText(session, reader.place)}\n: \n\n`), now);
    return hasAll;
  }

  #disconnect(reader: StreamReader): void {
    this.#disconnected += 1;
    this.#forget(reader);
    reader.destroy();
  }

  /** Tells readers at one place the same; one that is full in the midst of it is told from there on by itself, as it takes it. */
  async #tellTogether(sources: Watched, readers: readonly StreamReader[], to: Place): Promise<void> {
    const [first] = readers;
    if (!first) return;
    if (readers.length === 1 || first.isSlow) {
      for (const reader of readers) void this.#tellAlone(sources, reader, to);
      return;
    }
    const stretch = stretchOf(first, to);
    const taking = new Set(readers);
    for (const reader of taking) reader.isBusy = true;
    try {
      const turns = new Turns();
      const missed = missedOf(sources, first.filter, stretch, false);
      if (missed) {
        this.#missed += readers.length;
        for (const reader of readers) reader.write(Buffer.from(message('missed', JSON.stringify(missed))), this.#clock.monotonicMs());
      }
      for (const text of messagesOf(sources, first.filter, stretch)) {
        const octets = Buffer.from(text);
        for (const reader of taking) {
          if (reader.isFull) {
            taking.delete(reader);
            reader.isSlow = true;
            void this.#tellAlone(sources, reader);
          } else reader.write(octets, this.#clock.monotonicMs());
        }
        if (taking.size === 0) return;
        await turns.breathe();
      }
    } catch (error) {
      this.#logger.error({ err: error }, 'readers of the stream were left because of an internal fault');
      for (const reader of taking) this.#disconnect(reader);
      return;
    }
    for (const reader of taking) arrive(reader, stretch);
  }

  /** Tells one reader what it has not got yet, as it takes it. */
  async #tellAlone(sources: Watched, reader: StreamReader, upTo?: Place): Promise<void> {
    reader.isBusy = true;
    try {
      await reader.drained();
      const stretch = stretchOf(reader, upTo ?? presentPlace(sources.session));
      const missed = missedOf(sources, reader.filter, stretch, reader.isSlow);
      const turns = new Turns();
      if (missed) {
        this.#missed += 1;
        reader.write(Buffer.from(message('missed', JSON.stringify(missed))), this.#clock.monotonicMs());
      }
      for (const text of messagesOf(sources, reader.filter, stretch)) {
        await reader.drained();
        if (reader.isClosed || this.#watched !== sources) return;
        reader.write(Buffer.from(text), this.#clock.monotonicMs());
        await turns.breathe();
      }
      arrive(reader, stretch);
      reader.isSlow = false;
    } catch (error) {
      this.#logger.error({ err: error }, 'a reader of the stream was left because of an internal fault');
      this.#disconnect(reader);
    } finally {
      reader.isBusy = false;
    }
  }
}

function stretchOf({ place, isFirst, isAll }: StreamReader, to: Place): Stretch {
  return { from: place, to, isFirst, isAll };
}

/** The reader has all of a stretch. */
function arrive(reader: StreamReader, { to }: Stretch): void {
  reader.place = to;
  reader.isFirst = false;
  reader.isAll = false;
  reader.isBusy = false;
}
