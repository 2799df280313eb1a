import { accessOperations } from './access.ts';
import { captureOperations } from './captures.ts';
import { channelOperations } from './channel-operations.ts';
import { checkFileOperations } from './check-files.ts';
import { checkOperations } from './check-operations.ts';
import { checkOrderOperations } from './check-order.ts';
import { checkRunOperations } from './check-runs.ts';
import { deviceOperations } from './device-operations.ts';
import type { Effect } from './effect.ts';
import { eventOperations } from './events.ts';
import { frameOperations } from './frames.ts';
import { historyOperations } from './history.ts';
import { iec61850Operations } from './iec61850-operations.ts';
import { jobOperations } from './job-operations.ts';
import { libraryOperations } from './library.ts';
import { lineOperations } from './line.ts';
import { listMappingOperations } from './list-operations.ts';
import { listOperations } from './lists.ts';
import type { Operation, OperationData, OperationInput, OperationRequest } from './operation.ts';
import { pointFileOperations } from './point-files.ts';
import { pointOperations } from './point-operations.ts';
import { pointEditOperations } from './points-edit.ts';
import { projectOperations } from './projects.ts';
import { publishOperations } from './publish.ts';
import { remoteOperations } from './remotes.ts';
import { secretOperations } from './secrets.ts';
import { serviceOperations } from './service.ts';
import { setpointOperations } from './setpoints.ts';
import { simulationOperations } from './simulation.ts';
import { tableCheckOperations } from './table-check.ts';
import { tableCompareOperations } from './table-compare.ts';
import { tableJobOperations } from './table-job.ts';
import { taskOperations } from './tasks.ts';
import { updateOperations } from './updates.ts';

/** The whole contract: one entry an operation, for both doors, OpenAPI, the typed client and the command line. */
export const operations = {
  ...channelOperations,
  ...secretOperations,
  ...pointOperations,
  ...pointEditOperations,
  ...setpointOperations,
  ...listOperations,
  ...pointFileOperations,
  ...tableCheckOperations,
  ...tableCompareOperations,
  ...listMappingOperations,
  ...deviceOperations,
  ...iec61850Operations,
  ...taskOperations,
  ...lineOperations,
  ...jobOperations,
  ...tableJobOperations,
  ...frameOperations,
  ...captureOperations,
  ...eventOperations,
  ...checkOperations,
  ...checkFileOperations,
  ...checkOrderOperations,
  ...checkRunOperations,
  ...projectOperations,
  ...libraryOperations,
  ...simulationOperations,
  ...historyOperations,
  ...publishOperations,
  ...serviceOperations,
  ...accessOperations,
  ...remoteOperations,
  ...updateOperations,
} as const;

export type Operations = typeof operations;
export type OperationName = keyof Operations;
export type InputOf<Name extends OperationName> = OperationInput<Operations[Name]>;
export type RequestOf<Name extends OperationName> = OperationRequest<Operations[Name]>;
export type DataOf<Name extends OperationName> = OperationData<Operations[Name]>;
/** Operations of one effect. */
export type NameOf<Does extends Effect> = {
  [Name in OperationName]: Operations[Name]['effect'] extends Does ? Name : never;
}[OperationName];
export type { Operation };
