import { captureOperations } from '#shared/contract/captures.ts';
import { checkFileOperations } from '#shared/contract/check-files.ts';
import { checkOperations } from '#shared/contract/check-operations.ts';
import { checkOrderOperations } from '#shared/contract/check-order.ts';
import { checkRunOperations } from '#shared/contract/check-runs.ts';
import { jobOperations } from '#shared/contract/job-operations.ts';
import { libraryOperations } from '#shared/contract/library.ts';
import { listMappingOperations } from '#shared/contract/list-operations.ts';
import { pointFileOperations } from '#shared/contract/point-files.ts';
import { simulationOperations } from '#shared/contract/simulation.ts';
import { tableCheckOperations } from '#shared/contract/table-check.ts';
import { tableCompareOperations } from '#shared/contract/table-compare.ts';
import { tableJobOperations } from '#shared/contract/table-job.ts';
import { accessHandlers } from './accesses.ts';
import { channelHandlers } from './channels.ts';
import { deviceOperationHandlers } from './device-operations.ts';
import { eventHandlers } from './events.ts';
import { frameHandlers } from './frames.ts';
import type { Handlers } from './handlers.ts';
import { recordingHandlers } from './history/index.ts';
import { lazyRoom } from './lazy-room.ts';
import { lineHandlers } from './line.ts';
import type { LiveHub } from './live/hub.ts';
import { listHandlers } from './live/lists.ts';
import { metricsHandlers } from './metrics/index.ts';
import { missingPartHandlers } from './missing-parts.ts';
import { modelHandlers } from './model/device-model.ts';
import { documentHandlers } from './model/documents.ts';
import { bulkHandlers } from './point-changes/bulk.ts';
import { historyHandlers } from './point-changes/history.ts';
import { PointChanger } from './point-changes/point-changer.ts';
import { pointHintHandlers } from './point-hints.ts';
import { pointReadingHandlers } from './point-readings.ts';
import { pointHandlers } from './points.ts';
import type { ServiceDeps } from './ports.ts';
import { projectHandlers } from './project.ts';
import { projectTextHandlers } from './project-text/index.ts';
import { publishHandlers } from './publish/index.ts';
import { remoteHandlers } from './remotes.ts';
import { secretHandlers } from './secrets.ts';
import { serviceHandlers } from './service.ts';
import { setpointHandlers } from './setpoints.ts';
import { TableChanges } from './table-changes.ts';
import { taskHandlers } from './tasks.ts';
import { updateHandlers } from './updates/index.ts';
import { writeHandlers } from './writes.ts';

const FILE_OPERATIONS = { ...pointFileOperations, ...listMappingOperations };
const SIMULATION_OPERATIONS = { ...simulationOperations, ...captureOperations };
const JOB_OPERATIONS = { ...jobOperations, ...tableJobOperations };
const CHECK_OPERATIONS = { ...checkOperations, ...checkFileOperations, ...checkOrderOperations, ...checkRunOperations };

/** All use cases of the contract over the given parts. */
export function createHandlers(deps: ServiceDeps, live: LiveHub): Handlers {
  const tables = new TableChanges(deps.projects);
  const changer = new PointChanger(deps, tables);
  return {
    ...channelHandlers(deps),
    ...secretHandlers(deps),
    ...pointHandlers(deps, changer),
    ...bulkHandlers(deps, changer),
    ...historyHandlers(deps, tables),
    ...pointHintHandlers(deps),
    ...pointReadingHandlers(deps),
    ...lazyRoom(FILE_OPERATIONS, async () => (await import('./file-room.ts')).fileRoom(deps, tables)),
    ...lazyRoom(tableCheckOperations, async () => (await import('./table-check/index.ts')).tableCheckHandlers(deps, changer)),
    ...lazyRoom(tableCompareOperations, async () => (await import('./table-compare/index.ts')).tableCompareHandlers(deps, tables, changer)),
    ...lazyRoom(libraryOperations, async () => (await import('./device-library/index.ts')).libraryHandlers(deps)),
    ...lazyRoom(SIMULATION_OPERATIONS, async () => (await import('./simulation-room.ts')).simulationRoom(deps, changer)),
    ...recordingHandlers(deps),
    ...publishHandlers(deps),
    ...deviceOperationHandlers(deps),
    ...writeHandlers(deps),
    ...setpointHandlers(deps),
    ...listHandlers(deps),
    ...modelHandlers(deps),
    ...documentHandlers(deps),
    ...taskHandlers(deps),
    ...lineHandlers(deps),
    ...lazyRoom(JOB_OPERATIONS, async () => (await import('./jobs/index.ts')).jobHandlers(deps)),
    ...frameHandlers(deps),
    ...lazyRoom({ framesFile: true }, async () => (await import('./frame-files/index.ts')).frameFileHandlers(deps)),
    ...eventHandlers(deps),
    ...lazyRoom(CHECK_OPERATIONS, async () => (await import('./check/index.ts')).checkHandlers(deps)),
    ...serviceHandlers(deps),
    ...accessHandlers(deps),
    ...remoteHandlers(deps),
    ...updateHandlers(deps),
    ...metricsHandlers(deps, live),
    ...projectHandlers(deps),
    ...projectTextHandlers(deps),
    ...missingPartHandlers(deps),
  };
}
