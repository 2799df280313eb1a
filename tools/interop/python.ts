import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from '../lib/paths.ts';
import { installPackages, output } from './peer.ts';

/** Packages are fetched, and some are compiled. */
const INSTALL_MS = 900_000;
const isWindows = process.platform === 'win32';

/** How a foreign peer is started, or why it cannot be had. */
export type Program = { readonly program: string; readonly args: readonly string[] } | { readonly reason: string };

/** A package of PyPI of one pinned version, and our peer program on it. */
export interface PythonPeer {
  readonly name: string;
  readonly version: string;
  /** Optional parts of the package, as in `name[part]`. */
  readonly extra?: string;
  /** What it needs beside its own requirements, as `name==version`. */
  readonly also?: readonly string[];
  /** Path of the program below the root of the repository. */
  readonly script: string;
}

/** A peer program in Python, in an environment of its own below .interop/, which is made when it is not there yet. */
export function findPython({ name, version, extra, also = [], script }: PythonPeer): Program {
  const folder = inRoot('.interop', `${name}-${version}`);
  mkdirSync(inRoot('.interop'), { recursive: true });
  const python = join(folder, isWindows ? 'Scripts/python.exe' : 'bin/python');
  const installed = () => output(python, ['-c', `import importlib.metadata as m; print(m.version("${name}"))`])?.trim();
  if (!existsSync(python) || installed() !== version) {
    const system = isWindows ? 'python' : 'python3';
    if (output(system, ['--version']) === null) return { reason: `there is no ${system}` };
    const make = () => output(system, ['-m', 'venv', '--clear', folder]) !== null;
    if (!make() && !(installPackages('python3-venv') && make())) return { reason: 'python3 -m venv fails (Debian: python3-venv)' };
    const wanted = `${name}${extra ? `[${extra}]` : ''}==${version}`;
    const install = ['-m', 'pip', 'install', '--quiet', wanted, ...also];
    if (output(python, install, process.env, INSTALL_MS) === null || installed() !== version) {
      return { reason: `${name} ${version} cannot be installed from PyPI` };
    }
  }
  return { program: python, args: [inRoot(script)] };
}
