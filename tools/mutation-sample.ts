import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { type Checker, type CheckResult, CheckStatus } from '@stryker-mutator/api/check';
import type { Mutant } from '@stryker-mutator/api/core';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import { Instrumenter } from '@stryker-mutator/instrumenter';

/** Share of all planted bugs that are tried, of 1. */
const SHARE = Number(process.env.LOOPCHECK_MUTATION_SHARE ?? 0.02);
/** Another seed is another sample. */
const SEED = process.env.LOOPCHECK_MUTATION_SEED ?? '1';
if (!(SHARE > 0 && SHARE <= 1)) throw new Error('LOOPCHECK_MUTATION_SHARE is not above 0 and at most 1, such as 0.02.');

const OUTSIDE: CheckResult = { status: CheckStatus.CompileError, reason: 'not in the sample' };
const INSIDE: CheckResult = { status: CheckStatus.Passed };

function nameOf(fileName: string): string {
  return relative(process.cwd(), fileName).replaceAll('\\', '/');
}

/** Draws a number from 0 to 1 for a planted bug, each alike, whatever its file and its size: by a hash of what it is and where. */
function drawn({ fileName, location: { start, end }, mutatorName, replacement }: Mutant): number {
  const name = [nameOf(fileName), start.line, start.column, end.line, end.column, mutatorName, replacement].join('\n');
  return createHash('sha256').update(`${SEED}\n${name}`).digest().readUInt32BE(0) / 2 ** 32;
}

const isInSample = (mutant: Mutant) => drawn(mutant) < SHARE;

const SILENT = { isDebugEnabled: () => false, debug() {}, info() {}, warn() {} } as unknown as ConstructorParameters<
  typeof Instrumenter
>[0];

/**
 * Places of the sample in the files of these patterns, each `file:line:column-line:column`. Code with tens of thousands of planted bugs in it runs several times slower, and
 * each test tells which of them it comes by: nothing else is planted.
 */
export async function placesOfSample(patterns: readonly string[]): Promise<string[]> {
  const left = new Set(patterns.flatMap((pattern) => (pattern.startsWith('!') ? globSync(pattern.slice(1)) : [])));
  const names = patterns.flatMap((pattern) => (pattern.startsWith('!') ? [] : globSync(pattern))).filter((name) => !left.has(name));
  const files = names.map((name) => ({ name: resolve(name), content: readFileSync(name, 'utf8'), mutate: true }));
  const { mutants } = await new Instrumenter(SILENT).instrument(files, { ignorers: [], plugins: null, excludedMutations: [] });
  const place = ({ line, column }: Mutant['location']['start']) => `${line + 1}:${column}`;
  return mutants.filter(isInSample).map(({ fileName, location: { start, end } }) => `${nameOf(fileName)}:${place(start)}-${place(end)}`);
}

/**
 * Takes a random sample of the planted bugs, those around them count as bugs that do not compile: out of the score, and never run. All of them take days, and the score of a
 * sample of n bugs differs from theirs by at most 1.96 · √(score · (1 − score) / n) in 19 of 20 samples.
 */
class MutationSample implements Checker {
  async init(): Promise<void> {}

  async check(mutants: Mutant[]): Promise<Record<string, CheckResult>> {
    return Object.fromEntries(mutants.map((mutant) => [mutant.id, isInSample(mutant) ? INSIDE : OUTSIDE]));
  }

  /** In the order of what was drawn: those that were tried before a run is ended are a sample as well. */
  async group(mutants: Mutant[]): Promise<string[][]> {
    return mutants.toSorted((one, other) => drawn(one) - drawn(other)).map(({ id }) => [id]);
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, 'sample', MutationSample)];
