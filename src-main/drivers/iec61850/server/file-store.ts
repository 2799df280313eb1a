/** Files of the simulated device, to list and to read (IEC 61850-8-1, clause 23). */
import type { FileAttributes, FileEntry, MmsResponse, ServiceError } from '../mms/pdu.ts';
import { SERVICE_ERROR } from '../mms/words.ts';
import { compareNames } from './name-space.ts';
import { serviceError } from './service-error.ts';

/** A file with its whole content. */
export interface ServedFile {
  readonly name: string;
  readonly octets: Uint8Array;
  /** UTC milliseconds. */
  readonly modifiedMs: number;
}

const MOST_OPEN = 8;
/** Handles stay positive in every stack. */
const MOST_HANDLE = 0x7fff_ffff;
/** Longest tags, lengths and numbers around the octets of a FileRead. */
const READ_FRAME_OCTETS = 4 + 7 + 5 + 4 + 3;
const ENTRY_FRAME_OCTETS = 40;

/** Files an association has open. */
export type OpenFiles = Map<number, { readonly file: ServedFile; position: number }>;

/** Answers the file services. */
export class FileStore {
  #files: readonly ServedFile[];
  #nextHandle = 0;

  constructor(files: readonly ServedFile[]) {
    this.#files = [];
    this.update(files);
  }

  update(files: readonly ServedFile[]): void {
    this.#files = [...files].sort((one, other) => compareNames(one.name, other.name));
  }

  /**
   * Files whose name is or lies below `name`, behind `after`; `*` means every name, as clients ask for a whole directory. Nothing found is
   * no error but for a name that names one file.
   */
  directory(name: readonly string[] | null, after: readonly string[] | null, maxOctets: number): MmsResponse | ServiceError {
    const wanted = plainName(name ?? []).replace(/(?:^|\/)\*$/, '');
    const found = this.#files.filter((file) => wanted === '' || plainName([file.name]) === wanted || file.name.startsWith(`${wanted}/`));
    if (found.length === 0 && wanted !== '') return serviceError(SERVICE_ERROR.fileNonExistent);
    const behind = after === null ? found : found.filter((file) => compareNames(file.name, after.join('')) > 0);
    const entries: FileEntry[] = [];
    let octets = ENTRY_FRAME_OCTETS;
    for (const file of behind) {
      octets += file.name.length + ENTRY_FRAME_OCTETS;
      if (octets > maxOctets && entries.length > 0) break;
      entries.push({ name: [file.name], ...attributesOf(file) });
    }
    return { service: 'file-directory', entries, moreFollows: entries.length < behind.length };
  }

  open(name: readonly string[], position: number, files: OpenFiles): MmsResponse | ServiceError {
    const file = this.#files.find((each) => plainName([each.name]) === plainName(name));
    if (!file) return serviceError(SERVICE_ERROR.fileNonExistent);
    if (position > file.octets.length) return serviceError(SERVICE_ERROR.positionInvalid);
    if (files.size >= MOST_OPEN) return serviceError(SERVICE_ERROR.resourceOther);
    const handle = this.#nextHandle;
    this.#nextHandle = handle >= MOST_HANDLE ? 0 : handle + 1;
    files.set(handle, { file, position });
    return { service: 'file-open', handle, attributes: attributesOf(file) };
  }

  read(handle: number, files: OpenFiles, maxOctets: number): MmsResponse | ServiceError {
    const open = files.get(handle);
    if (!open) return serviceError(SERVICE_ERROR.fileOther);
    const end = Math.min(open.file.octets.length, open.position + Math.max(1, maxOctets - READ_FRAME_OCTETS));
    const octets = open.file.octets.subarray(open.position, end);
    open.position = end;
    return { service: 'file-read', octets, moreFollows: end < open.file.octets.length };
  }

  close(handle: number, files: OpenFiles): MmsResponse | ServiceError {
    return files.delete(handle) ? { service: 'file-close' } : serviceError(SERVICE_ERROR.fileOther);
  }
}

/** Parts put together, without slashes at the ends: `/COMTRADE/` is `COMTRADE`. */
function plainName(name: readonly string[]): string {
  return name
    .join('')
    .replaceAll('\\', '/')
    .replace(/^\/+|\/+$/g, '');
}

function attributesOf({ octets, modifiedMs }: ServedFile): FileAttributes {
  const digits = new Date(modifiedMs).toISOString().replaceAll(/[-:T]/g, '');
  return { size: octets.length, modified: digits };
}
