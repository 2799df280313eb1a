/** What the connection doctor says of the layers of IEC 61850: selectors, association, model. */
import type { SentenceTemplate } from './sentence.ts';

export const IEC61850_DOCTOR_MESSAGES = {
  SELECTORS_ACCEPTED: { text: 'The device accepted the selectors.' },
} as const satisfies Record<string, SentenceTemplate>;
