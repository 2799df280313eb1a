import { z } from 'zod';
import { CHANNEL_STATUSES } from '../domain/enums.ts';
import { lineOfText, MessageSchema, Nothing } from './common.ts';
import { operation } from './operation.ts';

/** Most services that one shows beside itself. */
export const MOST_REMOTES = 30;

const RemoteName = z
  .string()
  .trim()
  .min(1)
  .max(40)
  .regex(...lineOfText)
  .describe('what it is called here: the cabinet it stands in');

const RemoteAddress = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(...lineOfText)
  .describe('`https://10.0.0.7:8991` or `http://10.0.0.7:8991`, without a path; a bare `10.0.0.7` means http and port 8991');

const Fingerprint = z
  .string()
  .trim()
  .max(200)
  .nullable()
  .describe(
    'SHA-256 of its certificate, as the service prints it at its start; null: the certificate has to be one that this computer trusts',
  );

/** Another service as it may be shown: never its token. */
export const Remote = z.object({
  id: z.int().min(1),
  name: RemoteName,
  address: z.string(),
  fingerprint: z.string().nullable(),
  token_end: z.string().nullable().describe('last characters of the token; null: it is asked without one'),
});
export type Remote = z.infer<typeof Remote>;

export const RemoteChannel = z.object({
  id: z.int(),
  name: z.string(),
  group: z.string(),
  protocol_type: z.int(),
  status: z.enum(CHANNEL_STATUSES),
});
export type RemoteChannel = z.infer<typeof RemoteChannel>;

export const RemoteView = z.object({
  id: z.int(),
  name: z.string(),
  address: z.string(),
  is_reached: z.boolean(),
  trouble: MessageSchema.nullable().describe('why it is not reached, or does not tell its channels'),
  channels: z.array(RemoteChannel),
});
export type RemoteView = z.infer<typeof RemoteView>;

export const remoteOperations = {
  listRemotes: operation({
    method: 'GET',
    path: '/api/remotes/list',
    summary: 'Other services that this one shows, in the order of their names',
    description: 'From memory: nobody is asked. Of a token only the last characters are told.',
    tag: 'service',
    effect: 'query',
    query: Nothing,
    body: Nothing,
    data: z.object({ items: z.array(Remote) }),
  }),
  remoteChannels: operation({
    method: 'GET',
    path: '/api/remotes/channels',
    summary: 'The channels of all other services with their states',
    description:
      'Asks each of them, for 3 seconds at most and not more than once in 2 seconds, however many ask. Nothing is sent to a device. One that does not answer is in the list, with the reason. The whole API of each is below `/api/remote/<id>/`: `/api/remote/2/channel/list` is its `/api/channel/list`, asked with the token that is kept for it, by callers whose role allows the same here.',
    tag: 'service',
    effect: 'query',
    query: Nothing,
    body: Nothing,
    data: z.object({ items: z.array(RemoteView) }),
  }),
  lookRemote: operation({
    method: 'POST',
    path: '/api/remotes/look',
    summary: 'Ask who answers at an address, before it is added',
    description:
      'Nothing secret is sent. With HTTPS the answer has the fingerprint of the certificate: compare it with what the other service printed at its start. 502: something else than a Loopcheck answers; 503 and 504: nothing does.',
    tag: 'service',
    effect: 'repeatable',
    example: { address: 'https://192.168.1.20:8991' },
    query: Nothing,
    body: z.object({ address: RemoteAddress }),
    data: z.object({ address: z.string(), fingerprint: z.string().nullable() }),
    errors: [502, 503, 504],
  }),
  addRemote: operation({
    method: 'POST',
    path: '/api/remotes/add',
    summary: 'Show another service beside this one',
    description: `It is asked once, with the token, and kept only when it answers. At most ${MOST_REMOTES}. 409: there is one with this name or address, or it is this service itself. 502: it refuses the token, has another certificate, or is no Loopcheck.`,
    tag: 'service',
    effect: 'repeatable',
    example: { name: 'Cabinet', address: 'https://192.168.1.20:8991', token: 'token-that-was-made-there' },
    secretFields: ['token'],
    query: Nothing,
    body: z.object({
      name: RemoteName,
      address: RemoteAddress,
      token: z
        .string()
        .trim()
        .max(200)
        .regex(/^[\x21-\x7e]*$/, 'must be printable ASCII without spaces')
        .nullable()
        .default(null)
        .describe('a token that was made there; it is kept in the data folder, readable by its owner only'),
      fingerprint: Fingerprint.default(null),
    }),
    data: Remote,
    errors: [409, 502, 503, 504, 507],
  }),
  removeRemote: operation({
    method: 'DELETE',
    path: '/api/remotes/remove',
    summary: 'Show another service no longer, and forget its token',
    description: 'The token itself stays valid there until it is removed there. 404: there is none with this number.',
    tag: 'service',
    effect: 'repeatable',
    query: z.object({ id: z.coerce.number().int().min(1) }),
    body: Nothing,
    data: z.object({ removed: z.literal(true) }),
    errors: [404, 507],
  }),
} as const;
