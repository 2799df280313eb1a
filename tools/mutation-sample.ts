import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { type Checker, type CheckResult, CheckStatus } from '@stryker-mutator/api/check';
import type { Mutant } from '@stryker-mutator/api/core';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** Share of all planted bugs that are tried, of 1. */
const SHARE = Number(process.env.LOOPCHECK_MUTATION_SHARE ?? 0.02);
/** Another seed is another sample. */
const SEED = process.env.LOOPCHECK_MUTATION_SEED ?? '1';
const OUTSIDE: CheckResult = { status: CheckStatus.CompileError, reason: 'not in the sample' };
const INSIDE: CheckResult = { status: CheckStatus.Passed };

/** Each planted bug alike, whatever its file and its size: by a hash of what it is and where. */
function isInSample({ fileName, location: { start, end }, mutatorName, replacement }: Mutant): boolean {
  const file = relative(process.cwd(), fileName).replaceAll('\\', '/');
  const name = [file, start.line, start.column, end.line, end.column, mutatorName, replacement].join('\n');
  return createHash('sha256').update(`${SEED}\n${name}`).digest().readUInt32BE(0) < SHARE * 2 ** 32;
}

/**
 * Takes a random sample of the planted bugs, all others count as bugs that do not compile: out of the score, and never run. All of them take days, and the score of a
 * sample of n bugs differs from theirs by at most 1.96 · √(score · (1 − score) / n) in 19 of 20 samples.
 */
class MutationSample implements Checker {
  async init(): Promise<void> {
    if (!(SHARE > 0 && SHARE <= 1)) throw new Error('LOOPCHECK_MUTATION_SHARE is not above 0 and at most 1, such as 0.02.');
  }

  async check(mutants: Mutant[]): Promise<Record<string, CheckResult>> {
    return Object.fromEntries(mutants.map((mutant) => [mutant.id, isInSample(mutant) ? INSIDE : OUTSIDE]));
  }

  async group(mutants: Mutant[]): Promise<string[][]> {
    return [mutants.map(({ id }) => id)];
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, 'sample', MutationSample)];
