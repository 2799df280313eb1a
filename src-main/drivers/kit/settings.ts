import { z } from 'zod';
import { ON_CLIENT, onlyWith } from '#shared/domain/setting-meta.ts';

/** The channel setting of protocols whose frames carry no number. */
export const tellingRequests = z
  .boolean()
  .default(true)
  .describe(
    'where an answer could be that to an earlier request, one request more tells: a shorter read, another identifier, or a Modbus loopback (function 8)',
  )
  .meta(ON_CLIENT);

/** Channel settings of protocols whose lines can be listened to while another master asks. */
export const listenSettings = {
  listen_only: z
    .enum(['off', 'on'])
    .default('off')
    .describe('nothing is ever sent: the table is filled from what another master reads on the same line')
    .meta(ON_CLIENT),
  heard_limit_s: z
    .int()
    .min(1)
    .max(86_400)
    .default(60)
    .describe('a value that was not heard for so long is not current any more, in seconds')
    .meta({ ...ON_CLIENT, ...onlyWith('listen_only', 'on') }),
};
