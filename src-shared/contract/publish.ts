import { z } from 'zod';
import { say } from '../messages/index.ts';
import { schemaWords } from '../messages/schema-words.ts';
import { FrameTypeSchema, Id, lineOfText, MessageSchema, Nothing, queryInt, Timestamp } from './common.ts';
import { operation } from './operation.ts';
import { authority } from './publish-authority.ts';
import { InfluxTarget, PostgresTarget } from './publish-databases.ts';

/** Publishers that one project may have. */
export const MOST_PUBLISHERS = 8;
/** Records of one publisher that wait in memory; the oldest give way. */
export const MOST_WAITING_RECORDS = 20_000;

const line = (max: number) =>
  z
    .string()
    .max(max)
    .regex(...lineOfText);

const address = (pattern: RegExp, words: 'publish.mqtt_url' | 'publish.http_url') =>
  line(500).regex(pattern, { error: schemaWords(say(words)) });

const topicPrefix = line(200).regex(/^[^+#$/][^+#]*[^+#/]$|^[^+#$/]$/, { error: schemaWords(say('publish.prefix')) });

/** Where a broker is, and as whom it is spoken to. */
const brokerFields = {
  url: address(/^mqtts?:\/\/(\[[0-9a-fA-F:.]+\]|[^\s/?#@:[\]]+)(:\d{1,5})?\/?$/, 'publish.mqtt_url').describe(
    'mqtt://host:1883 or mqtts://host:8883; the port may be left out; user and password never stand in it',
  ),
  client_id: line(100).describe(
    'name of this client at the broker, where no other one may have it; empty: one of its own for each start of the publisher',
  ),
  user: line(200).describe('empty: none; the password is set with PUT /api/publisher/secrets'),
  ca: authority,
};

const HomeAssistant = z.object({
  prefix: topicPrefix.describe('first levels of the discovery topics, homeassistant unless Home Assistant was told otherwise'),
});

const MqttTarget = z.object({
  kind: z.literal('mqtt'),
  ...brokerFields,
  prefix: topicPrefix.describe('first levels of all topics, such as plant/bay1'),
  qos: z.literal([0, 1, 2]).describe('quality of service: 0 at most once, 1 at least once, 2 exactly once'),
  retain: z.boolean().describe('the broker keeps the last message of each point for those who come later'),
  home_assistant: HomeAssistant.optional().describe(
    'each point is made known to Home Assistant as a sensor or binary sensor, and taken back when it is published no more; none of them takes a command. Left out: none is',
  ),
});

const sparkplugName = line(100).regex(/^[^+#/]+$/, { error: schemaWords(say('publish.sparkplug_name')) });

const SparkplugTarget = z.object({
  kind: z.literal('sparkplug'),
  ...brokerFields,
  group: sparkplugName.refine((name) => name !== 'STATE', { error: schemaWords(say('publish.sparkplug_name')) }).describe('group id'),
  node: sparkplugName.describe('edge node id; no other node of the group has it. Channels are its devices, points their metrics (YC/code)'),
  host: line(100)
    .regex(/^[^+#/]*$/, { error: schemaWords(say('publish.sparkplug_name')) })
    .describe('id of the primary host application: nothing is sent while it is not online; empty: none is waited for'),
});

const WebhookTarget = z.object({
  kind: z.literal('webhook'),
  url: address(/^https?:\/\/(\[[0-9a-fA-F:.]+\]|[^\s/?#@:[\]]+)(:\d{1,5})?([/?][^\s#@]*)?$/, 'publish.http_url').describe(
    'http:// or https:// address that batches are posted to; redirections are not followed',
  ),
  every_ms: z.int().min(100).max(3_600_000).describe('least time between two batches, in milliseconds'),
  ca: authority,
});

const PublisherTarget = z.discriminatedUnion('kind', [MqttTarget, SparkplugTarget, WebhookTarget, InfluxTarget, PostgresTarget]);
export type PublisherTarget = z.infer<typeof PublisherTarget>;

const Keep = z.object({
  mb: z.int().min(1).max(10_240).describe('room on the disk, in MiB; the oldest records give way'),
  hours: z
    .int()
    .min(1)
    .max(8784)
    .describe(
      'records that wait for longer give way; time in which the service did not run, or by which the clock was set forward, counts as a 24th of it at most',
    ),
});

/** A publisher as it is set, without its secrets. */
export const PublisherSettings = z.object({
  name: line(100).min(1),
  enabled: z.boolean(),
  target: PublisherTarget,
  devices: z.array(line(200).min(1)).max(200).describe('names of the channels that are published; empty: all'),
  frame_types: z.array(FrameTypeSchema).max(4).describe('kinds of points that are published; empty: all'),
  codes: z.array(line(500).min(1)).max(500).describe('codes of the points that are published; * stands for any characters; empty: all'),
  keep: Keep.optional().describe(
    'records wait on the disk until the target confirmed them, also when the program ends; not with quality of service 0 and Sparkplug B. Left out: they wait in memory, at most 20000',
  ),
});
export type PublisherSettings = z.infer<typeof PublisherSettings>;

/** As a project and its text form keep it. */
export const StoredPublisher = z.object({ id: Id, ...PublisherSettings.shape });
export type StoredPublisher = z.infer<typeof StoredPublisher>;

const PUBLISHER_STATES = ['off', 'unconfirmed', 'connecting', 'running', 'failing'] as const;

/** A publisher with what it does now. */
export const Publisher = z.object({
  ...StoredPublisher.shape,
  secrets: z
    .record(z.string(), z.boolean())
    .describe(
      'password (mqtt, sparkplug, postgresql, influxdb 1), token (influxdb 2) or key (webhook): true when it is set; never its value',
    ),
  state: z
    .enum(PUBLISHER_STATES)
    .describe(
      'off: not enabled; unconfirmed: nobody confirmed on this computer that this project may publish there; connecting; running; failing: tried again by itself',
    ),
  since: Timestamp.describe('when this state began'),
  error: z.string().nullable().describe('why it fails, or what it waits for while it connects; null: neither'),
  error_message: MessageSchema.optional(),
  session: z
    .string()
    .describe('stands in each record: `sequence` counts from 1 within it; with `keep` it goes on when the program is started again'),
  sequence: z.int().describe('number of the newest record'),
  sent: z.int().describe('records that the other side took since the publisher was started'),
  waiting: z.int().describe('records that are not sent yet: in memory, at most 20000 (100000 with `keep`), and those in `buffer`'),
  lost: z.int().describe('records that gave way to newer ones, or that the other side refused, since the publisher was started'),
  failures: z.int().describe('connections that failed or were lost since the publisher was started'),
  buffer: z
    .object({
      records: z.int().describe('records on the disk that the target has not confirmed'),
      octets: z.int().describe('room that they take'),
      oldest: Timestamp.nullable().describe('when the oldest one was found'),
      dropped: z.int().describe('records that gave way since this session began: no room, or too old'),
      error: z
        .string()
        .nullable()
        .describe('why the disk takes or gives none now; records go from memory then, under a session of their own'),
      error_message: MessageSchema.optional(),
    })
    .nullable()
    .describe('what waits on the disk; null: nothing is kept there'),
});
export type Publisher = z.infer<typeof Publisher>;

const byId = z.object({ id: queryInt(1, Number.MAX_SAFE_INTEGER) });

export const publishOperations = {
  publishers: operation({
    method: 'GET',
    path: '/api/publishers',
    summary: 'Publishers of the project: settings, state, and what was sent, waits and was lost',
    description: 'From memory; counters begin anew with each start and each change of a publisher. Of secrets it tells only which are set.',
    tag: 'service',
    effect: 'query',
    query: Nothing,
    body: Nothing,
    data: z.object({ items: z.array(Publisher).describe('in id order') }),
  }),
  setPublisher: operation({
    method: 'PUT',
    path: '/api/publishers',
    summary: 'Add a publisher, or set one anew',
    description:
      'Without `id` a new one is added, at most 8. It begins anew when its connection before this has ended: counters from 0, and the present values of all its points are sent. Setting it confirms that this project may publish to this ' +
      'target from this computer. Publishing reads no device and writes none; nothing that a broker sends reaches a device.',
    tag: 'service',
    effect: 'repeatable',
    example: { name: 'Plant' },
    query: Nothing,
    body: z.object({ id: Id.optional().describe('left out: a new one'), ...PublisherSettings.shape }),
    data: Publisher,
    errors: [404, 409, 507],
  }),
  deletePublisher: operation({
    method: 'DELETE',
    path: '/api/publishers',
    summary: 'Delete a publisher and its secrets; what waits is not sent',
    description:
      'A broker gets the status that says offline first, where it can be reached, and what Home Assistant was told is taken back. What it keeps of retained values stays with it.',
    tag: 'service',
    effect: 'repeatable',
    query: byId,
    body: Nothing,
    data: z.object({ deleted: Id }),
    errors: [404, 507],
  }),
  setPublisherSecrets: operation({
    method: 'PUT',
    path: '/api/publisher/secrets',
    summary: 'Set or remove the password of a broker or database, the token of InfluxDB 2, or the key that signs webhooks',
    description:
      'password (mqtt, sparkplug, postgresql, influxdb 1), token (influxdb 2) or key (webhook); null removes it. It lies in a file of the data folder outside the project, and is in no answer, export, text form or log. The publisher begins anew.',
    tag: 'service',
    effect: 'repeatable',
    example: { secrets: { password: '…' } },
    secretFields: ['secrets'],
    query: Nothing,
    body: z.object({
      id: Id,
      secrets: z.object({
        password: z.string().min(1).max(1000).nullable().optional().describe('of the broker or database'),
        token: z.string().min(1).max(1000).nullable().optional().describe('of InfluxDB 2, with the right to write to the bucket'),
        key: z.string().min(8).max(1000).nullable().optional().describe('signs each batch of a webhook (HMAC-SHA256), UTF-8'),
      }),
    }),
    data: Publisher,
    errors: [404, 507],
  }),
  confirmPublisher: operation({
    method: 'POST',
    path: '/api/publisher/confirm',
    summary: 'Confirm that this project may publish to this target from this computer',
    description:
      'A project that was made elsewhere, copied, moved, or read from its text form publishes nothing before. A target that is changed by another way than this service asks again.',
    tag: 'service',
    effect: 'repeatable',
    query: Nothing,
    body: z.object({ id: Id }),
    data: Publisher,
    errors: [404, 409, 507],
  }),
  testPublisher: operation({
    method: 'POST',
    path: '/api/publisher/test',
    summary: 'See whether the target of a publisher can be reached with its settings and secrets',
    description:
      'MQTT, Sparkplug B: connects under another client id and disconnects; nothing is published. Webhook: posts a batch without items. InfluxDB: posts no line. PostgreSQL: connects and looks at the table, which is made where it is to be. Nothing of it reaches a device. Refused before it was confirmed.',
    tag: 'service',
    effect: 'repeatable',
    query: Nothing,
    body: z.object({ id: Id }),
    data: z.object({ reached_in_ms: z.int() }),
    errors: [404, 409, 502, 503, 504],
  }),
} as const;
