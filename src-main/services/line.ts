import type { LineFigures, LineSlaveUse, LineStats } from '#shared/contract/line.ts';
import { isSerial } from '#shared/domain/enums.ts';
import { invalidField } from '#shared/domain/errors.ts';
import { bitsPerOctet } from '#shared/domain/serial.ts';
import { say } from '#shared/messages/index.ts';
import type { GapRound } from '../drivers/spi/line.ts';
import type { StoredChannel } from '../persistence/repositories.ts';
import { Turns } from '../platform/turns.ts';
import { LatencyHistogram } from '../runtime/logs/latency-histogram.ts';
import type { Comparisons, FunctionUse } from '../runtime/logs/line-statistics.ts';
import type { ChannelRuntime } from '../runtime/types.ts';
import type { Handlers } from './handlers.ts';
import { findChannel } from './lookup.ts';
import type { ServiceDeps } from './ports.ts';
import { isoTime } from './rows.ts';

type LineHandlers = Pick<Handlers, 'lineStats' | 'resetLineStats' | 'linePlan'>;

/** Use of the lines, and what reading would ask of them. All from memory. */
export function lineHandlers(deps: ServiceDeps): LineHandlers {
  const channelOf = (id: number) => findChannel(deps.projects.current(), id);
  return {
    lineStats: ({ channel_id }) => lineStats(channelOf(channel_id)),
    resetLineStats({ channel_id }) {
      const channel = channelOf(channel_id);
      channel.line.reset();
      return lineStats(channel);
    },
    async linePlan({ channel_id, mode }) {
      const channel = channelOf(channel_id);
      const forecast = await channel.forecasts.round(mode, new Turns().breathe);
      if (!forecast) {
        throw invalidField('channel_id', say('service.no_single_points'));
      }
      const { excluded, slaves, largerGaps } = forecast;
      return {
        mode,
        ...gapRow(forecast),
        points: forecast.points,
        excluded,
        slaves: slaves.map((slave) => ({
          slave_id: slave.slaveId,
          requests: slave.requests,
          octets: slave.octets,
          predicted_ms: rounded(slave.predictedMs),
          turn_round_ms: rounded(slave.turnRoundMs),
          is_measured: slave.isTurnRoundMeasured,
        })),
        larger_gaps: largerGaps.map(gapRow),
      };
    },
  };
}

function gapRow({ maxGap, requests, octets, predictedMs }: GapRound) {
  return { max_gap: maxGap, requests, octets, predicted_cycle_ms: rounded(predictedMs) };
}

/** Milliseconds an octet takes on a serial channel; null on others. */
function characterMsOf(settings: StoredChannel): number | null {
  if (!isSerial(settings.conn_type)) return null;
  const { data_bits: dataBits, stop_bits: stopBits, parity, baud_rate } = settings;
  return (bitsPerOctet({ dataBits, stopBits, parity }) * 1000) / baud_rate;
}

/** Shares of the window of one channel. */
class Window {
  readonly #ms: number;
  readonly #characterMs: number | null;

  constructor(windowMs: number, characterMs: number | null) {
    this.#ms = windowMs;
    this.#characterMs = characterMs;
  }

  shares({ octets, busyMs }: { readonly octets: number; readonly busyMs: number }) {
    return {
      load_percent: this.#characterMs === null ? null : this.#percent(octets * this.#characterMs),
      busy_percent: this.#percent(busyMs),
    };
  }

  /** An exchange counts in whole when it ends, also what of it lay before the window. */
  #percent(ms: number): number {
    return this.#ms > 0 ? Math.min(100, Math.round((ms / this.#ms) * 10_000) / 100) : 0;
  }
}

function lineStats(channel: ChannelRuntime): LineStats {
  const use = channel.line.read();
  const characterMs = characterMsOf(channel.settings);
  const window = new Window(use.windowMs, characterMs);
  const suspended = new Set(channel.state().health.suspended.map((slave) => slave.slave_id));
  const { requests, responses, timeouts, exceptions, noise, late } = use;
  const slaves = [...Map.groupBy(use.functions, (each) => each.slaveId)].map(
    ([slaveId, functions]): LineSlaveUse => ({
      slave_id: slaveId,
      ...slaveUse(functions, window),
      turn_round_ms: figures(use.turnRounds.get(slaveId)),
      is_suspended: suspended.has(slaveId),
      functions: functions.map((each) => ({ function_code: each.functionCode, ...slaveUse([each], window) })),
    }),
  );
  return {
    since: isoTime(use.since),
    window_ms: use.windowMs,
    character_ms: characterMs,
    ...{ requests, responses, timeouts, exceptions },
    ...window.shares(use),
    latency_ms: figures(use.latency),
    checksum_errors: use.checksumErrors,
    noise,
    protocol_errors: use.protocolErrors,
    late,
    compared: comparisons(use.compared),
    slaves,
    is_complete: use.isComplete,
  };
}

function comparisons(compared: Comparisons | null): LineStats['compared'] {
  if (!compared) return null;
  const { count, lastAt, points, differing } = compared;
  return { count, last_at: isoTime(lastAt), points, differing };
}

function slaveUse(functions: readonly FunctionUse[], window: Window) {
  const latency = new LatencyHistogram();
  const sum = { requests: 0, responses: 0, timeouts: 0, exceptions: 0, octets: 0, busyMs: 0 };
  for (const each of functions) {
    latency.merge(each.latency);
    for (const key of ['requests', 'responses', 'timeouts', 'exceptions', 'octets', 'busyMs'] as const) sum[key] += each[key];
  }
  const { octets, busyMs, ...counts } = sum;
  return { ...counts, ...window.shares({ octets, busyMs }), latency_ms: figures(latency) };
}

function figures(histogram: LatencyHistogram | undefined): LineFigures | null {
  const found = histogram?.figures();
  if (!found) return null;
  const { count, p50, p95, p99, max } = found;
  return { count, p50: twoDecimals(p50), p95: twoDecimals(p95), p99: twoDecimals(p99), max: twoDecimals(max) };
}

function twoDecimals(ms: number): number {
  return Math.round(ms * 100) / 100;
}

function rounded(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 10) / 10;
}
