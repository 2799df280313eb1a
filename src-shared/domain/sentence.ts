/** Sentences with parameters and a next step, as jobs tell what they have found. */
import { fill } from '../messages/message.ts';

export interface SentenceTemplate {
  readonly text: string;
  /** What to do now; left out where nothing is to be done. */
  readonly next?: string;
}

/** Values that stand in a sentence. */
export type SentenceParams = Readonly<Record<string, string | number>>;

/** The sentence and its next step with `{{name}}` filled in; `next` is null where nothing is to be done. */
export function speak(sentence: SentenceTemplate, params: SentenceParams): { readonly text: string; readonly next: string | null } {
  const look = (name: string) => (params[name] === undefined ? undefined : String(params[name]));
  return { text: fill(sentence.text, look), next: sentence.next === undefined ? null : fill(sentence.next, look) };
}
