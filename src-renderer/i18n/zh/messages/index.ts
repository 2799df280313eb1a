import type { MESSAGES } from '#shared/messages/index.ts';
import type { Translation } from '../../types.ts';
import { transport } from './transport.ts';
import { common } from './common.ts';
import { http } from './http.ts';
import { iec61850 } from './iec61850.ts';
import { jobs } from './jobs.ts';
import { runtime } from './runtime.ts';
import { service } from './service.ts';
import { stage } from './stage.ts';

/** The Chinese sentence of each message of the service, room by room. */
export const messages: Translation<typeof MESSAGES> = {
  ...common,
  ...transport,
  ...iec61850,
  ...jobs,
  ...service,
  ...runtime,
  ...http,
  ...stage,
};
