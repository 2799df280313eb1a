import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inRoot } from '../../lib/paths.ts';

/** Numbers of the lines in which a rule of `tools/lint` finds something, from 1. Throws when the rule itself fails. */
export function findingsOf(rule: string, file: string, lines: readonly string[]): number[] {
  const folder = mkdtempSync(join(tmpdir(), 'lint-rule-'));
  try {
    const plugins = [inRoot(`tools/lint/${rule}.grit`)];
    writeFileSync(join(folder, 'biome.json'), JSON.stringify({ root: true, plugins, linter: { rules: { preset: 'none' } } }));
    writeFileSync(join(folder, file), lines.join('\n'));
    const biome = inRoot('node_modules/@biomejs/biome/bin/biome');
    const { stdout, stderr } = spawnSync(process.execPath, [biome, 'lint', '--reporter=json', '--max-diagnostics=100', file], {
      cwd: folder,
      encoding: 'utf8',
    });
    if (stderr.includes(`${rule} errored`)) throw new Error(stderr);
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { category: string; location: { start: { line: number } } }[] };
    return diagnostics.filter(({ category }) => category === 'plugin').map(({ location }) => location.start.line);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
