import type { RecordedEntry, RecordFile } from '#shared/domain/check-record.ts';
import { filled } from '../words.ts';
import type { Context } from './context.ts';
import { el } from './dom.ts';

/** Pictures that every browser shows and that hold no script. */
const PICTURES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp'];

/** A file as a picture; null for one that is none. */
export function picture({ media_type, base64, name }: RecordFile, className: string): HTMLElement | null {
  if (!PICTURES.includes(media_type)) return null;
  return el(`img.${className}`, { src: `data:${media_type};base64,${base64}`, alt: name });
}

/** Files that belong to a result, pictures shown; null where there are none. */
export function attachments({ words, files }: Context, { entry }: RecordedEntry): HTMLElement | null {
  const all = entry.attachments ?? [];
  if (all.length === 0) return null;
  const text = words.record;
  return el(
    'div.attachments',
    {},
    el('h5', {}, text.attachments),
    ...all.map(({ sha256, name, media_type, size }) => {
      const file = files.get(sha256);
      const line = filled(text.attachment, { name, type: media_type, size, digest: sha256 });
      return el('figure', {}, file ? picture(file, 'attached') : null, el('figcaption', {}, file ? line : `${line} (${text.missingFile})`));
    }),
  );
}
