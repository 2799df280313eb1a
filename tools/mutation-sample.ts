import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { type Checker, type CheckResult, CheckStatus } from '@stryker-mutator/api/check';
import type { Mutant, schema } from '@stryker-mutator/api/core';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** Share of all planted bugs that are tried, of 1. */
const SHARE = Number(process.env.LOOPCHECK_MUTATION_SHARE ?? 0.02);
/** Another seed is another sample. */
const SEED = process.env.LOOPCHECK_MUTATION_SEED ?? '1';
/** Report of a run of this very code: only what it left is tried, by all contracts as well (vitest.mutate.config.ts). */
const AGAIN = process.env.LOOPCHECK_MUTATION_AGAIN;
const OUTSIDE: CheckResult = { status: CheckStatus.CompileError, reason: 'not in the sample' };
const INSIDE: CheckResult = { status: CheckStatus.Passed };

type Planted = Pick<Mutant, 'fileName' | 'location' | 'mutatorName' | 'replacement'>;

function nameOf({ fileName, location: { start, end }, mutatorName, replacement }: Planted): string {
  return [fileName, start.line, start.column, end.line, end.column, mutatorName, replacement].join('\n');
}

/** Each planted bug alike, whatever its file and its size: by a hash of what it is and where. */
function isInSample(name: string): boolean {
  return createHash('sha256').update(`${SEED}\n${name}`).digest().readUInt32BE(0) < SHARE * 2 ** 32;
}

/** What a run left: what no test noticed, and what none came by. */
function leftBy(path: string): ReadonlySet<string> {
  const { files } = JSON.parse(readFileSync(path, 'utf8')) as schema.MutationTestResult;
  const left = Object.entries(files).flatMap(([fileName, { mutants }]) =>
    mutants.filter(({ status }) => status === 'Survived' || status === 'NoCoverage').map((mutant) => nameOf(fromReport(fileName, mutant))),
  );
  return new Set(left);
}

/** A report counts lines and columns from 1. */
function fromReport(fileName: string, { location: { start, end }, mutatorName, replacement = '' }: schema.MutantResult): Planted {
  const place = ({ line, column }: schema.Position) => ({ line: line - 1, column: column - 1 });
  return { fileName, location: { start: place(start), end: place(end) }, mutatorName, replacement };
}

/**
 * Takes a random sample of the planted bugs, all others count as bugs that do not compile: out of the score, and never run. All of them take days, and the score of a
 * sample of n bugs differs from theirs by at most 1.96 · √(score · (1 − score) / n) in 19 of 20 samples.
 */
class MutationSample implements Checker {
  #left: ReadonlySet<string> | null = null;

  async init(): Promise<void> {
    if (!(SHARE > 0 && SHARE <= 1)) throw new Error('LOOPCHECK_MUTATION_SHARE is not above 0 and at most 1, such as 0.02.');
    if (AGAIN) this.#left = leftBy(AGAIN);
  }

  async check(mutants: Mutant[]): Promise<Record<string, CheckResult>> {
    const isTried = (mutant: Mutant) => {
      const name = nameOf({ ...mutant, fileName: relative(process.cwd(), mutant.fileName).replaceAll('\\', '/') });
      return this.#left?.has(name) ?? isInSample(name);
    };
    return Object.fromEntries(mutants.map((mutant) => [mutant.id, isTried(mutant) ? INSIDE : OUTSIDE]));
  }

  async group(mutants: Mutant[]): Promise<string[][]> {
    return [mutants.map(({ id }) => id)];
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, 'sample', MutationSample)];
