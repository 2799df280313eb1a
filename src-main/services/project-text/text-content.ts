import { type FieldIssue, fieldIssue } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { jsonPlace, nameTwice } from './json-place.ts';

/** A text as JSON, or why it is none. */
export type TextContent = { readonly content: unknown } | { readonly refusal: FieldIssue };

/** Marks that version control leaves in a file whose merge is not finished. */
const MERGE_MARK = /^(?:<{7}|={7}|>{7})(?: |$)/m;

/** Takes the octets of a text form apart. `hasNamesOnce` refuses a name that stands twice in an object; looking for one takes four times as long as the rest. */
export function parseText(octets: Uint8Array, { hasNamesOnce }: { readonly hasNamesOnce: boolean }): TextContent {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(octets);
  } catch {
    return { refusal: fieldIssue('', say('project.text_encoding')) };
  }
  try {
    const content: unknown = JSON.parse(text);
    // two lines of one merge: which of them is meant nobody can know
    const twice = hasNamesOnce ? nameTwice(text) : null;
    return twice ? { refusal: fieldIssue('', say('project.text_twice', { name: twice.name, line: twice.line })) } : { content };
  } catch {
    const mark = MERGE_MARK.exec(text);
    if (mark) return { refusal: fieldIssue('', say('project.text_merge', { line: text.slice(0, mark.index).split('\n').length })) };
    const { line, column } = jsonPlace(text) ?? { line: 1, column: 1 };
    return { refusal: fieldIssue('', say('project.text_not_json', { line, column })) };
  }
}
