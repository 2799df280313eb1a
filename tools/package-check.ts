/**
 * `npm run package:check`: packages for Linux and Windows from stand-ins for Electron, without the network, looks at what is in
 * them, then starts the service from the Linux package and reads a value. Says what it checked; exit code 1 when something fails.
 */
import { buildIfNeeded } from './lib/build.ts';
import { assemblePackage } from './package/assemble.ts';
import type { Target } from './package/dummy-electron.ts';
import { inspectPackage } from './package/inspect.ts';
import { tryHeadless } from './package/try-headless.ts';

let failures = 0;

function passed(line: string): void {
  console.log(`  ok    ${line}`);
}

function failed(line: string): void {
  failures += 1;
  console.error(`  FAIL  ${line}`);
}

async function checkPackage(target: Target): Promise<void> {
  console.log(`package for ${target}:`);
  const folder = await assemblePackage(target);
  const inspection = inspectPackage(folder, target);
  inspection.passed.forEach(passed);
  inspection.failed.forEach(failed);
  if (target !== 'linux' || process.platform !== 'linux') return;
  const reading = await tryHeadless(folder);
  passed(`the service started from the package, ${reading.text}, and stopped with code 0`);
}

await buildIfNeeded();
for (const target of ['linux', 'win'] as const) {
  try {
    await checkPackage(target);
  } catch (error) {
    failed(error instanceof Error ? error.message : String(error));
  }
}
console.log(failures === 0 ? 'package check passed' : `package check: ${failures} failed`);
process.exitCode = failures === 0 ? 0 : 1;
