import type { ReadTaskConfig } from '#shared/contract/tasks.ts';
import { isSerial, isServing } from '#shared/domain/enums.ts';
import type { PointConfig, ProtocolDriver } from '../../drivers/spi/index.ts';
import type { RoundForecast } from '../../drivers/spi/line.ts';
import type { StoredChannel } from '../../persistence/repositories.ts';
import type { Clock } from '../../platform/clock.ts';
import { runInTurns, runSteps, type Steps } from '../../platform/steps.ts';
import type { DeviceLink } from '../connection/device-link.ts';
import type { LineStatistics } from '../logs/line-statistics.ts';
import { toDriverSettings } from '../settings.ts';
import { configsInTurns } from '../values/configs-in-turns.ts';
import type { PointStore } from '../values/point-table.ts';
import { selectPoints } from './point-selection.ts';
import { DEFAULT_CONFIG } from './task-config.ts';

/** A forecast is made anew after so long: turn-rounds change slowly, and status is asked once a second. */
const KEPT_MS = 30_000;
/** Points whose forecast takes some milliseconds at the most. */
const MOST_AT_ONCE = 5_000;

/** What a forecast needs to know about its channel. */
export interface ForecastChannel {
  readonly clock: Clock;
  readonly points: PointStore;
  readonly driver: ProtocolDriver;
  readonly settings: StoredChannel;
  readonly line: LineStatistics;
}

interface Kept<T> {
  readonly value: T;
  readonly madeAt: number;
  readonly configRevision: number;
  readonly settings: StoredChannel;
  /** Changes when the connection plans with other turn-rounds. */
  readonly planRevision: number | undefined;
}

/** What rounds of one channel would ask, from memory and without I/O; kept until points, settings or the plans of the connection change, 30 s at most. */
export class RoundForecasts {
  readonly #channel: ForecastChannel;
  readonly #link: () => DeviceLink | null;
  readonly #rounds = new Map<'batch' | 'single', Kept<RoundForecast | null>>();
  #idle: Kept<number | null> | null = null;

  constructor(channel: ForecastChannel, link: () => DeviceLink | null) {
    this.#channel = channel;
    this.#link = link;
  }

  /**
   * A round over all points that can be read, `breathe` between the steps of its making; null for a serving channel and where the protocol has
   * no forecast.
   */
  async round(mode: 'batch' | 'single', breathe: () => Promise<void>): Promise<RoundForecast | null> {
    const known = this.#current(this.#rounds.get(mode));
    if (known) return known.value;
    const kept = this.#keep<RoundForecast | null>(null);
    const points = await configsInTurns(this.#channel.points, breathe);
    const steps = this.#forecast(points, { ...DEFAULT_CONFIG, mode }, true);
    const made = { ...kept, value: steps && (await runInTurns(steps, breathe)) };
    this.#rounds.set(mode, made);
    return made.value;
  }

  /**
   * Time a round of this task needs, in milliseconds; null where the line is fast enough not to matter, and for large tables, whose first round
   * tells it.
   */
  predictedMs(config: ReadTaskConfig): number | null {
    const { settings, points } = this.#channel;
    if (!isSerial(settings.conn_type) || points.size > MOST_AT_ONCE) return null;
    const steps = this.#forecast(points.configs(), config, false);
    const forecast = steps && runSteps(steps);
    return forecast && withPauses(forecast.predictedMs, forecast.requests, config);
  }

  /** The same for the default configuration, for those who ask before a first task. */
  predictedIdleMs(): number | null {
    this.#idle = this.#current(this.#idle) ?? this.#keep(this.predictedMs(DEFAULT_CONFIG));
    return this.#idle.value;
  }

  #forecast(points: readonly PointConfig[], config: ReadTaskConfig, withLargerGaps: boolean): Steps<RoundForecast> | null {
    const { driver, settings, line } = this.#channel;
    if (!driver.forecast || isServing(settings.conn_type) || config.mode === 'dataset') return null;
    const { readable } = selectPoints(points, config, driver);
    const connection = this.#link()?.connection;
    const turnRoundMs = (slaveId: number) => connection?.turnRoundMs?.(slaveId) ?? line.turnRoundMs(slaveId);
    return driver.forecast(readable, toDriverSettings(settings, driver), { mode: config.mode, turnRoundMs, withLargerGaps });
  }

  get #planRevision(): number | undefined {
    return this.#link()?.connection.planRevision;
  }

  #keep<T>(value: T): Kept<T> {
    const { clock, points, settings } = this.#channel;
    return { value, madeAt: clock.monotonicMs(), configRevision: points.configRevision, settings, planRevision: this.#planRevision };
  }

  #current<T>(kept: Kept<T> | null | undefined): Kept<T> | null {
    const { clock, points, settings } = this.#channel;
    if (!kept || kept.configRevision !== points.configRevision || kept.settings !== settings) return null;
    if (kept.planRevision !== this.#planRevision) return null;
    return clock.monotonicMs() - kept.madeAt < KEPT_MS ? kept : null;
  }
}

/** Line time of a round with the pauses its task makes between requests; null stays null. */
export function withPauses(lineMs: number | null, requests: number, config: ReadTaskConfig): number | null {
  return lineMs === null ? null : lineMs + Math.max(0, requests - 1) * config.request_interval_ms;
}
