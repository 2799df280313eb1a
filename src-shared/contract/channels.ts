import { z } from 'zod';
import { CHANNEL_STATUSES, COMMAND_STEPS, READ_MODES } from '../domain/enums.ts';
import { ADDRESS_FORMS, ADDRESS_TERMS, type Notation, NUMBER_FORMS, SLAVE_TERMS } from '../domain/notation.ts';
import { say } from '../messages/index.ts';
import { schemaWords } from '../messages/schema-words.ts';
import { ConnTypeSchema, FrameTypeSchema, Id, lineOfText, linesOfText, MessageSchema, ProtocolTypeSchema, Timestamp } from './common.ts';
import { EFFECTS } from './effect.ts';

const name = z.string().trim().min(1).max(100).describe('display name, unique in the project; the device_name of the task operations');
const ip = z.string().trim().min(1).max(255).describe('address to connect to, or to bind to as a server');
/** A host name or IPv4 address, or an IPv6 address: one colon alone is a port, which has a field of its own. */
const HOST = /^(?:[^\s:/[\]]*|[\dA-Fa-f]*:[\dA-Fa-f.:]*:[^\s/[\]]*)$/;
/** What is asked of an address that is entered; one that is stored already is taken as it is. */
export const enteredIp = ip.regex(HOST, { error: schemaWords(say('field.host')) }).regex(...lineOfText);
const port = z.int().min(1).max(65535);
const COM_PORT = 'serial port, e.g. COM3 or /dev/ttyUSB0; needed at start of a serial channel';
const comPort = z.string().trim().max(255).nullable().describe(COM_PORT);
/** As `enteredIp`, for a serial port. */
export const enteredComPort = z
  .string()
  .trim()
  .max(255)
  .regex(...lineOfText);
const baudRate = z.int().min(50).max(4_000_000);
const dataBits = z.literal([7, 8]);
const stopBits = z.literal([1, 2]);
const parity = z.literal(['N', 'E', 'O']);

/** Settings every channel has beside its identity and connection; the defaults are those of decisions.md. */
const tuning = {
  timeout_ms: z.int().min(10).max(600_000).describe('to the first byte of an answer; transfer time comes on top on a serial line'),
  retries: z.int().min(0).max(10).describe('repeats of a read that timed out; commands are never repeated'),
  request_gap_ms: z.int().min(0).max(60_000).nullable().describe('least pause between two requests; null: what the protocol needs'),
  max_gap: z.int().min(0).max(2000).describe('addresses without a point that a batch may read across; 0 is strictly contiguous'),
  address_base: z.int().min(0).max(65535).describe('subtracted from a point address to get the address on the wire'),
  auto_reconnect: z.boolean(),
  auto_start: z.boolean().describe('start this channel when the service starts'),
  read_only: z.boolean().describe('refuse every write through this channel'),
  note: z.string().max(4000),
  group: z.string().trim().max(100).describe('channels of one group stand together on the screens; empty: with those of their protocol'),
  protocol: z.record(z.string(), z.unknown()).describe('settings of the protocol; its page and GET /api/channel/protocols describe them'),
};

export const ChannelSettings = z.object({
  name,
  protocol_type: ProtocolTypeSchema,
  conn_type: ConnTypeSchema,
  ip,
  port,
  com_port: comPort,
  baud_rate: baudRate,
  data_bits: dataBits,
  stop_bits: stopBits,
  parity,
  ...tuning,
});
export type ChannelSettings = z.infer<typeof ChannelSettings>;

/** What a new channel has to say; ports and serial defaults that depend on the protocol are filled in by the service. */
export const AddChannelBody = z.object({
  name: name.regex(...lineOfText),
  protocol_type: ProtocolTypeSchema,
  conn_type: ConnTypeSchema,
  ip: enteredIp.default('127.0.0.1'),
  port: port.optional().describe('default 502, 502, 2404, 8899, 102 by protocol'),
  com_port: enteredComPort.nullable().default(null).describe(COM_PORT),
  baud_rate: baudRate.optional().describe('default 9600, DL/T 645 2400'),
  data_bits: dataBits.default(8),
  stop_bits: stopBits.default(1),
  parity: parity.optional().describe('default N, DL/T 645 E'),
  timeout_ms: tuning.timeout_ms.default(1000),
  retries: tuning.retries.default(0),
  request_gap_ms: tuning.request_gap_ms.default(null),
  max_gap: tuning.max_gap.default(0),
  address_base: tuning.address_base.default(0),
  auto_reconnect: tuning.auto_reconnect.default(true),
  auto_start: tuning.auto_start.default(false),
  read_only: tuning.read_only.default(false),
  note: tuning.note.regex(...linesOfText).default(''),
  group: tuning.group.regex(...lineOfText).default(''),
  protocol: tuning.protocol.default({}),
});

export const UpdateChannelBody = ChannelSettings.partial().extend({
  channel_id: Id,
  name: name.regex(...lineOfText).optional(),
  ip: enteredIp.optional(),
  com_port: enteredComPort.nullable().optional().describe(COM_PORT),
  note: tuning.note.regex(...linesOfText).optional(),
  group: tuning.group.regex(...lineOfText).optional(),
});

/** Counters since the channel was last started, for the health line of the channel list. */
export const ChannelHealth = z.object({
  requests: z.int().describe('requests sent (client) or received (server)'),
  responses: z.int(),
  timeouts: z.int(),
  refusals: z.int().describe('exception answers'),
  faults: z.int().describe('octets that were no valid frame, and frames that broke a protocol rule'),
  late: z.int().describe('answers that arrived after their request had ended; logged, never used'),
  reconnects: z.int(),
  tx_bytes: z.int(),
  rx_bytes: z.int(),
  clients: z.int().describe('peers connected to a server channel now'),
  latency_ms: z.number().nullable().describe('median time from request to answer over the last 256 exchanges'),
  suspended: z
    .array(z.object({ slave_id: z.int(), next_probe_at: Timestamp, timeouts: z.int() }))
    .describe('slaves left out after three timeouts in a row'),
});
export type ChannelHealth = z.infer<typeof ChannelHealth>;

export const Channel = ChannelSettings.extend({
  id: Id,
  status: z.enum(CHANNEL_STATUSES),
  last_error: z.string().nullable(),
  last_error_info: MessageSchema.optional(),
  since: Timestamp.describe('when the present status was entered'),
  bound_port: z.int().nullable().describe('the port a server channel listens on now'),
  point_count: z.int(),
  health: ChannelHealth,
});
export type Channel = z.infer<typeof Channel>;

/** How a protocol writes addresses, slaves and functions, and the room they need. */
export const NotationSchema = z.object({
  address: z.object({
    term: z.enum(ADDRESS_TERMS).describe('what an address is'),
    form: z.enum(ADDRESS_FORMS).describe('decimal: with the hexadecimal form beside it; reference: points are named by a text'),
    digits: z.int().describe('digits of the hexadecimal form, at least'),
    files: z.enum(NUMBER_FORMS).describe('as point table files have it'),
  }),
  slave: z
    .object({
      term: z.enum(SLAVE_TERMS).describe('what tells the devices of one connection apart'),
      digits: z.int().describe('decimal digits, filled up with zeros'),
      setting: z.string().describe('setting of `protocol` of a point that says the slave as text; empty: none'),
    })
    .nullable()
    .describe('null: a connection has one device'),
  functions: z.enum(NUMBER_FORMS).describe('how function codes are written'),
  columns: z.record(z.string(), z.int()).describe('widths in pixels of columns that need more room than registers and unit ids'),
}) satisfies z.ZodType<Notation>;

/** What a protocol can do and which settings it has: enough to build every form from it. */
export const ProtocolDescriptor = z.object({
  protocol_type: ProtocolTypeSchema,
  key: z.string().describe('short word for translations, e.g. modbus-tcp'),
  name: z.string(),
  conn_types: z.array(ConnTypeSchema),
  default_port: z.int(),
  default_baud_rate: z.int(),
  default_parity: z.enum(['N', 'E', 'O']),
  modes: z.array(z.enum(READ_MODES)),
  channel_fields: z.array(z.string()).describe('optional channel settings that mean something for this protocol, in form order'),
  channel_schema: z.record(z.string(), z.unknown()).describe('JSON Schema of the channel setting `protocol`'),
  point_fields: z
    .array(z.object({ frame_type: FrameTypeSchema, fields: z.array(z.string()) }))
    .describe('point fields that mean something for each point type, in form order'),
  tools: z
    .object({
      least_address: z.int().describe('lowest address the search may ask'),
      most_address: z.int(),
      wildcards: z.boolean().describe('the search asks by wildcards, and no range of addresses'),
      baud_rates: z.array(z.int()).describe('of a serial line that is searched, in the order they are tried'),
      formats: z.array(z.enum(['8N1', '8E1', '8O1', '8N2'])),
      scan_functions: z.array(
        z.object({ code: z.int(), name: z.string(), largest_block: z.int().describe('most places of one request'), is_bit: z.boolean() }),
      ),
    })
    .optional()
    .describe('what doctor, search and scan can do over this protocol; left out: nothing'),
  point_schema: z.record(z.string(), z.unknown()).describe('JSON Schema of the point setting `protocol`'),
  hints: z.boolean().optional().describe('GET /api/channel/point_hint knows addresses of this protocol; left out: it does not'),
  secrets_schema: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('JSON Schema of the secrets that PUT /api/channel/secrets takes; left out: none'),
  commands: z.array(z.enum(COMMAND_STEPS)).describe('command steps the protocol has'),
  command_options_schema: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('JSON Schema of the `options` of a command beside those of the service; left out: none'),
  command_state: z.boolean().optional().describe('true: POST /api/device/command_state tells what stands before a command'),
  cancels_under_way: z.boolean().optional().describe('true: a cancel is sent beside the command that it ends'),
  notation: NotationSchema.optional().describe('how addresses and slaves are written; left out: registers and unit ids, decimal'),
  reports_changes: z.boolean().optional().describe('true: the device sends changes by itself'),
  echoes_commands: z.boolean().optional().describe('true: the row of a command shows the last command, and no state of the device'),
  confirms_late: z.boolean().optional().describe('true: a confirmation that comes after its time enters the event log'),
  frame_check: z
    .enum(['crc', 'sum', 'none'])
    .optional()
    .describe(
      'what proves that a frame arrived whole; none: the transport alone. Modbus RTU has crc; with `protocol.framing` ascii it is an LRC',
    ),
  operations: z
    .array(
      z.object({
        name: z.string(),
        summary: z.string(),
        effect: z.enum(EFFECTS).describe('query: from memory; repeatable: it asks the device; command: it changes something in the device'),
        writes: z.boolean().describe('it changes something in the device'),
        conn_types: z.array(ConnTypeSchema).describe('connection types that have it'),
        params_schema: z.record(z.string(), z.unknown()).describe('JSON Schema of `params`'),
      }),
    )
    .optional()
    .describe('what POST /api/device/operation offers, in the order of buttons; left out: nothing'),
  model: z
    .object({
      extensions: z.array(z.string()).describe('ends of the names of files that describe a device; empty: the protocol knows none'),
      max_octets: z.int().describe('largest such file; 0: none'),
      setting: z.string().describe('setting of `protocol` that says which device of the file is meant; empty: none'),
    })
    .optional()
    .describe('the protocol has an information model; left out: it has none'),
  unknown_objects: z
    .object({
      client: z.boolean().describe('objects that a device sends'),
      server: z.boolean().describe('addresses that masters ask of ours'),
    })
    .optional()
    .describe('where GET /api/channel/unknown_objects lists what the table does not have; left out: nowhere'),
});
export type ProtocolDescriptor = z.infer<typeof ProtocolDescriptor>;

export const SerialPortInfo = z.object({
  path: z.string(),
  manufacturer: z.string().nullable(),
  vendor_id: z.string().nullable(),
  product_id: z.string().nullable(),
  serial_number: z.string().nullable(),
  used_by: z.string().nullable().describe('name of the started channel that holds the port'),
});
export type SerialPortInfo = z.infer<typeof SerialPortInfo>;
