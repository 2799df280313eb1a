/** Sentences by codes of their own, with parameters and a next step: what jobs find, what is wrong with a table, what the service warns of. */
import { english, say } from '../messages/index.ts';
import { fill, type MessageParams } from '../messages/message.ts';

export interface SentenceTemplate {
  readonly text: string;
  /** What to do now; left out where nothing is to be done. */
  readonly next?: string;
}

/** The sentence and its next step in English, with `{{name}}` filled in; `next` is null where nothing is to be done. */
export function speak(sentence: SentenceTemplate, params: MessageParams): { readonly text: string; readonly next: string | null } {
  const look = (name: string) => {
    const param = params[name];
    return param === undefined ? undefined : english(say('common.list', { parts: param }));
  };
  return { text: fill(sentence.text, look), next: sentence.next === undefined ? null : fill(sentence.next, look) };
}
