import type { LineFigures, LineSlaveUse } from '#shared/contract/line.ts';
import { formatDuration } from '../../ui/format.ts';

/** A share of the line: `12.3 %`; a dash where there is none. */
export function formatPercent(percent: number | null): string {
  if (percent === null) return '–';
  return `${percent.toFixed(percent >= 9.95 || percent === 0 ? 0 : percent < 0.095 ? 2 : 1)} %`;
}

/** The three quantiles with one unit: `12 / 25 / 40 ms`; a dash before the first answer. */
export function formatQuantiles(figures: LineFigures | null): string {
  if (!figures) return '–';
  const times = [figures.p50, figures.p95, figures.p99];
  if (figures.p99 >= 1000) return times.map(formatDuration).join(' / ');
  return `${times.map((ms) => ms.toFixed(ms < 1 ? 2 : ms < 10 ? 1 : 0)).join(' / ')} ms`;
}

/** Median and, behind it, p95: `5.2 ms · 9.8 ms`; a dash where it was not measured. */
export function formatTurnRound(figures: LineFigures | null): string {
  return figures ? `${formatDuration(figures.p50)} · ${formatDuration(figures.p95)}` : '–';
}

/** A row of the table: a slave as a whole, or one of its functions where it has several. */
export interface LineRow {
  readonly key: string;
  readonly slaveId: number;
  /** Null for a slave with several functions. */
  readonly functionCode: number | null;
  /** True for the functions below their slave. */
  readonly isPart: boolean;
  readonly isSuspended: boolean;
  readonly use: Pick<LineSlaveUse, 'requests' | 'timeouts' | 'exceptions' | 'load_percent' | 'busy_percent' | 'latency_ms'>;
  /** Undefined on parts: it belongs to the slave. */
  readonly turnRound: LineFigures | null | undefined;
}

/** Slaves in order, each followed by its functions where it has several. */
export function rowsOf(slaves: readonly LineSlaveUse[]): LineRow[] {
  return slaves.flatMap((slave) => {
    const [only, second] = slave.functions;
    const whole: LineRow = {
      key: String(slave.slave_id),
      slaveId: slave.slave_id,
      functionCode: only && !second ? only.function_code : null,
      isPart: false,
      isSuspended: slave.is_suspended,
      use: slave,
      turnRound: slave.turn_round_ms,
    };
    if (!second) return [whole];
    const parts = slave.functions.map((use): LineRow => {
      const { function_code: functionCode } = use;
      const key = `${slave.slave_id}/${functionCode}`;
      return { key, slaveId: slave.slave_id, functionCode, isPart: true, isSuspended: false, use, turnRound: undefined };
    });
    return [whole, ...parts];
  });
}

/** What a shorter round saves, in percent; null where either time is not known. */
export function gainPercent(now: number | null, then: number | null): number | null {
  return now === null || then === null || now === 0 ? null : (1 - then / now) * 100;
}
