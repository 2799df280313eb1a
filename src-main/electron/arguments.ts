/** Switches of the browser engine that a person may need, and that are not ours to judge. */
const ENGINE_SWITCH = /^--(no-sandbox|(disable|enable|force|use|ozone|inspect|remote|lang)\b.*)$/;
/** Switches before the folder of the program that take the next argument. */
const WITH_VALUE: readonly string[] = ['-r', '--require', '--import'];
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
  return { isServe: own.includes(SERVE), args: own.filter((arg) => arg !== SERVE && !ENGINE_SWITCH.test(arg)) };
}

/** Place of the folder of the program: the first argument that is no switch; tools put theirs before it. */
function folderAt(argv: readonly string[]): number {
  let at = 1;
  while (argv[at]?.startsWith('-')) at += WITH_VALUE.includes(argv[at] ?? '') ? 2 : 1;
  return at;
}
