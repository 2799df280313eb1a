/** What the connection doctor says of the layers of IEC 104: start of data transfer, sizes of the fields, common address. */
import type { SentenceTemplate } from './sentence.ts';

export const IEC104_DOCTOR_MESSAGES = {
  STARTDT_CONFIRMED: { text: 'The station confirmed the start of data transfer after {{ms}} ms.' },
} as const satisfies Record<string, SentenceTemplate>;
