import { resolve } from 'node:path';

/** Switches of the browser engine that a person may need, and that are not ours to judge. */
const ENGINE_SWITCH = /^--(no-sandbox|(disable|enable|force|use|ozone|inspect|remote|lang)\b.*)$/;
/** Switches before the folder of the program that take the next argument. */
const WITH_VALUE: readonly string[] = ['-r', '--require', '--import'];
/** Options of the service that take the next argument. */
const SERVICE_VALUES: readonly string[] = ['--host', '--port', '--data', '--project', '--token', '--token-file'];
const PROJECT_FILE = /\.loopcheck$/i;
/** Files that describe a device (IEC 61850-6), of which the window makes a channel. */
export const DEVICE_EXTENSIONS: readonly string[] = ['scd', 'icd', 'cid'];
const DEVICE_FILE = new RegExp(`\\.(?:${DEVICE_EXTENSIONS.join('|')})$`, 'i');
/** Ours: serve without a window. `--headless` belongs to the browser engine. */
const SERVE = '--serve';

export interface DesktopArguments {
  readonly isServe: boolean;
  /** What is left for the command line of the service. */
  readonly args: readonly string[];
  /** The file of a device that the explorer of the system hands over, as it was written; null: none. */
  readonly device: string | null;
}

/** A file that a second start was given; `elsewhere`: one of another computer, which is not touched. */
export interface OpenedFile {
  readonly kind: 'project' | 'device' | 'elsewhere';
  readonly path: string;
}

/** Takes apart the arguments behind the program (and, in development, behind the folder of the program). */
export function readArguments(argv: readonly string[], isPackaged: boolean): DesktopArguments {
  const own = argv.slice(isPackaged ? 1 : folderAt(argv) + 1);
  const args = own.filter((arg) => arg !== SERVE && !ENGINE_SWITCH.test(arg));
  const isServe = own.includes(SERVE);
  const at = fileAt(args, PROJECT_FILE);
  const withProject = at < 0 ? args : args.toSpliced(at, 1, '--project', args[at] ?? '');
  // without a window there is nobody to choose the device: the command line refuses the word
  const deviceAt = isServe ? -1 : fileAt(withProject, DEVICE_FILE);
  if (deviceAt < 0) return { isServe, args: withProject, device: null };
  return { isServe, args: withProject.toSpliced(deviceAt, 1), device: withProject[deviceAt] ?? null };
}

/**
 * The file that a second start was given by the explorer of the system, with its whole path; null for none. Whoever can start the program chooses these arguments: a project is
 * a path to ask a person about, a device file one to be read within limits and shown. One of another computer is only named: whoever touches it greets that computer with the
 * name and password of the user.
 */
export function openedFile(argv: readonly string[], folder: string): OpenedFile | null {
  const given = argv.slice(1);
  for (const [kind, pattern] of [
    ['project', PROJECT_FILE],
    ['device', DEVICE_FILE],
  ] as const) {
    const file = given[fileAt(given, pattern)];
    if (file === undefined || file.includes('\0')) continue;
    return isOfThisComputer(file, folder) ? { kind, path: resolve(folder, file) } : { kind: 'elsewhere', path: file };
  }
  return null;
}

function isOfThisComputer(file: string, folder: string): boolean {
  return !/^(?:[\\/]{2}|[a-z][a-z\d+.-]+:)/i.test(file) && !/^[\\/]{2}/.test(folder);
}

/** Place of a file among arguments, which is no value of an option; -1 for none. */
function fileAt(args: readonly string[], pattern: RegExp): number {
  return args.findIndex((arg, at) => !arg.startsWith('-') && pattern.test(arg) && !SERVICE_VALUES.includes(args[at - 1] ?? ''));
}

/** Place of the folder of the program: the first argument that is no switch; tools put theirs before it. */
function folderAt(argv: readonly string[]): number {
  let at = 1;
  while (argv[at]?.startsWith('-')) at += WITH_VALUE.includes(argv[at] ?? '') ? 2 : 1;
  return at;
}
