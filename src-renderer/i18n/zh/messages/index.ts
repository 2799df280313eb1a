import type { MESSAGES } from '#shared/messages/index.ts';
import type { Translation } from '../../types.ts';
import { common } from './common.ts';

/** The Chinese sentence of each message of the service, room by room. */
export const messages: Translation<typeof MESSAGES> = {
  ...common,
};
