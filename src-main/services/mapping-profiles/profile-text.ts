/** A profile as the text of a file. */
import { z } from 'zod';
import { ListProfile } from '#shared/contract/list-operations.ts';
import { quoted, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';

const KIND = 'loopcheck-list-profile';

/** What the file of a profile holds. */
const ProfileFile = z.object({
  kind: z.literal(KIND),
  version: z.literal(1),
  ...ListProfile.pick({ name: true, headers: true, mapping: true }).shape,
  about: ListProfile.shape.about.default(''),
  formats: ListProfile.shape.formats.default([]),
});

/** A profile that has no place yet. */
export type ProfileDraft = Omit<z.output<typeof ProfileFile>, 'kind' | 'version'>;

/** Writes the text of a file. */
export function profileText({ name, about, headers, formats, mapping }: ProfileDraft): string {
  return `${JSON.stringify({ kind: KIND, version: 1, name, about, headers, formats, mapping }, null, 2)}\n`;
}

/** Reads the text of a file; a message that says why it is none. */
export function parseProfile(text: string): ProfileDraft | Message {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return say('list.profile_no_json');
  }
  const parsed = ProfileFile.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return say('list.profile_no_file', { detail: quoted(`${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim()) });
  }
  const { kind: _, version: __, ...draft } = parsed.data;
  return draft;
}
