import type { DoctorNote } from '#shared/contract/jobs.ts';
import type { TableJob, TableJobBody } from '#shared/contract/table-job.ts';
import { say } from '#shared/messages/index.ts';
import type { TableSample } from '../../../drivers/spi/diagnostics.ts';
import type { PointConfig, PointReading, PointValue } from '../../../drivers/spi/index.ts';
import { type Clock, delay } from '../../../platform/clock.ts';
import { Turns } from '../../../platform/turns.ts';
import { toDriverSettings } from '../../../runtime/settings.ts';
import { unreadableError } from '../../../runtime/tasks/round-plan.ts';
import type { ChannelRuntime } from '../../../runtime/types.ts';
import { configsInTurns } from '../../../runtime/values/configs-in-turns.ts';
import { doctorNote } from '../doctor/verdicts.ts';
import type { JobWork } from '../job-board.ts';
import type { JobRecord } from '../job-record.ts';
import { type PassLine, type PassSink, passOver, SilentSlaves } from './table-pass.ts';
import { shownValue, type TableRecord, TableRecords } from './table-records.ts';
import { hintTypes } from './type-hints.ts';

/** Points that are looked at together by what the protocol knows of tables. */
const MOST_SAMPLES = 200;

/** The points of a table tried at their device: asked once, then watched. */
export class TableProbe implements JobWork<TableJob> {
  readonly #channel: ChannelRuntime;
  readonly #clock: Clock;
  readonly #request: TableJobBody;
  readonly #turns = new Turns();
  readonly #silent = new SilentSlaves();
  #records = new TableRecords([]);
  #notes: readonly DoctorNote[] = [];
  #requests = 0;
  #watchedMs = 0;

  constructor(channel: ChannelRuntime, clock: Clock, request: TableJobBody) {
    this.#channel = channel;
    this.#clock = clock;
    this.#request = request;
  }

  get channelName(): string {
    return this.#channel.settings.name;
  }

  get records(): TableRecords {
    return this.#records;
  }

  async run(job: JobRecord): Promise<void> {
    const { driver, points } = this.#channel;
    const { slave_ids: slaves, point_types: types, watch_s: watchS } = this.#request;
    const all = await configsInTurns(points, this.#turns.breathe);
    const chosen = all.filter(
      ({ slave_id, frame_type }) =>
        (slaves.length === 0 || slaves.includes(slave_id)) && (types.length === 0 || types.includes(frame_type)),
    );
    this.#records = new TableRecords(chosen);
    job.total = chosen.length + watchS;
    const readable: PointConfig[] = [];
    for (const point of chosen) {
      if (driver.isReadable(point)) readable.push(point);
      else this.#records.take({ kind: 'failure', pointId: point.id, error: unreadableError() });
    }
    job.current = chosen.length - readable.length;
    await this.#askOnce(readable, job);
    await this.#judge();
    if (watchS > 0) await this.#watch(job);
  }

  snapshot(job: JobRecord): TableJob {
    return {
      ...job.facts(),
      kind: 'table',
      points: this.#records.all.length,
      counts: this.#records.counts(),
      requests: this.#requests,
      watch_s: this.#request.watch_s,
      watched_ms: Math.round(this.#watchedMs),
      notes: [...this.#notes],
    };
  }

  async #askOnce(points: readonly PointConfig[], job: JobRecord): Promise<void> {
    const settled = new Set<number>();
    await this.#pass(points, job, (readings, isUnread) => {
      for (const reading of readings) {
        this.#records.take(reading, isUnread);
        settled.add(reading.pointId);
      }
      job.current = this.#records.all.length - points.length + settled.size;
    });
  }

  /** One look at points; what is read stands in the table of the channel as well, as if a round had read it. */
  async #pass(points: readonly PointConfig[], job: JobRecord, take: PassSink['take']): Promise<void> {
    const { points: table, driver } = this.#channel;
    const plannedAt = table.readingRevision;
    const line: PassLine = {
      ask: (exchange, signal) => this.#channel.diagnose(exchange, signal),
      breathe: this.#turns.breathe,
      signal: job.signal,
      isHalved: !driver.descriptor.reportsChanges,
    };
    const isPlain = driver.descriptor.reportsChanges !== true;
    await passOver(points, line, this.#silent, {
      begin: ({ slaveId, pointIds }) => {
        job.checkpoint();
        const params = { slave: slaveId ?? '', count: pointIds.length };
        job.activity = isPlain ? say('jobs.table_asking', params) : say('jobs.table_interrogating', params);
      },
      asking: () => {
        this.#requests += 1;
      },
      take: (readings, isUnread) => {
        table.apply(readings, this.#clock.wallMs(), plannedAt);
        take(readings, isUnread);
      },
    });
  }

  /** Suppositions about types, and what the answers look like together. */
  async #judge(): Promise<void> {
    const { driver, settings } = this.#channel;
    await hintTypes(this.#records.answering, driver, this.#turns.breathe);
    const differing = await this.#differingTypes();
    for (const [id, hint] of differing) {
      const record = this.#records.get(id);
      if (record) record.hint = hint;
    }
    const asked = this.#records.all.filter(({ outcome }) => outcome === 'answers' || outcome === 'refused');
    const step = Math.max(1, Math.floor(asked.length / MOST_SAMPLES));
    const samples = asked.filter((_, at) => at % step === 0).flatMap(sampleOf);
    const remarks = driver.diagnostics?.judgeTable(samples, toDriverSettings(settings, driver)) ?? [];
    // orders are told at each point
    this.#notes = remarks.filter(({ code }) => code !== 'TABLE_ORDER').map(({ code, params }) => doctorNote(code, params));
  }

  async #differingTypes() {
    const connection = await this.#channel.diagnose(async (standing) => standing, new AbortController().signal);
    return connection.differingTypes?.() ?? new Map();
  }

  async #watch(job: JobRecord): Promise<void> {
    const { watch_s: watchS, interval_ms: intervalMs } = this.#request;
    const base = this.#records.all.length;
    const began = this.#clock.monotonicMs();
    const end = began + watchS * 1000;
    for (const record of this.#records.answering) record.changed = false;
    const note = () => {
      this.#watchedMs = Math.min(watchS * 1000, this.#clock.monotonicMs() - began);
      job.current = base + Math.floor(this.#watchedMs / 1000);
    };
    for (let planned = began + intervalMs; ; planned = Math.max(planned + intervalMs, this.#clock.monotonicMs())) {
      const at = Math.min(planned, end);
      job.activity = say('jobs.table_watching', { seconds: Math.ceil((end - this.#clock.monotonicMs()) / 1000) });
      await delay(this.#clock, Math.max(0, at - this.#clock.monotonicMs()), job.signal);
      await this.#look(job, at >= end);
      note();
      if (at >= end) return;
    }
  }

  /** Looks at the points that have kept their values so far: at what came by itself where the device tells, and asks it at the end. */
  async #look(job: JobRecord, isLast: boolean): Promise<void> {
    const still = this.#records.answering.filter(({ changed }) => changed === false);
    if (still.length === 0) return;
    if (this.#channel.driver.descriptor.reportsChanges && !isLast) return this.#lookAtTable(still);
    await this.#pass(
      still.map(({ point }) => point),
      job,
      (readings) => {
        for (const reading of readings) this.#records.watch(reading);
      },
    );
  }

  async #lookAtTable(records: readonly TableRecord[]): Promise<void> {
    for (const [index, record] of records.entries()) {
      if (index % 500 === 0) await this.#turns.breathe();
      const state = this.#channel.points.state(record.point.id);
      if (!state || !record.value) continue;
      const { value } = shownValue(record.point, record.value);
      if (state.quality !== 'stale' && state.updatedAt !== null && state.value !== value) record.changed = true;
    }
  }
}

/** What the protocol is told of a point that was asked. */
function sampleOf({ point, value, error }: TableRecord): TableSample[] {
  const reading: PointReading | null = value ?? (error && { kind: 'failure', pointId: point.id, error });
  const shown = (other: PointValue) => {
    const { value: number, text } = shownValue(point, other);
    return text || String(Number(number.toPrecision(6)));
  };
  return reading ? [{ point, reading, shown }] : [];
}
