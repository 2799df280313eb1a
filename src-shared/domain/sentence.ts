/** Sentences with parameters, as jobs tell what they have found. */

export interface SentenceTemplate {
  readonly text: string;
  /** What to do now; left out where nothing is to be done. */
  readonly next?: string;
}

/** Values that stand in a sentence. */
export type SentenceParams = Readonly<Record<string, string | number>>;

/** The sentence and its next step with `{{name}}` filled in; `next` is null where nothing is to be done. */
export function speak(sentence: SentenceTemplate, params: SentenceParams): { readonly text: string; readonly next: string | null } {
  const fill = (template: string) => template.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => String(params[name] ?? whole));
  return { text: fill(sentence.text), next: sentence.next === undefined ? null : fill(sentence.next) };
}
