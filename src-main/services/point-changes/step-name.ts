import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';

/** Steps that are named by their points. */
const NAMES = {
  add: ['edit.add_point', 'edit.add'],
  edit: ['edit.edit_point', 'edit.edit'],
  delete: ['edit.delete_point', 'edit.delete'],
  bulk: ['edit.bulk_point', 'edit.bulk'],
  fill: ['edit.fill_point', 'edit.fill'],
  duplicate: ['edit.duplicate_point', 'edit.duplicate'],
  replace_text: ['edit.replace_text_point', 'edit.replace_text'],
  mend: ['edit.mend_point', 'edit.mend'],
} as const;

/** What was done to points. */
export type PointDeed = keyof typeof NAMES;

/** How a request names its step: by how many points it changes, and the code of the first. */
export type StepName = (count: number, code: string) => Message;

/** Names a step by its only point, or by how many it changed. */
export function stepName(deed: PointDeed): StepName {
  const [one, many] = NAMES[deed];
  return (count, code) => (count === 1 ? say(one, { code }) : say(many, { count }));
}

/** Names a step that moved points into another channel. */
export function moveName(channel: string): StepName {
  return (count, code) => (count === 1 ? say('edit.move_point', { code, channel }) : say('edit.move', { count, channel }));
}

/** Names a step that took differences over from another table. */
export function takeName(source: string): StepName {
  return (count, code) => (count === 1 ? say('edit.take_point', { code, source }) : say('edit.take', { count, source }));
}

/** The name of a step that came as a file, or as rows from the clipboard. */
export function importName(file: string, { isReplace, isPaste }: { readonly isReplace: boolean; readonly isPaste: boolean }): Message {
  if (isPaste) return say(isReplace ? 'edit.paste_replace' : 'edit.paste');
  return say(isReplace ? 'edit.import_replace' : 'edit.import', { file });
}
