import { z } from 'zod';
import { Id, Nothing, queryInt, Timestamp } from './common.ts';
import { operation } from './operation.ts';

/** Quantiles of a time since the statistics began, in milliseconds; p50 to p99 are within 5 %, max is exact. */
export const LineFigures = z.object({
  count: z.int(),
  p50: z.number(),
  p95: z.number(),
  p99: z.number(),
  max: z.number(),
});
export type LineFigures = z.infer<typeof LineFigures>;

const use = {
  requests: z.int().describe('exchanges that ended, with an answer or without'),
  responses: z.int(),
  timeouts: z.int(),
  exceptions: z.int().describe('answers that were refusals'),
  load_percent: z
    .number()
    .nullable()
    .describe('octets of the window × character time ÷ window, both directions; null where the line is no serial one'),
  busy_percent: z.number().describe('share of the window in which an exchange was under way, waiting included'),
  latency_ms: LineFigures.nullable().describe('from the request to the end of its answer; null before the first answer'),
};

/** How one function of one slave uses the line. */
export const LineFunctionUse = z.object({ function_code: z.int(), ...use });

/** How one slave uses the line. */
export const LineSlaveUse = z.object({
  slave_id: z.int(),
  ...use,
  turn_round_ms: LineFigures.nullable().describe(
    'what the slave takes to begin its answer, the silent gap not counted; null where it cannot be told',
  ),
  is_suspended: z.boolean(),
  functions: z.array(LineFunctionUse),
});
export type LineSlaveUse = z.infer<typeof LineSlaveUse>;

export const LineStats = z.object({
  since: Timestamp.describe('start of the channel or the last reset, whichever was later'),
  window_ms: z.number().describe('time that load_percent and busy_percent are about: the last minute at most'),
  character_ms: z.number().nullable().describe('time of one octet at the baud rate of the channel; null where the line is no serial one'),
  ...use,
  checksum_errors: z.int().describe('frames with a wrong checksum'),
  noise: z.int().describe('stretches of octets that were no frame'),
  protocol_errors: z.int().describe('frames that broke a rule or did not fit their request'),
  late: z.int().describe('answers that came after their request had ended'),
  compared: z
    .object({
      count: z.int().describe('comparisons so far'),
      last_at: Timestamp,
      points: z.int().describe('points of the last one'),
      differing: z.int().describe('points that had another value than a report had told, over all'),
    })
    .nullable()
    .describe('values that came by reports, compared with a read (IEC 61850, `report_check_s`); null before the first'),
  slaves: z.array(LineSlaveUse).describe('in order of their number'),
  is_complete: z.boolean().describe('false when there were more slaves and functions than are told apart; the totals count them all'),
});
export type LineStats = z.infer<typeof LineStats>;

const round = {
  max_gap: z.int(),
  requests: z.int(),
  octets: z.int().describe('of all frames of a round, both directions'),
  predicted_cycle_ms: z.number().nullable().describe('line time of a round; null where the line is fast enough not to matter'),
};

export const LinePlan = z.object({
  mode: z.enum(['batch', 'single']),
  ...round,
  points: z.int().describe('points that are read'),
  excluded: z.int().describe('points that no request can ask for'),
  slaves: z
    .array(
      z.object({
        slave_id: z.int(),
        requests: z.int(),
        octets: z.int(),
        predicted_ms: z.number().nullable(),
        turn_round_ms: z.number().nullable().describe('what the slave is reckoned to take before it answers'),
        is_measured: z.boolean().describe('true when turn_round_ms was measured, false when it is assumed'),
      }),
    )
    .describe('in order of their number'),
  larger_gaps: z
    .array(z.object(round))
    .describe('larger values of max_gap that gain something, ascending; each with the round it would make'),
});
export type LinePlan = z.infer<typeof LinePlan>;

const channel = { channel_id: queryInt(1, Number.MAX_SAFE_INTEGER) };

export const lineOperations = {
  lineStats: operation({
    method: 'GET',
    path: '/api/channel/line_stats',
    summary: 'How the line of a channel is used: load, latency and errors by slave and function',
    description:
      'From memory, no protocol I/O. Counts since the channel was started or the statistics were reset, shares over the last minute. Memory is ' +
      'bounded: 1024 pairs of slave and function are told apart. A stopped channel answers with what was counted last.',
    tag: 'channels',
    effect: 'query',
    query: z.object(channel),
    body: Nothing,
    data: LineStats,
    errors: [404],
  }),
  resetLineStats: operation({
    method: 'POST',
    path: '/api/channel/reset_line_stats',
    summary: 'Begin the line statistics of a channel anew',
    description: 'The health counters of the channel go on.',
    tag: 'channels',
    effect: 'repeatable',
    role: 'operate',
    query: Nothing,
    body: z.object({ channel_id: Id }),
    data: LineStats,
    errors: [404],
  }),
  linePlan: operation({
    method: 'GET',
    path: '/api/channel/line_plan',
    summary: 'What one round of reading would ask, how long it takes, and what a larger max_gap would gain',
    description:
      'From the point table and the settings, no protocol I/O, on a stopped channel as well. Line time is reckoned from baud rate, character ' +
      'format and turn-round of each slave: the measured one, 10 ms before it was measured. Known holes, pauses of a task, repeats and slaves that ' +
      'do not answer are not in it. 422 for a server channel and for protocols without such a plan.',
    tag: 'channels',
    effect: 'query',
    query: z.object({ ...channel, mode: z.enum(['batch', 'single']).default('batch') }),
    body: Nothing,
    data: LinePlan,
    errors: [404],
  }),
} as const;
