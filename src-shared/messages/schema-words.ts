import { english, say } from './index.ts';
import type { Message } from './message.ts';

/** What schemas say of their own accord, by its English words: a schema carries these only. */
const SAID = new Map<string, Message>();

/** Words for the `error` of a schema; `schemaMessage` finds the message again by them. */
export function schemaWords(said: Message): string {
  const text = english(said);
  SAID.set(text, said);
  return text;
}

/** The `error` of a field that must be `expected`, missing or not. */
export function mustBe(expected: Message): (issue: { readonly input?: unknown }) => string {
  const missing = schemaWords(say('field.missing', { expected }));
  const wrong = schemaWords(say('field.must_be', { expected }));
  return ({ input }) => (input === undefined ? missing : wrong);
}

/** The message whose words a schema said; undefined for words that it took from elsewhere. */
export function schemaMessage(text: string): Message | undefined {
  return SAID.get(text);
}
