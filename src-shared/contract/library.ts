import { z } from 'zod';
import { say } from '../messages/index.ts';
import { mustBe } from '../messages/schema-words.ts';
import { Channel, enteredComPort, enteredIp } from './channels.ts';
import { ConnTypeSchema, Id, lineOfText, linesOfText, MessageSchema, Nothing, ProtocolTypeSchema } from './common.ts';
import { type DownloadedFile, operation } from './operation.ts';

/** Largest template, in octets: some 10,000 points. */
export const LARGEST_TEMPLATE = 4 * 1024 * 1024;
/** Templates of the data folder. */
export const MOST_TEMPLATES = 500;

const templateName = z
  .string()
  .trim()
  .min(1)
  .max(80)
  .regex(...lineOfText);
const aboutDevice = z
  .string()
  .max(2000)
  .regex(...linesOfText);

/** What a text form says of the device when it is a template of the library. */
export const TemplateHead = z.object({
  name: templateName.describe('what devices it is for; new channels begin with it as their name'),
  about: aboutDevice.default('').describe('what somebody has to know who uses it'),
  name_zh: templateName.optional(),
  about_zh: aboutDevice.optional(),
});
export type TemplateHead = z.output<typeof TemplateHead>;

export const DeviceTemplate = TemplateHead.extend({
  id: z.string().min(1).max(100).describe('of built-in ones fixed; of own ones made from the name'),
  built_in: z.boolean(),
  protocol_type: ProtocolTypeSchema,
  conn_type: ConnTypeSchema.describe('how the channel was connected that it was made from'),
  port: z.int().nullable().describe('null where it names none: the usual one of the protocol'),
  points: z.int(),
  slaves: z.array(z.int()).describe('unit ids, common addresses or meters its points have; the first 20'),
  start_values: z.int().describe('points that a simulated device has a value for from its start'),
});
export type DeviceTemplate = z.infer<typeof DeviceTemplate>;

const TemplateId = z.object({ id: z.string().min(1).max(100) });

export const libraryOperations = {
  listTemplates: operation({
    method: 'GET',
    path: '/api/library/list',
    summary: 'Device templates: those that come with the program, and those of the data folder',
    description: 'Files that are none are listed with the reason, and left alone.',
    tag: 'channels',
    effect: 'query',
    query: Nothing,
    body: Nothing,
    data: z.object({
      items: z.array(DeviceTemplate),
      unreadable: z
        .array(z.object({ file: z.string(), reason: z.string(), reason_info: MessageSchema }))
        .describe('files of the folder that are no templates'),
    }),
  }),
  makeTemplate: operation({
    method: 'POST',
    path: '/api/library/make',
    summary: 'Keep settings and points of a channel as a template; one of the same name is replaced',
    description:
      'Addresses of the network, serial port, secrets and files of devices stay out. With `with_values` the good numbers and states that the table has now are what a simulated ' +
      'device of the template serves from its start.',
    tag: 'channels',
    effect: 'repeatable',
    example: { name: 'PCS of 100 kW' },
    query: Nothing,
    body: z.object({ channel_id: Id, name: templateName, about: aboutDevice.default(''), with_values: z.boolean().default(true) }),
    data: DeviceTemplate,
    errors: [404, 409, 507],
  }),
  useTemplate: operation({
    method: 'POST',
    path: '/api/library/use',
    summary: 'Add a channel with the settings and points of a template; it is stopped',
    description:
      'A connection that waits for clients (1, 3) makes a simulated device of it, which serves the values of the template; one that asks (0, 2) a channel to such a device. ' +
      'What means something on the other side only is left out. A name that is taken gets a number.',
    tag: 'channels',
    effect: 'repeatable',
    query: Nothing,
    body: TemplateId.extend({
      conn_type: ConnTypeSchema.optional().describe('default: that of the template'),
      name: templateName
        .optional()
        .describe('default: name of the template, with a number where it is taken; a name that is given must be free'),
      ip: enteredIp.optional().describe('default 127.0.0.1'),
      port: z.int().min(1).max(65535).optional().describe('default: of the template; for a simulated device below 1024 that and 10000'),
      com_port: enteredComPort.nullable().optional(),
      slave_id: z
        .int()
        .min(0)
        .max(999_999_999_999)
        .optional()
        .describe('unit id, common address or meter of all points; only where the points of the template have one'),
    }),
    data: Channel,
    errors: [404, 409, 507],
  }),
  deleteTemplate: operation({
    method: 'DELETE',
    path: '/api/library/template',
    summary: 'Delete a template of the data folder; channels that were made from it stay',
    description: '409: it comes with the program and stays.',
    tag: 'channels',
    effect: 'repeatable',
    query: TemplateId,
    body: Nothing,
    data: DeviceTemplate,
    errors: [404, 409, 507],
  }),
  templateFile: operation({
    method: 'GET',
    path: '/api/library/file',
    summary: 'A template as a file, for other people',
    description:
      'It is the text form of a project with one channel and a head that names the device: POST /api/project/text takes it as well.',
    tag: 'channels',
    effect: 'query',
    query: TemplateId,
    body: Nothing,
    download: { mediaTypes: ['application/json'] },
    data: z.custom<DownloadedFile>(),
    errors: [404],
  }),
  addTemplateFile: operation({
    method: 'POST',
    path: '/api/library/file',
    summary: 'Take a template from a file; one of the same name is replaced',
    description:
      'Also the text form of one channel is taken; its name is that of the channel then. Every setting and point is checked before.',
    tag: 'channels',
    effect: 'repeatable',
    query: Nothing,
    body: z.object({ file: z.file({ error: mustBe(say('field.template_file')) }).describe('JSON, 4 MiB at most') }),
    upload: { largestFile: LARGEST_TEMPLATE },
    data: DeviceTemplate,
    errors: [409, 507],
  }),
} as const;
