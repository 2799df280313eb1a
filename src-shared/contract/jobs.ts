import { z } from 'zod';
import { DOCTOR_LAYERS, VERDICT_STATES } from '../domain/doctor.ts';
import { FIND_CODES } from '../domain/find.ts';
import { AddChannelBody, enteredComPort, enteredIp } from './channels.ts';
import { Id, MessageParamsSchema, MessageSchema, ProtocolTypeSchema } from './common.ts';
import { DoctorNote, jobBase, SlaveId } from './job-base.ts';
import { NewPoint } from './points.ts';
import { TableJob } from './table-job.ts';

export { DoctorNote, type JobState } from './job-base.ts';

export const Verdict = DoctorNote.extend({
  layer: z.enum(DOCTOR_LAYERS),
  state: z.enum(VERDICT_STATES),
  notes: z.array(DoctorNote).describe('what else was seen on this layer'),
});
export type Verdict = z.infer<typeof Verdict>;

export const DoctorJob = z.object({
  ...jobBase,
  kind: z.literal('doctor'),
  layers: z.array(z.enum(DOCTOR_LAYERS)).describe('the layers of this examination, from the wire up; each gets one verdict'),
  findings: z.array(Verdict),
});
export type DoctorJob = z.infer<typeof DoctorJob>;

const baudRate = z.int().min(50).max(4_000_000);
export const CharacterFormatText = z.enum(['8N1', '8E1', '8O1', '8N2']);
export type CharacterFormatText = z.infer<typeof CharacterFormatText>;

export const FoundDevice = z.object({
  slave_id: SlaveId,
  address: z.string().describe('slave_id as people of the protocol write it: a meter number has 12 digits'),
  how: z
    .enum(['answered', 'refused', 'heard'])
    .describe(
      'answered with data; refused with an exception, which is an answer too; heard answering another master, without having been asked',
    ),
  detail: z.string().describe('the exception in words; empty for data'),
  detail_message: MessageSchema.optional(),
  line: z.string().describe('where it was found: `COM3 9600 8N1`, `192.168.1.20:502`'),
  baud_rate: baudRate.nullable().describe('null over TCP'),
  format: CharacterFormatText.nullable(),
  latency_ms: z.number().nullable(),
  identity: z.string().describe('vendor, product and revision as the device states them; empty where it does not'),
});
export type FoundDevice = z.infer<typeof FoundDevice>;

/** What a search remarks: collisions and noise. `text` and `next_step` are English, `code` and `params` make them in any language. */
export const FindNote = z.object({
  code: z.enum(FIND_CODES).describe('stable; docs/guide/doctor.md lists them'),
  params: MessageParamsSchema,
  text: z.string(),
  next_step: z.string().nullable().describe('what to do now; null: nothing'),
});
export type FindNote = z.infer<typeof FindNote>;

export const FindJob = z.object({
  ...jobBase,
  kind: z.literal('find'),
  predicted_ms: z.int().describe('longest time the search can take from its start'),
  findings: z.array(FoundDevice),
  channel: AddChannelBody.nullable().describe('body for POST /api/channel/add that reads what was found; null while nothing was'),
  other_master: z.boolean().describe('somebody else asks on this line, so it was only listened to'),
  points: z
    .array(NewPoint)
    .describe(
      'points for POST /api/device/add_points that make a beginning with what was found; empty where the protocol has no such points',
    ),
  notes: z.array(FindNote).describe('collisions and noise of a search by wildcards'),
});
export type FindJob = z.infer<typeof FindJob>;

export const ScanRange = z.object({
  func_code: z.int().min(1).max(255),
  start: z.int().describe('first address on the wire'),
  quantity: z.int(),
  outcome: z.enum(['values', 'refused', 'silent']),
  detail: z.string().describe('the refusal in words'),
  detail_message: MessageSchema.optional(),
});
export type ScanRange = z.infer<typeof ScanRange>;

export const ScanJob = z.object({
  ...jobBase,
  kind: z.literal('scan'),
  slave_id: SlaveId,
  func_codes: z.array(z.int()),
  start: z.int(),
  quantity: z.int(),
  found: z.int().describe('addresses that gave a value'),
  requests: z.int(),
  findings: z.array(ScanRange).describe('neighbouring addresses with the same outcome; values come from scan_rows and scan_csv'),
});
export type ScanJob = z.infer<typeof ScanJob>;

export const Job = z.discriminatedUnion('kind', [DoctorJob, FindJob, ScanJob, TableJob]);
export type Job = z.infer<typeof Job>;

export const ScanRow = z.object({
  func_code: z.int(),
  address: z.int().describe('on the wire'),
  point_address: z.int().describe('as a point of this channel has to say it: with the address base of the channel'),
  hex: z.string().describe('the register, or 0 and 1 for a bit'),
  value: z.int().describe('unsigned'),
});
export type ScanRow = z.infer<typeof ScanRow>;

export const IdentityObject = z.object({
  id: z.int(),
  name: z.string().describe('by the standard, e.g. VendorName; empty for an object of the maker'),
  text: z.string().describe('octets outside printable ASCII as dots, unless the whole is UTF-8'),
  hex: z.string(),
});

export const FindBody = z.object({
  protocol_type: ProtocolTypeSchema,
  com_port: enteredComPort.min(1).nullable().default(null).describe('searches this serial port; without it, `ip` and `port` are searched'),
  ip: enteredIp.default('127.0.0.1'),
  port: z.int().min(1).max(65535).optional().describe('default by protocol'),
  baud_rates: z
    .array(baudRate)
    .min(1)
    .max(20)
    .optional()
    .describe('in the order they are tried; default: those usual for the protocol, `tools` of GET /api/channel/protocols has them'),
  formats: z.array(CharacterFormatText).min(1).max(4).optional().describe('default: those usual for the protocol'),
  first_slave: z.int().min(0).max(255).default(1).describe('not used where a search asks by wildcards (DL/T 645)'),
  last_slave: z.int().min(0).max(255).default(247),
  timeout_ms: z
    .int()
    .min(10)
    .max(10_000)
    .nullable()
    .default(null)
    .describe('to the first octet of an answer; null: by protocol and baud rate'),
  listen_ms: z.int().min(0).max(60_000).default(300).describe('how long each setting is listened to before anything is sent'),
  identify: z.boolean().default(true).describe('asks what was found for its identification (Modbus function 43/14; model of a meter)'),
});
export type FindBody = z.output<typeof FindBody>;

export const ScanBody = z.object({
  channel_id: Id,
  slave_id: SlaveId.default(1),
  func_codes: z.array(z.int().min(1).max(255)).min(1).max(4).default([3]),
  start: z.int().min(0).max(65535).default(0).describe('first address on the wire'),
  quantity: z.int().min(1).max(65536).default(1000),
  block: z.int().min(1).max(2000).nullable().default(null).describe('places of one request at first; null: as many as the protocol allows'),
  smallest_block: z.int().min(1).max(2000).default(1).describe('a refused block of this size is not halved any more'),
});
export type ScanBody = z.output<typeof ScanBody>;
