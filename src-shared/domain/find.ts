/** What the search for meters remarks beside what it found: collisions and noise. The English sentences are those of the API; pages translate by code. */
import type { MessageParams } from '../messages/message.ts';
import { type SentenceTemplate, speak } from './sentence.ts';

/** Sentences by code; `{{name}}` is a parameter. */
export const FIND_MESSAGES = {
  FIND_COLLISION: {
    text: 'Several answers to {{pattern}} came at once on {{line}}; its open pairs were tried one by one from the low end.',
  },
  FIND_HIDDEN: {
    text: 'A meter answers {{pattern}} with open pairs instead of its number; the pairs were tried one by one from the low end.',
  },
  FIND_UNRESOLVED: {
    text: 'Several answers to {{pattern}} came at once, and {{found}} meters were found behind it.',
    next: 'Some meters answer no number with open pairs except AAAAAAAAAAAA; two meters may have one number. Disconnect half of the meters and search again.',
  },
  FIND_TWO: {
    text: 'Answers to the whole number {{pattern}} come in fragments.',
    next: 'Two meters may have this number; disconnect one of them. A disturbed line looks the same: check termination, bias and ground.',
  },
  FIND_NOISY: {
    text: 'Octets that form no frame follow question after question from {{pattern}} on; the search of {{line}} was given up.',
    next: 'Check termination, bias and ground, and that A and B are not swapped. Too short a wait also looks like this.',
  },
  FIND_OCTETS: {
    text: 'With {{line}} {{count}} octets came that form no frame, and no meter was found.',
    next: 'Meters answer with other settings, or the line is disturbed. Search with more baud rates and formats.',
  },
  FIND_BOUND: {
    text: 'The search ended after {{questions}} questions; there may be more meters.',
    next: 'Disconnect a part of the line and search again.',
  },
} as const satisfies Record<string, SentenceTemplate>;

export type FindCode = keyof typeof FIND_MESSAGES;
export const FIND_CODES = Object.keys(FIND_MESSAGES) as [FindCode, ...FindCode[]];

/** The English sentence of a code, and its next step; null where nothing is to be done. */
export function findSentence(code: FindCode, params: MessageParams): { readonly text: string; readonly next: string | null } {
  return speak(FIND_MESSAGES[code], params);
}
