import { createHash } from 'node:crypto';
import type { CheckFileType } from '#shared/domain/check.ts';
import { AppError, invalidField } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { CheckFileContent } from '../../persistence/check-repositories.ts';
import type { Handlers } from '../handlers.ts';
import type { ServiceDeps } from '../ports.ts';
import { CheckBook } from './check-book.ts';
import { fileType } from './file-type.ts';
import { requireRoom } from './merge-files.ts';
import { appendByHand, resultRow } from './results.ts';
import { sessionRow } from './sessions.ts';

type FileHandlers = Pick<Handlers, 'attachToCheck' | 'checkFile' | 'setCheckLogo' | 'removeCheckLogo'>;

const IMAGES: readonly (CheckFileType | null)[] = ['image/png', 'image/jpeg', 'image/webp'];
const LONGEST_NAME = 200;

/** Attachments of results, and the logo of the record. */
export function checkFileHandlers(deps: ServiceDeps): FileHandlers {
  return {
    async attachToCheck({ session_id, item, operator, remark, file }) {
      const { uuid } = CheckBook.of(deps).find(session_id);
      const attachment = { kind: 'attachment', ...(await contentOf(file)) } as const;
      const said = { verdict: 'remark', operator, remark, took_ms: null } as const;
      return resultRow(await appendByHand(deps, session_id, item ?? uuid, said, attachment));
    },
    checkFile({ session_id, sha256 }) {
      const book = CheckBook.of(deps);
      const found = book.store.file(book.find(session_id).id, sha256);
      if (!found) throw new AppError('CONFIG_NOT_FOUND', say('check.no_file', { sha256 }));
      return { name: found.name, mediaType: found.mediaType, bytes: found.octets };
    },
    async setCheckLogo({ session_id, file }) {
      CheckBook.of(deps).find(session_id);
      const content = await contentOf(file);
      if (!IMAGES.includes(content.mediaType)) throw invalidField('file', say('check.no_image'));
      const book = CheckBook.of(deps);
      const check = book.find(session_id);
      requireRoom(book.store, check.id, content.size);
      book.store.setLogo(check.id, { kind: 'logo', ...content });
      return sessionRow(deps, check);
    },
    removeCheckLogo({ session_id }) {
      const book = CheckBook.of(deps);
      const check = book.find(session_id);
      book.store.setLogo(check.id, null);
      return sessionRow(deps, check);
    },
  };
}

/** A file that arrived. Throws `CONFIG_INVALID` for a type that no session takes. */
async function contentOf(file: File): Promise<Omit<CheckFileContent, 'kind'>> {
  const octets = new Uint8Array(await file.arrayBuffer());
  const mediaType = fileType(octets);
  if (mediaType === null) throw invalidField('file', say('check.file_type'));
  const sha256 = createHash('sha256').update(octets).digest('hex');
  return { sha256, name: plainName(file.name), mediaType, size: octets.length, octets };
}

/** The name of a file without folders and without characters that no line has. */
function plainName(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? '';
  const plain = last.replace(/[\p{Cc}\p{Cs}]/gu, '_').trim();
  return [...plain].slice(0, LONGEST_NAME / 2).join('') || 'file';
}
