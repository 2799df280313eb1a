import type { LineFigures, LinePlan, LineSlaveUse, LineStats } from '#shared/contract/line.ts';

/** Quantiles around a median. */
export function someFigures(p50: number): LineFigures {
  return { count: 100, p50, p95: p50 * 2, p99: p50 * 3, max: p50 * 4 };
}

/** A slave that answers in about 40 ms; every function has the same figures. */
export function aSlaveUse(slaveId: number, functions: readonly number[] = [3], change: Partial<LineSlaveUse> = {}): LineSlaveUse {
  const use = {
    requests: 50,
    responses: 50,
    timeouts: 0,
    exceptions: 0,
    load_percent: 12.5,
    busy_percent: 30,
    latency_ms: someFigures(40),
  };
  return {
    slave_id: slaveId,
    ...use,
    turn_round_ms: someFigures(5),
    is_suspended: false,
    functions: functions.map((function_code) => ({ function_code, ...use })),
    ...change,
  };
}

/** Statistics of a serial line at 9600 baud with one slave. */
export function lineStats(change: Partial<LineStats> = {}): LineStats {
  return {
    since: '2026-03-01T08:00:00.000Z',
    window_ms: 60_000,
    character_ms: 1.0417,
    requests: 50,
    responses: 50,
    timeouts: 0,
    exceptions: 0,
    load_percent: 12.5,
    busy_percent: 30,
    latency_ms: someFigures(40),
    checksum_errors: 0,
    noise: 0,
    protocol_errors: 0,
    late: 0,
    slaves: [aSlaveUse(1)],
    compared: null,
    is_complete: true,
    ...change,
  };
}

/** A round of 12 requests that takes 1.2 s, and two larger gaps that gain something. */
export function linePlan(change: Partial<LinePlan> = {}): LinePlan {
  return {
    mode: 'batch',
    max_gap: 0,
    requests: 12,
    octets: 900,
    predicted_cycle_ms: 1200,
    points: 200,
    excluded: 0,
    slaves: [{ slave_id: 1, requests: 12, octets: 900, predicted_ms: 1200, turn_round_ms: 5, is_measured: true }],
    larger_gaps: [
      { max_gap: 4, requests: 8, octets: 850, predicted_cycle_ms: 1020 },
      { max_gap: 16, requests: 4, octets: 880, predicted_cycle_ms: 900 },
    ],
    ...change,
  };
}
