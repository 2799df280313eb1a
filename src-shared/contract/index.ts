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

type Input<Name extends OperationName> = OperationInput<Operations[Name]>;
type Request<Name extends OperationName> = OperationRequest<Operations[Name]>;
type Data<Name extends OperationName> = OperationData<Operations[Name]>;
type EachInput = { readonly [Name in OperationName]: Input<Name> };
type EachRequest = { readonly [Name in OperationName]: Request<Name> };
type EachData = { readonly [Name in OperationName]: Data<Name> };
// Interfaces, so that a name which is not known yet stands for one of the operations. Looked up in a mapped type it stands for each query with each
// body, some thousand types, and the compiler compares them all with the argument of every call: that was two thirds of its time.
interface Inputs extends EachInput {}
interface Requests extends EachRequest {}
interface Answers extends EachData {}

export type InputOf<Name extends OperationName> = Inputs[Name];
export type RequestOf<Name extends OperationName> = Requests[Name];
export type DataOf<Name extends OperationName> = Answers[Name];
/** Operations of one effect. */
export type NameOf<Does extends Effect> = {
  [Name in OperationName]: Operations[Name]['effect'] extends Does ? Name : never;
}[OperationName];
export type { Operation };
