import { readFileSync, rmSync } from 'node:fs';
import { relative } from 'node:path';
import { inRoot, root } from './paths.ts';
import { type Ended, runTool } from './run.ts';

/** The part of vitest's JSON report that is read here. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

const MESSAGE_LINES = 12;
const MESSAGE_LENGTH = 2000;

function head(message: string): string {
  const lines = message.slice(0, MESSAGE_LENGTH).split('\n').slice(0, MESSAGE_LINES);
  return lines.map((line) => `    ${line}`).join('\n');
}

/**
 * The failed tests of a vitest JSON report, one text each: its file and name with the beginning of what it said. A file that failed as
 * a whole (it could not be loaded, or a hook failed) is one of them. A report that cannot be read is told as such; a missing one
 * means that the tests were not run: nothing is told.
 */
export function failedTests(report: string): string[] {
  let text: string;
  try {
    text = readFileSync(report, 'utf8');
  } catch {
    return [];
  }
  let read: Report;
  try {
    read = JSON.parse(text);
  } catch (error) {
    return [`  ${report} cannot be read: ${(error as Error).message}`];
  }
  return read.testResults.flatMap((file) => {
    const name = relative(root, file.name);
    const failed = file.assertionResults.filter((each) => each.status === 'failed');
    if (failed.length === 0) return file.status === 'failed' ? [`  ${name}\n${head(file.message)}`] : [];
    return failed.map((each) => `  ${name} > ${each.fullName}\n${head(each.failureMessages.join('\n'))}`);
  });
}

/** Runs the unit tests whose path contains one of the filters, all without one; answers how they ended and which failed, as `failedTests` names them. */
export async function runUnitTests(
  filters: readonly string[] = [],
  env?: NodeJS.ProcessEnv,
): Promise<{ readonly ended: Ended; readonly failed: readonly string[] }> {
  const report = inRoot('node_modules', '.cache', 'unit-results.json');
  rmSync(report, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const ended = await runTool('vitest/vitest.mjs', ['run', ...reporters, ...filters], env ? { env } : {});
  return { ended, failed: failedTests(report) };
}
