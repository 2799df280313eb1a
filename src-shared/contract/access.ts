import { z } from 'zod';
import { ROLES } from '../domain/access.ts';
import { lineOfText, Nothing, Timestamp } from './common.ts';
import { operation } from './operation.ts';

export const RoleSchema = z
  .enum(ROLES)
  .describe(
    'view: every query; operate: also start, stop, read, write, jobs and checks; configure: also channels, points, projects, settings and accesses',
  );

/** Who an access is for. Longer names would not fit where the audit shows them. */
export const AccessName = z
  .string()
  .trim()
  .min(1)
  .max(40)
  .regex(...lineOfText)
  .describe('person or program it is for; told in the audit');

/** An access as it may be shown: never its token. */
export const Access = z.object({
  name: AccessName,
  role: RoleSchema,
  token_end: z.string().describe('last characters of the token, to tell it from others'),
  made_at: Timestamp,
  used_at: Timestamp.nullable().describe('last request with it since the service started; null: none'),
});
export type Access = z.infer<typeof Access>;

/** Most accesses of one service. */
export const MOST_ACCESSES = 50;

export const accessOperations = {
  listAccesses: operation({
    method: 'GET',
    path: '/api/access/list',
    summary: 'Tokens with a name and a role, in the order they were made',
    description: 'Never the tokens: of each its last characters, to tell it from others, and when it was used last.',
    tag: 'service',
    effect: 'query',
    role: 'configure',
    query: Nothing,
    body: Nothing,
    data: z.object({
      items: z.array(Access),
      is_open: z
        .boolean()
        .describe('true: a request without a token passes as well, and may do everything; only on 127.0.0.1 without a token of the start'),
    }),
  }),
  addAccess: operation({
    method: 'POST',
    path: '/api/access/add',
    summary: 'Make a token with a name and a role; this answer is the only one that shows it',
    description: `It holds at once. The data folder keeps a digest of it, never the token. At most ${MOST_ACCESSES}. 409: there is one with this name, or as many as there may be.`,
    tag: 'service',
    effect: 'repeatable',
    example: { name: 'Li' },
    query: Nothing,
    body: z.object({ name: AccessName, role: RoleSchema }),
    data: Access.extend({ token: z.string() }),
    errors: [409, 507],
  }),
  updateAccess: operation({
    method: 'PUT',
    path: '/api/access/update',
    summary: 'Give an access another role; its token stays, and the role holds from the next request on',
    description: '404: there is none with this name.',
    tag: 'service',
    effect: 'repeatable',
    example: { name: 'Li', role: 'operate' },
    query: Nothing,
    body: z.object({ name: AccessName, role: RoleSchema }),
    data: Access,
    errors: [404, 507],
  }),
  removeAccess: operation({
    method: 'DELETE',
    path: '/api/access/remove',
    summary: 'Forget an access; its token is refused from now on, and streams that it opened end',
    description: '404: there is none with this name. What was written with it stays in the audit under its name.',
    tag: 'service',
    effect: 'repeatable',
    query: z.object({ name: AccessName }),
    body: Nothing,
    data: z.object({ removed: z.literal(true) }),
    errors: [404, 507],
  }),
} as const;
