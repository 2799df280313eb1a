import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';

const WORDS: Readonly<Record<string, Message>> = {
  ENOSPC: say('system.disk_full'),
  EDQUOT: say('system.disk_full'),
  EACCES: say('system.no_permission'),
  EPERM: say('system.no_permission'),
  EROFS: say('system.read_only_drive'),
  ENOENT: say('system.no_folder'),
  ENOTDIR: say('system.no_folder'),
  EEXIST: say('system.no_folder'),
  EBUSY: say('system.used'),
  EMFILE: say('system.too_many_files'),
  ENFILE: say('system.too_many_files'),
  EIO: say('system.drive_error'),
};

/** What a call of the file system failed of, in words, with its code. */
export function systemSaid(thrown: unknown): Message {
  const code = thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
  const what = Object.hasOwn(WORDS, code) ? (WORDS[code] as Message) : say('system.other');
  return code === '' ? what : say('system.with_code', { what, code });
}
