import type { RecordingSettings } from '#shared/contract/history.ts';
import { toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type {
  HistoryBatch,
  HistoryNews,
  HistoryQuery,
  HistoryStatus,
  HistoryStore,
  HistoryTimes,
  PointHistory,
} from '../../persistence/history-repositories.ts';
import type { ProjectStore } from '../../persistence/repositories.ts';
import type { CancelTimer, Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import { knownProjectId, projectId } from '../../platform/project-id.ts';
import { serially } from '../../platform/serially.ts';
import { Turns } from '../../platform/turns.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import type { ChangeCounter } from '../../runtime/values/change-counter.ts';
import { LiveCurves, ofMemory } from './live-curves.ts';
import { SampleBuffer } from './sample-buffer.ts';
import { readRecording, writeRecording } from './settings.ts';
import { Tape } from './tape.ts';
import { type HeldSample, Trigger } from './trigger.ts';

/** Keeps the recorded values of the project at this path, whose id it is. The file is opened by the first call. */
export type HistoryOpener = (project: string, id: string) => HistoryStore;

/** Time between two looks, in milliseconds. */
const LOOK_EVERY_MS = 50;
/** What is found is written after so long, in milliseconds: a kill loses no more. */
const WRITE_EVERY_MS = 1000;
/** After a failure the next attempt is made so much later, in milliseconds. */
const RETRY_MS = 10_000;
/** What is over the limits is removed so often, in milliseconds. */
const TIDY_EVERY_MS = 60_000;
/** Two looks that are further apart had a sleeping computer between them, in milliseconds: that is a gap. */
const BREAK_MS = 10_000;
/** Samples that wait for the file; 32 octets each. */
const MOST_WAITING = 500_000;
const DAY_MS = 86_400_000;

/** What it needs of the session and of the service. */
export interface RecorderParts {
  readonly store: Pick<ProjectStore, 'path' | 'settings'>;
  readonly channels: { list(): readonly ChannelRuntime[]; get(id: number): ChannelRuntime | undefined };
  readonly changes: ChangeCounter;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly newId: () => string;
  readonly openHistory: HistoryOpener;
  /** Enters something into the events of a channel. */
  readonly notice: (channelId: number, said: Message) => void;
}

/** What is wrong with recording. */
export interface RecorderTrouble {
  /** Why nothing is recorded now; null: it is, or need not be. */
  readonly suspended: Message | null;
  /** A file that was moved out of the way since the project was opened. */
  readonly aside: HistoryNews['aside'];
  /** What the clock of the computer means for what is kept. */
  readonly times: HistoryTimes;
}

const NOTHING_TOLD: HistoryTimes = { kept: null, ahead: null };

/**
 * Records values of the open project into the file beside it. Looks at the tables 20 times a second, and writes once a second. When the file cannot be
 * written, recording is suspended, what would have been recorded is counted as lost, and it is tried again every ten seconds; nothing else waits for it.
 */
export class Recorder {
  readonly #parts: RecorderParts;
  readonly #inTurn = serially();
  readonly #tapes = new Map<number, Tape>();
  /** Of the channels that are recorded around a condition. */
  readonly #triggers = new Map<number, Trigger>();
  /** Stretches that triggers recorded and the file does not have yet. */
  #ended: { readonly channel: number; readonly from: number; readonly to: number }[] = [];
  readonly #lost = new Map<number, number>();
  readonly #buffer = new SampleBuffer();
  /** Points that somebody looks at, of channels that are not recorded. */
  readonly #live = new LiveCurves();
  #history: HistoryStore | null = null;
  #timer: CancelTimer | null = null;
  #writing: Promise<void> | null = null;
  #lookedAt: number | null = null;
  #wroteAt = Number.NEGATIVE_INFINITY;
  #tidiedAt = Number.NEGATIVE_INFINITY;
  #suspended: { readonly said: Message; readonly retryAt: number } | null = null;
  #aside: HistoryNews['aside'] = null;
  #times = NOTHING_TOLD;
  #isClosed = false;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
    for (const channel of parts.channels.list()) this.#thread(channel.id);
    this.#start();
  }

  settings(channelId: number): RecordingSettings {
    return readRecording(this.#parts.store.settings, channelId);
  }

  /** Stores the settings of a channel, then lets them hold. Throws what keeps the project from being written. */
  async set(channelId: number, what: RecordingSettings): Promise<void> {
    if (what.mode !== 'off') projectId(this.#parts.store.settings, this.#parts.newId);
    await this.#inTurn(async () => {
      // what was found under the former settings, and the end of its span
      await this.#round(true);
      writeRecording(this.#parts.store.settings, channelId, what);
      this.#file(false);
      this.#thread(channelId);
      this.#tidiedAt = Number.NEGATIVE_INFINITY;
      await this.#round(true);
      if (this.#tapes.size === 0) this.#suspended = null;
    });
    this.#start();
  }

  /** What is kept, with what was found up to now; `failure` where the file does not tell. */
  async status(): Promise<HistoryStatus & { readonly file: string; readonly failure: Message | null }> {
    const history = await this.#upToDate();
    const file = history?.path ?? `${this.#parts.store.path}.history.db`;
    const nothing = { file, channels: [], octets: 0 };
    if (!history) return { ...nothing, failure: null };
    try {
      return { ...this.#noted(await history.status()), file, failure: null };
    } catch (thrown) {
      return { ...nothing, failure: toAppError(thrown).said };
    }
  }

  /** Values up to now: what was recorded, and of points whose channel is not recorded what is kept of them in memory since somebody asks. */
  async query(what: HistoryQuery): Promise<readonly PointHistory[]> {
    for (const { channel, point } of what.points) {
      const runtime = this.#parts.channels.get(channel);
      if (runtime && !this.#tapes.has(channel)) this.#live.watch(runtime, point, this.#parts.clock.wallMs());
    }
    this.#start();
    const history = await this.#upToDate();
    const points = what.points.map(({ channel, point }) => {
      const live = this.#live.within(point, what);
      return { channel, point, ...(live && { live }) };
    });
    if (history) return this.#noted(await history.query({ ...what, points })).points;
    const turns = new Turns();
    const answers: PointHistory[] = [];
    for (const { channel, point, live } of points) {
      answers.push(ofMemory(channel, point, live, what, what.maxPoints));
      await turns.breathe();
    }
    return answers;
  }

  /** Since when a point of a channel that is not recorded is kept in memory, UTC milliseconds; null: it is recorded, or was not asked for. */
  liveSince(channel: number, point: number): number | null {
    return this.#tapes.has(channel) ? null : (this.#live.of(point)?.spans[0]?.from ?? null);
  }

  lost(channelId: number): number {
    return this.#lost.get(channelId) ?? 0;
  }

  trouble(): RecorderTrouble {
    return { suspended: this.#suspended?.said ?? null, aside: this.#aside, times: this.#times };
  }

  /** Writes the last values, and closes the file. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#timer?.();
    await this.#inTurn(() => this.#round(true));
    await this.#history?.close();
  }

  async #upToDate(): Promise<HistoryStore | null> {
    await this.#inTurn(() => this.#round(true));
    return this.#file(false);
  }

  #thread(channelId: number): void {
    const channel = this.#parts.channels.get(channelId);
    const settings = this.settings(channelId);
    this.#endTrigger(channelId);
    if (!channel || settings.mode === 'off') {
      this.#tapes.delete(channelId);
      return;
    }
    this.#tapes.set(channelId, new Tape(channel, settings));
    if (settings.mode !== 'trigger') return;
    const tableOf = (name: string) => this.#parts.channels.list().find((one) => one.settings.name === name)?.points;
    const { trigger: formula, before_s, after_s } = settings;
    this.#triggers.set(channelId, new Trigger(channel, tableOf, { formula, beforeMs: 1000 * before_s, afterMs: 1000 * after_s }));
  }

  /** What it recorded is still to be written. */
  #endTrigger(channelId: number): void {
    const trigger = this.#triggers.get(channelId);
    if (!trigger) return;
    trigger.restart();
    const isLost = this.#suspended !== null;
    if (!isLost) for (const span of trigger.spans(0)) this.#ended.push({ channel: channelId, ...span });
    this.#triggers.delete(channelId);
  }

  #start(): void {
    if (this.#isClosed || this.#timer || (this.#tapes.size === 0 && this.#live.isEmpty)) return;
    this.#timer = this.#parts.clock.after(LOOK_EVERY_MS, () => void this.#tick());
  }

  async #tick(): Promise<void> {
    try {
      await this.#inTurn(() => this.#round(false));
    } catch (error) {
      this.#parts.logger.error({ err: error }, 'recording met an internal fault');
    } finally {
      this.#timer = null;
      this.#start();
    }
  }

  /** Looks, and writes when it is time, or at once and to the end with `isNow`. */
  async #round(isNow: boolean): Promise<void> {
    const { clock } = this.#parts;
    await this.#look();
    if (isNow) await this.#writing;
    const monotonic = clock.monotonicMs();
    if (!isNow && monotonic - this.#wroteAt < WRITE_EVERY_MS) return;
    if (this.#suspended && (isNow || monotonic < this.#suspended.retryAt)) this.#lose();
    else if (!this.#writing) {
      this.#wroteAt = monotonic;
      this.#writing = this.#write(monotonic).finally(() => {
        this.#writing = null;
      });
      if (isNow) await this.#writing;
    } else if (this.#buffer.count > MOST_WAITING) this.#suspend(say('history.overrun'));
  }

  async #look(): Promise<void> {
    const { clock, channels, changes } = this.#parts;
    const now = clock.wallMs();
    if (this.#lookedAt !== null && (now < this.#lookedAt || now - this.#lookedAt > BREAK_MS)) {
      this.#restart();
      this.#live.restart(now);
    }
    this.#lookedAt = now;
    this.#live.look(now, changes.last, ({ id }) => this.#tapes.has(id));
    const { breathe } = new Turns('behind');
    for (const [id, tape] of this.#tapes) {
      if (channels.get(id) !== tape.channel) {
        this.#endTrigger(id);
        this.#tapes.delete(id);
        if (this.#tapes.size === 0) this.#suspended = null;
        continue;
      }
      const trigger = this.#triggers.get(id);
      const add = (...sample: HeldSample) => this.#buffer.add(id, ...sample);
      await tape.look(now, changes.last, trigger ? (...sample) => trigger.hold(...sample) : add, breathe);
      if (!trigger) continue;
      if (trigger.judge(now)) this.#parts.notice(id, say('history.triggered', { trigger: tape.settings.trigger }));
      for (const sample of trigger.release(now)) add(...sample);
    }
  }

  /** Between what was and what comes is a break. */
  #restart(): void {
    for (const tape of this.#tapes.values()) tape.restart();
    for (const trigger of this.#triggers.values()) trigger.restart();
  }

  /** Everything is recorded anew from the next look on. The stretches that triggers had begun are not told: their samples are lost. */
  #beginAnew(): void {
    this.#restart();
    for (const trigger of this.#triggers.values()) trigger.spans(0);
  }

  /** Stretches that are recorded up to now; a channel with a trigger has those of its trigger. */
  #spans(now: number, isAnew: boolean) {
    const ended = this.#ended;
    this.#ended = [];
    const spans = [...this.#tapes].flatMap(([channel, { since }]) => {
      const trigger = this.#triggers.get(channel);
      if (trigger) return isAnew ? [] : trigger.spans(now).map((span) => ({ channel, ...span }));
      return since === null ? [] : [{ channel, from: isAnew ? now : since, to: now }];
    });
    return [...ended, ...spans];
  }

  async #write(monotonic: number): Promise<void> {
    const wasSuspended = this.#suspended !== null;
    if (wasSuspended) this.#lose();
    const batches = this.#buffer.take();
    const now = this.#lookedAt ?? 0;
    const spans = this.#spans(now, wasSuspended);
    // a suspended file is tried also where nothing is to be recorded: the next that is must not be lost
    if (!wasSuspended && spans.length === 0 && batches.length === 0)
      return this.#tapes.size > 0 || this.#history ? this.#tidy(monotonic) : undefined;
    try {
      const history = this.#file(true);
      if (!history) return;
      this.#noted(await history.append({ batches, spans, now }));
      // also where too much came during this write
      if (this.#suspended) this.#beginAnew();
      this.#suspended = null;
    } catch (thrown) {
      this.#count(batches);
      this.#suspend(toAppError(thrown).said);
      return;
    }
    await this.#tidy(monotonic);
  }

  async #tidy(monotonic: number): Promise<void> {
    if (monotonic - this.#tidiedAt < TIDY_EVERY_MS) return;
    this.#tidiedAt = monotonic;
    try {
      await this.#removeOver();
    } catch (error) {
      this.#parts.logger.warn({ err: error }, 'recorded values over the limits were not removed');
    }
  }

  async #removeOver(): Promise<void> {
    const ids = this.#parts.channels.list().map(({ id }) => id);
    const limits = ids.map((channel) => {
      const { retention_days, max_mb } = this.settings(channel);
      return { channel, keepMs: retention_days * DAY_MS, maxOctets: max_mb * 1024 * 1024 };
    });
    const history = this.#file(false);
    if (!history) return;
    const { kept, ahead } = this.#noted(await history.tidy(limits, ids, this.#parts.clock.wallMs()));
    this.#times = { kept, ahead };
  }

  #suspend(said: Message): void {
    if (!this.#suspended) this.#parts.logger.warn({ said }, 'recording is suspended');
    this.#suspended = { said, retryAt: this.#parts.clock.monotonicMs() + RETRY_MS };
    this.#lose();
  }

  #lose(): void {
    this.#count(this.#buffer.take());
    this.#ended = [];
  }

  #count(batches: readonly HistoryBatch[]): void {
    for (const { channel, at } of batches) this.#lost.set(channel, this.lost(channel) + at.length);
  }

  #noted<News extends HistoryNews>(news: News): News {
    // the new file knows nothing yet
    if (news.aside || news.isAnew) this.#restart();
    if (news.aside) {
      this.#aside = news.aside;
      this.#parts.logger.warn({ ...news.aside }, 'a file of recorded values lies aside');
    }
    return news;
  }

  /** The file; null: nothing was ever recorded, and nothing is to be. */
  #file(isNeeded: boolean): HistoryStore | null {
    const { settings } = this.#parts.store;
    const id = isNeeded ? projectId(settings, this.#parts.newId) : knownProjectId(settings);
    if (id === null) return null;
    if (this.#history) return this.#history;
    const history = this.#parts.openHistory(this.#parts.store.path, id);
    if (!isNeeded && !history.exists()) return null;
    this.#history = history;
    return history;
  }
}
