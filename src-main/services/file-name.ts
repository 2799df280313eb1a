import { AppError } from '#shared/domain/errors.ts';
import type { Message } from '#shared/messages/message.ts';

/** Letters of a name in a file name: 60 of three octets leave room for endings and drafts in the 255 octets that systems take. */
const LONGEST_ID = 60;

/** A name as the beginning of a file name that every system takes; `otherwise` where nothing of it is left. */
export function fileName(name: string, otherwise: string): string {
  return (
    name
      .replace(/[^\p{L}\p{N} ._-]+/gu, '_')
      .slice(0, 80)
      .trim() || otherwise
  );
}

/**
 * The id of something of the data folder: that of the one which has this name already, else one made of the letters and digits of the name, which no other
 * one has. Throws `CONFIG_INVALID` with `refusal` for a name without any.
 */
export function ownId(name: string, kept: readonly { readonly id: string; readonly name: string }[], refusal: Message): string {
  const known = kept.find((each) => each.name === name);
  if (known) return known.id;
  const words =
    name
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join('-')
      .slice(0, LONGEST_ID)
      .replace(/[\uD800-\uDBFF]$/, '') ?? '';
  if (words === '') throw new AppError('CONFIG_INVALID', refusal);
  const taken = new Set(kept.map(({ id }) => id));
  let id = `own-${words}`;
  for (let count = 2; taken.has(id); count++) id = `own-${words}-${count}`;
  return id;
}
