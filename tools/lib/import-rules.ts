import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser';
import { root } from './paths.ts';

const ROOMS = ['src-main', 'src-preload', 'src-record', 'src-renderer', 'src-shared'];

export interface ImportReport {
  /** Source files looked at; 0 would mean that nothing was checked. */
  readonly modules: number;
  /** `rule: from → to`, one a violation. */
  readonly violations: readonly string[];
}

/** Checks the import directions of .dependency-cruiser.cjs on the tree below `baseDir`. */
export async function checkImports(baseDir: string = root): Promise<ImportReport> {
  const config = createRequire(import.meta.url)(join(root, '.dependency-cruiser.cjs')) as {
    forbidden: NonNullable<ICruiseOptions['ruleSet']>['forbidden'];
    options: ICruiseOptions;
  };
  const options: ICruiseOptions = { ...config.options, baseDir, validate: true, ruleSet: { forbidden: config.forbidden ?? [] } };
  const { output } = await cruise(ROOMS, options, { ...config.options.enhancedResolveOptions });
  const result = output as ICruiseResult;
  return {
    modules: result.modules.filter((module) => ROOMS.some((room) => module.source.startsWith(`${room}/`))).length,
    violations: result.summary.violations.map((item) => `${item.rule.name}: ${item.from} → ${item.to}`),
  };
}
