import { z } from 'zod';
import { say } from '../messages/index.ts';
import { mustBe } from '../messages/schema-words.ts';
import { Id, lineOfText, MessageSchema, Nothing, ProtocolTypeSchema, queryInt, Timestamp } from './common.ts';
import { operation } from './operation.ts';
import { LARGEST_TABLE_FILE, MOST_TABLE_ROWS } from './point-files.ts';
import { NewPoint } from './points.ts';

const percent = z.number().min(0).max(100);

/** What a served line does wrong on purpose; what is not given stays. */
const lineFaults = z.object({
  delay_ms: z.int().min(0).max(60_000).describe('what is sent leaves so much later, in its order'),
  jitter_ms: z.int().min(0).max(60_000).describe('and up to so much later still, another time for each'),
  silent_percent: percent.describe('share of what is sent that is not sent at all'),
  half_percent: percent.describe('share of which only the first half is sent'),
  wrong_check_percent: percent.describe(
    'share that is sent with a wrong checksum; only where frames have one (Modbus RTU, ASCII, DL/T 645)',
  ),
  no_end_percent: percent.describe('share that is sent without its last octet, which ends a frame of DL/T 645'),
  hang_up_percent: percent.describe('share in place of which the connection is closed; on a serial line nothing is sent'),
  refuse_connections: z.boolean().describe('new connections are closed at once; those that stand go on'),
  exceptions: z
    .array(
      z.object({
        from: z.int().min(0).max(65_535),
        to: z.int().min(0).max(65_535),
        code: z.int().min(1).max(255).describe('exception of Modbus, such as 2: illegal data address'),
      }),
    )
    .max(50)
    .describe('requests that touch one of these addresses, as they travel, are refused; only Modbus'),
});
export type LineFaultSettings = z.infer<typeof lineFaults>;

const counts = z.object({
  silent: z.int(),
  half: z.int(),
  wrong_check: z.int(),
  no_end: z.int(),
  hang_up: z.int(),
  refused: z.int(),
  exceptions: z.int(),
});

/** The simulation of a served channel. */
export const Simulation = z.object({
  channel_id: Id,
  is_on: z.boolean().describe('false: what is served stays as it is'),
  is_running: z.boolean().describe('it is on, the channel runs, and a point of it has a formula'),
  speed: z.number().describe('seconds of the simulation in one second'),
  period_ms: z.int().describe('time between two steps'),
  points: z.int().describe('points with a formula, as far as the channel runs'),
  t: z.number().describe('seconds since the simulation began, at its speed'),
  steps: z.int(),
  step_ms: z.number().nullable().describe('how long the last step took; null before the first'),
  fault_count: z.int().describe('points whose formula gave no value in the last step, or one that cannot be served'),
  faults: z
    .array(z.object({ point_id: Id, code: z.string(), reason: z.string(), reason_message: MessageSchema }))
    .describe('the first 100 of them; what they serve stays as it was'),
  line: lineFaults,
  made: counts.describe('how often each fault of the line was made since the channel was started'),
  has_checksum: z.boolean(),
  has_exceptions: z.boolean(),
});
export type Simulation = z.infer<typeof Simulation>;

/** Files of recorded values in a project. */
export const MOST_SERIES = 50;
/** Columns and values of one of them, and values of all of them. */
export const MOST_SERIES_COLUMNS = 200;
export const MOST_SERIES_VALUES = 500_000;
export const MOST_SERIES_TOTAL = 2_000_000;

/** Addresses of a capture that become columns. */
export const MOST_CAPTURE_COLUMNS = 2_000;

export const SeriesName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(...lineOfText);

/** A file of recorded values that simulated points follow. */
export const Series = z.object({
  name: z.string().describe('as formulas name it: `series("load", "P")`'),
  rows: z.int(),
  seconds: z.number().describe('from the first row until it begins anew; 0: one row, which stands for ever'),
  columns: z.array(z.object({ name: z.string(), gaps: z.int().describe('empty cells: the value before stays') })),
});
export type Series = z.infer<typeof Series>;

/** Two ends that spoke with each other in a capture. */
export const CapturedConversation = z.object({
  index: z.int().min(0).describe('its place, for `POST /api/simulation/capture/take`'),
  carrier: z.enum(['tcp', 'udp', 'line']),
  master: z.string().describe('`address:port` of the end that asks; empty on a line'),
  device: z.string().describe('of the end that answers; empty on a line'),
  line: z.string().describe('what an export of a line calls its frames; empty in a network'),
  roles_by: z
    .enum(['port', 'opening', 'export', 'first'])
    .describe('what tells the ends apart: a known port, who opened the connection, the export; first: nothing but who spoke first'),
  packets: z.int(),
  gaps: z.int().describe('places where octets are missing'),
  from: Timestamp.nullable(),
  to: Timestamp.nullable(),
  protocol_type: ProtocolTypeSchema.nullable().describe(
    'protocol of the reads that were found in it; null: none of a protocol that can be served again',
  ),
  reads: z.int().describe('reads that were answered'),
  addresses: z
    .int()
    .describe('addresses that they were of, each of which becomes a point; one more than may be stands for all that are more'),
  reason: z.string().nullable().describe('why it cannot be taken; null: it can'),
  reason_message: MessageSchema.nullable(),
  left_out: z
    .string()
    .nullable()
    .describe('what of it is not taken although it was told: the capture does not say what it was of (IEC 61850); null: nothing'),
  left_out_message: MessageSchema.nullable(),
});

export type CapturedConversation = z.infer<typeof CapturedConversation>;

/** What a look into a capture finds. */
export const LookedCapture = z.object({
  conversations: z.array(CapturedConversation),
  passed_over: z.int().describe('packets that belong to none of them'),
});
export type LookedCapture = z.infer<typeof LookedCapture>;

/** What became of a conversation. */
export const TakenCapture = z.object({
  series: Series,
  reads: z.int().describe('answers and messages with values'),
  protocol_type: ProtocolTypeSchema.describe('what it was'),
  protocol: z.record(z.string(), z.unknown()).describe('`protocol` settings that the served channel needs, beside its defaults'),
  points: z.array(NewPoint),
  taken_into: z
    .object({ channel_id: Id, added: z.int(), changed: z.int().describe('points that were there, and follow the capture now') })
    .nullable()
    .describe('null: no channel was named'),
});
export type TakenCapture = z.infer<typeof TakenCapture>;

/** The channel of a take, as the contract describes it. */
export const TAKE_INTO =
  'a stopped or running channel that serves this protocol: `points` are put into its table in one step that can be undone. One that is there with the same code and the same place follows the capture from now on; ' +
  'another one with that code refuses the whole (409). Left out: nothing but the recorded values is kept';

const captureFile = z
  .file({ error: mustBe(say('field.capture_file')) })
  .describe('pcapng or pcap, 32 MiB at most: of Wireshark, tcpdump, or an export of this program');

export const simulationOperations = {
  lookCapture: operation({
    method: 'POST',
    path: '/api/simulation/capture/look',
    summary: 'The conversations in a capture file, and what can be taken of each',
    description:
      'TCP is put in order (segments that came late, twice, or not at all), UDP and the exports of serial lines are taken as they are. Each protocol that can be served again is tried on each conversation; `reason` says why one cannot be taken. Nothing is kept. 422 names the octet where a file is no capture or damaged.',
    tag: 'channels',
    effect: 'query',
    query: Nothing,
    body: z.object({ file: captureFile }),
    upload: { largestFile: LARGEST_TABLE_FILE },
    data: LookedCapture,
  }),
  takeCapture: operation({
    method: 'POST',
    path: '/api/simulation/capture/take',
    summary: 'Make recorded values of what a device told in a capture, to be served again',
    description:
      'Each address that has a value becomes a column of a file of recorded values, each answer or message that brought something new a row at its time, with quality and delay of the time tag in columns beside it where there are any. Columns are named by unit, function and address from 0 (Modbus: ' +
      '`1:3:100`), common and object address (IEC 104: `1:16385`, bits `1:401.3`), meter and identifier (DL/T 645: `000000000012:02010100`), reference (IEC 61850: `BAY1LD0/MMXU1.TotW.mag.f[MX]`). `points` are for a served channel of `protocol_type` with the settings `protocol` ' +
      `(\`POST /api/device/add_points\`): while it runs, the values are served in the same order with the same time between them, at the speed of the simulation. At most ${MOST_CAPTURE_COLUMNS} addresses.`,
    tag: 'channels',
    effect: 'repeatable',
    query: z.object({
      conversation: queryInt(0, 10_000).optional().describe('default 0'),
      name: SeriesName.optional().describe('left out: the name of the file without its ending'),
      protocol_type: queryInt(1, 5).optional().describe('of the conversation; left out: the one that finds most in it'),
      once: z.enum(['true', 'false']).optional().describe('true: the last values stay; default false: it begins anew'),
      channel_id: queryInt(1, Number.MAX_SAFE_INTEGER).optional().describe(TAKE_INTO),
    }),
    body: z.object({ file: captureFile }),
    upload: { largestFile: LARGEST_TABLE_FILE },
    data: TakenCapture,
    errors: [404, 409],
  }),
  listSeries: operation({
    method: 'GET',
    path: '/api/simulation/series',
    summary: 'Files of recorded values that simulated points can follow',
    description:
      'They belong to the project and go with its copies. A formula follows a column of one: `series("load", "P")`, see docs/guide/simulation.md.',
    tag: 'channels',
    effect: 'query',
    query: Nothing,
    body: Nothing,
    data: z.object({ items: z.array(Series) }),
  }),
  addSeries: operation({
    method: 'POST',
    path: '/api/simulation/series/add',
    summary: 'Add a file of recorded values, csv or xlsx, or put it in the place of one with the same name',
    description:
      'The first row names the columns. The first column is the time: seconds, clock times, or dates with a time, later in each row; only distances count, the first row is second 0. The others have a number or nothing, a gap. ' +
      `At most ${MOST_TABLE_ROWS} rows, ${MOST_SERIES_VALUES} values and ${MOST_SERIES_COLUMNS} columns a file, ${MOST_SERIES} files and ${MOST_SERIES_TOTAL} values a project. 422 names row and column of what does not fit. Formulas that follow it go on with the new values at the next step.`,
    tag: 'channels',
    effect: 'repeatable',
    query: z.object({ name: SeriesName.optional().describe('left out: the name of the file without its ending') }),
    body: z.object({ file: z.file({ error: mustBe(say('field.table_file')) }).describe('csv or xlsx, 32 MiB at most') }),
    upload: { largestFile: LARGEST_TABLE_FILE },
    data: Series,
    errors: [409],
  }),
  removeSeries: operation({
    method: 'DELETE',
    path: '/api/simulation/series/remove',
    summary: 'Remove a file of recorded values; formulas that follow it have no value from then on',
    description: 'What they serve stays as it was, and the simulation tells of each. 404: there is no file with this name.',
    tag: 'channels',
    effect: 'repeatable',
    query: z.object({ name: SeriesName }),
    body: Nothing,
    data: z.object({ removed: z.literal(true) }),
    errors: [404],
  }),
  simulation: operation({
    method: 'GET',
    path: '/api/simulation',
    summary: 'How the simulation of a served channel goes, and what its line does wrong',
    description:
      'Points of a served channel have the setting `protocol.simulate`: a formula of what they serve (`230 + sine(60, 10)`). It is worked out at each step ' +
      'while the channel runs. Words and functions are in docs/guide/simulation.md.',
    tag: 'channels',
    effect: 'query',
    query: z.object({ channel_id: queryInt(1, Number.MAX_SAFE_INTEGER) }),
    body: Nothing,
    data: Simulation,
    errors: [404],
  }),
  setSimulation: operation({
    method: 'PUT',
    path: '/api/simulation',
    summary: 'Let the simulation of a served channel go on, stop, go faster, or begin anew',
    description: 'What is not given stays as it is. It holds until the service ends, also behind a stop of the channel.',
    tag: 'channels',
    effect: 'repeatable',
    example: { speed: 2 },
    query: Nothing,
    body: z.object({
      channel_id: Id,
      is_on: z.boolean().optional(),
      speed: z.number().min(0.001).max(1000).optional(),
      period_ms: z.int().min(50).max(3_600_000).optional(),
      anew: z.boolean().optional().describe('true: from second 0 again, with nothing remembered and the same random numbers'),
    }),
    data: Simulation,
    errors: [404, 409],
  }),
  setLineFaults: operation({
    method: 'PUT',
    path: '/api/simulation/line',
    summary: 'Let the line of a served channel be late, silent, torn or wrong',
    description:
      'What is not given stays as it is; 0 and an empty list end a fault. It holds until the service ends, and the event log of the channel tells it. At most one fault is made of one write of ours, which may hold several frames. ' +
      'The frame log shows what was meant to be sent.',
    tag: 'channels',
    effect: 'repeatable',
    example: { delay_ms: 100 },
    role: 'operate',
    query: Nothing,
    body: lineFaults.partial().extend({ channel_id: Id }),
    data: Simulation,
    errors: [404, 409],
  }),
} as const;
