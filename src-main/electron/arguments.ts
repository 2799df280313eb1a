import { resolve } from 'node:path';

/** Switches of the browser engine that a person may need, and that are not ours to judge. */
const ENGINE_SWITCH = /^--(no-sandbox|(disable|enable|force|use|ozone|inspect|remote|lang)\b.*)$/;
/** Switches before the folder of the program that take the next argument. */
const WITH_VALUE: readonly string[] = ['-r', '--require', '--import'];
/** Options of the service that take the next argument. */
const SERVICE_VALUES: readonly string[] = ['--host', '--port', '--data', '--project', '--token', '--token-file'];
const PROJECT_FILE = /\.loopcheck$/i;
/** Ours: serve without a window. `--headless` belongs to the browser engine. */
const SERVE = '--serve';

export interface DesktopArguments {
  readonly isServe: boolean;
  /** What is left for the command line of the service. */
  readonly args: readonly string[];
}

/** Takes apart the arguments behind the program (and, in development, behind the folder of the program). */
export function readArguments(argv: readonly string[], isPackaged: boolean): DesktopArguments {
  const own = argv.slice(isPackaged ? 1 : folderAt(argv) + 1);
  const args = own.filter((arg) => arg !== SERVE && !ENGINE_SWITCH.test(arg));
  const at = fileAt(args);
  return { isServe: own.includes(SERVE), args: at < 0 ? args : args.toSpliced(at, 1, '--project', args[at] ?? '') };
}

/**
 * The project file that a second start was given by the explorer of the system, as a whole path; null for none. Whoever can start the program chooses these arguments: what
 * comes back is a path to ask a person about, and never one on another computer, which would be greeted with the name and password of the user.
 */
export function openedProject(argv: readonly string[], folder: string): string | null {
  const given = argv.slice(1);
  const file = given[fileAt(given)];
  if (file === undefined || /^(?:[\\/]{2}|[a-z][a-z\d+.-]+:)/i.test(file) || /^[\\/]{2}/.test(folder)) return null;
  return resolve(folder, file);
}

/** Place of a project file among arguments, which is no value of an option; -1 for none. */
function fileAt(args: readonly string[]): number {
  return args.findIndex((arg, at) => !arg.startsWith('-') && PROJECT_FILE.test(arg) && !SERVICE_VALUES.includes(args[at - 1] ?? ''));
}

/** Place of the folder of the program: the first argument that is no switch; tools put theirs before it. */
function folderAt(argv: readonly string[]): number {
  let at = 1;
  while (argv[at]?.startsWith('-')) at += WITH_VALUE.includes(argv[at] ?? '') ? 2 : 1;
  return at;
}
