import { z } from 'zod';
import { ON_CLIENT } from '#shared/domain/setting-meta.ts';

/** The channel setting of protocols whose frames carry no number. */
export const tellingRequests = z
  .boolean()
  .default(true)
  .describe(
    'where an answer could be that to an earlier request, one request more tells: a shorter read, another identifier, or a Modbus loopback (function 8)',
  )
  .meta(ON_CLIENT);
