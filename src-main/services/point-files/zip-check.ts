import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { TableFileFault } from './table-file.ts';

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const END_LENGTH = 22;
const LONGEST_COMMENT = 65_535;
const ENTRY_LENGTH = 46;

/** A workbook of 100,000 points is about 100 MiB when unpacked. */
const MOST_UNPACKED = 384 * 1024 * 1024;
const MOST_ENTRIES = 2_000;
/** Deflate cannot do better than about 1032 : 1. */
const BEST_RATIO = 1_100;

/**
 * Refuses a zip archive that would unpack to more than a point table ever needs, by its own directory. The reader of the entries stops
 * at the sizes named there, so a directory that lies makes a broken file, not a large one. Throws `TableFileFault`.
 */
export function checkZip(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findEnd(view);
  if (end < 0) throw broken(say('table.end_missing'));
  const count = view.getUint16(end + 10, true);
  let place = view.getUint32(end + 16, true);
  if (count > MOST_ENTRIES) throw tooLarge();
  let unpacked = 0;
  for (let entry = 0; entry < count; entry++) {
    if (place + ENTRY_LENGTH > bytes.length || view.getUint32(place, true) !== DIRECTORY_ENTRY)
      throw broken(say('table.directory_damaged'));
    const packed = view.getUint32(place + 20, true);
    const size = view.getUint32(place + 24, true);
    // A size that is left open would be no bound for the reader.
    if (size === 0 && packed > 2) throw broken(say('table.size_missing'));
    if (size > packed * BEST_RATIO + 1024) throw tooLarge();
    unpacked += size;
    if (unpacked > MOST_UNPACKED) throw tooLarge();
    place += ENTRY_LENGTH + view.getUint16(place + 28, true) + view.getUint16(place + 30, true) + view.getUint16(place + 32, true);
  }
}

function findEnd(view: DataView): number {
  const first = Math.max(0, view.byteLength - END_LENGTH - LONGEST_COMMENT);
  for (let place = view.byteLength - END_LENGTH; place >= first; place--) {
    if (view.getUint32(place, true) === END_OF_DIRECTORY) return place;
  }
  return -1;
}

function broken(detail: Message): TableFileFault {
  return new TableFileFault('file_unreadable', { detail });
}

function tooLarge(): TableFileFault {
  return new TableFileFault('file_too_large', { megabytes: MOST_UNPACKED / 1024 / 1024 });
}
