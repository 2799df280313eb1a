import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import semver from 'semver';
import { z } from 'zod';
import { root } from './paths.ts';

/** What is looked at of npm's lock file; the rest passes through as it is. */
interface LockFile {
  readonly packages: Record<string, { readonly version?: string; engines?: unknown }>;
}

const packageSchema = z.looseObject({ engines: z.looseObject({ node: z.string().optional() }).optional().catch(undefined) });

export interface EngineReport {
  /** Installed packages looked at; 0 would mean that nothing was checked. */
  readonly packages: number;
  readonly problems: readonly string[];
}

/**
 * Compares every installed package's `engines.node` with the Node that runs it: the one of the `node` package. npm compares with the Node
 * on which npm itself runs, of whatever version the computer has, and would warn of packages that never run there; so the lock file holds no
 * `engines`, which is checked here too.
 *
 * @param baseDir folder of `package-lock.json` and `node_modules`
 */
export function checkEngines(baseDir: string = root): EngineReport {
  const { packages } = readLock(baseDir);
  const node = packages['node_modules/node']?.version;
  if (node === undefined) return { packages: 0, problems: ['package-lock.json has no package node'] };
  const problems: string[] = [];
  let seen = 0;
  for (const [path, { engines }] of Object.entries(packages)) {
    if (path === '') continue;
    if (engines !== undefined) problems.push(`${path}: package-lock.json holds its engines; run: npm run engines -- --write`);
    // A package for another platform is not installed.
    if (!existsSync(join(baseDir, path, 'package.json'))) continue;
    seen += 1;
    const range = packageSchema.parse(JSON.parse(readFileSync(join(baseDir, path, 'package.json'), 'utf8'))).engines?.node;
    if (range !== undefined && !semver.satisfies(node, range)) problems.push(`${path}: needs Node ${range}, and runs on ${node}`);
  }
  return { packages: seen, problems };
}

/** Takes the `engines` of packages out of the lock file of `baseDir`; the project's own stay. */
export function dropLockedEngines(baseDir: string = root): void {
  const lock = readLock(baseDir);
  for (const [path, entry] of Object.entries(lock.packages)) if (path !== '') delete entry.engines;
  writeFileSync(join(baseDir, 'package-lock.json'), `${JSON.stringify(lock, null, 2)}\n`);
}

function readLock(baseDir: string): LockFile {
  return JSON.parse(readFileSync(join(baseDir, 'package-lock.json'), 'utf8')) as LockFile;
}
