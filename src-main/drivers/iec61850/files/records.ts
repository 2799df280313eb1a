/** Disturbance records among the files of a device (IEEE C37.111, COMTRADE; IEC 61850-8-1, 23): files of one name that belong together. */

export interface ListedFile {
  /** With its directory, as the device writes it. */
  readonly name: string;
  readonly size: number;
}

export interface FileRecord {
  /** Name without the ending. */
  readonly record: string;
  /** Names of the files, the one with the header first. */
  readonly files: readonly string[];
  readonly size: number;
  /** False where the samples are missing. */
  readonly is_complete: boolean;
}

/** Endings of the files of a record, the header first; a CFF holds all of them. */
const ENDINGS = ['cfg', 'dat', 'hdr', 'inf'];

/** The records of a list, in its order. A record is there where its header is. */
export function recordsOf(files: readonly ListedFile[]): FileRecord[] {
  const groups = new Map<string, Map<string, ListedFile>>();
  for (const file of files) {
    const [, base = '', ending = ''] = /^(.*)\.([A-Za-z0-9]+)$/.exec(file.name) ?? [];
    const key = base.toLowerCase();
    const known = groups.get(key) ?? new Map<string, ListedFile>();
    groups.set(key, known.set(ending.toLowerCase(), file));
  }
  return [...groups.values()].flatMap((group) => {
    const whole = group.get('cff');
    const parts = ENDINGS.flatMap((ending) => group.get(ending) ?? []);
    if (whole) return [recordOf([whole], true)];
    return group.has('cfg') ? [recordOf(parts, group.has('dat'))] : [];
  });
}

function recordOf(files: readonly ListedFile[], isComplete: boolean): FileRecord {
  const [first] = files;
  return {
    record: (first?.name ?? '').replace(/\.[A-Za-z0-9]+$/, ''),
    files: files.map(({ name }) => name),
    size: files.reduce((sum, { size }) => sum + size, 0),
    is_complete: isComplete,
  };
}
