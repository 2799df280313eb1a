/** Switches of the browser engine that a person may need, and that are not ours to judge. */
const ENGINE_SWITCH = /^--(no-sandbox|(disable|enable|force|use|ozone|inspect|remote|lang)\b.*)$/;
/** Ours: serve without a window. `--headless` belongs to the browser engine. */
const SERVE = '--serve';

export interface DesktopArguments {
  readonly isServe: boolean;
  /** What is left for the command line of the service. */
  readonly args: readonly string[];
}

/** Takes apart the arguments behind the program (and, in development, behind the folder of the program). */
export function readArguments(argv: readonly string[], isPackaged: boolean): DesktopArguments {
  const own = argv.slice(isPackaged ? 1 : 2);
  return { isServe: own.includes(SERVE), args: own.filter((arg) => arg !== SERVE && !ENGINE_SWITCH.test(arg)) };
}
