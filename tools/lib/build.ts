import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from './paths.ts';
import { runTool } from './run.ts';

const SOURCES = [
  'src-main',
  'src-preload',
  'src-record',
  'src-renderer',
  'src-shared',
  'resources',
  'package.json',
  'electron.vite.config.ts',
];
const OUTPUTS = [
  'out/main/index.js',
  'out/main/headless.js',
  'out/main/table-worker.js',
  'out/main/document-worker.js',
  'out/main/text-worker.js',
  'out/main/project-worker.js',
  'out/main/history-worker.js',
  'out/main/buffer-worker.js',
  'out/main/record-worker.js',
  'out/demo/demo.loopcheck.gz',
  'out/demo/marks.json',
  'out/record/view.js',
  'out/record/view.css',
  'out/preload/index.cjs',
  'out/renderer/index.html',
];

/** Time of the newest file at or below `path`, in milliseconds since 1970. */
function newest(path: string): number {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return readdirSync(path).reduce((latest, name) => Math.max(latest, newest(join(path, name))), 0);
}

function isFresh(): boolean {
  if (!OUTPUTS.every((path) => existsSync(inRoot(path)))) return false;
  const oldestOutput = Math.min(...OUTPUTS.map((path) => statSync(inRoot(path)).mtimeMs));
  return SOURCES.every((path) => newest(inRoot(path)) < oldestOutput);
}

/** Builds main process, preload and pages into out/, unless they are newer than every source. Throws when the build fails. */
export async function buildIfNeeded(): Promise<void> {
  if (isFresh()) return;
  // the standard output belongs to what is run behind it: a command whose JSON somebody reads
  console.error('Building Loopcheck …');
  const ended = await runTool('electron-vite/bin/electron-vite.js', ['build', '--logLevel', 'warn'], { stdio: ['inherit', 2, 2] });
  if (ended.code !== 0) throw new Error('The build failed; its messages are above.');
}
