import { compareReadingsHandlers } from './compare-readings.ts';
import type { Handlers } from './handlers.ts';
import { mappingProfileHandlers } from './mapping-profiles/index.ts';
import { pointFileHandlers } from './point-files/index.ts';
import type { ServiceDeps } from './ports.ts';
import type { TableChanges } from './table-changes.ts';

/** Point tables as files, lists of others, and how those are read. */
export function fileRoom(deps: ServiceDeps, tables: TableChanges) {
  return {
    ...pointFileHandlers(deps, tables),
    ...mappingProfileHandlers(deps),
    ...compareReadingsHandlers(deps),
  } satisfies Partial<Handlers>;
}
