import { AppError } from '#shared/domain/errors.ts';
import type { ProjectStore } from '../persistence/repositories.ts';

const CODE_OF = { disk_full: 'STATE_STORE_FULL', project_lost: 'STATE_STORE_LOST', project_not_written: 'STATE_STORE' } as const;

/** Throws what keeps the project from taking changes, for work that would stop something before it came to its change. */
export function requireTakesChanges(store: Pick<ProjectStore, 'trouble'>): void {
  const trouble = store.trouble();
  if (trouble) throw new AppError(CODE_OF[trouble.code], trouble.said);
}
