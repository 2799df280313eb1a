import { z } from 'zod';
import { Id, Nothing, queryInt } from './common.ts';
import { operation } from './operation.ts';

/** Which secrets of a channel are set; what they are is never answered. */
export const ChannelSecrets = z.object({
  channel_id: Id,
  secrets: z.record(z.string(), z.boolean()).describe('for each secret of the protocol, in the order of its form: true when it is set'),
});
export type ChannelSecrets = z.infer<typeof ChannelSecrets>;

export const secretOperations = {
  channelSecrets: operation({
    method: 'GET',
    path: '/api/channel/secrets',
    summary: 'Which passwords and codes of a channel are set; never their values',
    description: 'Names and whether each is set. They lie in the data folder and not in the project.',
    tag: 'channels',
    effect: 'query',
    query: z.object({ channel_id: queryInt(1, Number.MAX_SAFE_INTEGER) }),
    body: Nothing,
    data: ChannelSecrets,
    errors: [404],
  }),
  updateChannelSecrets: operation({
    method: 'PUT',
    path: '/api/channel/secrets',
    summary: 'Set or remove passwords and codes of a channel',
    description:
      'GET /api/channel/protocols describes the secrets of each protocol (`secrets_schema`). null removes one; those that are not named stay. They ' +
      'lie in a file of the data folder outside the project, take effect with the next use, and are in no answer, export, backup or log.',
    tag: 'channels',
    effect: 'repeatable',
    example: { secrets: { password_02: '…' } },
    secretFields: ['secrets'],
    query: Nothing,
    body: z.object({ channel_id: Id, secrets: z.record(z.string().max(100), z.string().max(1000).nullable()) }),
    data: ChannelSecrets,
    errors: [404, 409, 507],
  }),
} as const;
