import { channelOperations } from './channels.ts';
import { deviceOperations } from './device-operations.ts';
import { eventOperations } from './events.ts';
import { frameOperations } from './frames.ts';
import { jobOperations } from './jobs.ts';
import { lineOperations } from './line.ts';
import type { Operation, OperationData, OperationInput, OperationRequest } from './operation.ts';
import { pointFileOperations } from './point-files.ts';
import { pointOperations } from './points.ts';
import { secretOperations } from './secrets.ts';
import { serviceOperations } from './service.ts';
import { taskOperations } from './tasks.ts';

/** The whole contract: one entry an operation, for both doors, OpenAPI, the typed client and the command line. */
export const operations = {
  ...channelOperations,
  ...secretOperations,
  ...pointOperations,
  ...pointFileOperations,
  ...deviceOperations,
  ...taskOperations,
  ...lineOperations,
  ...jobOperations,
  ...frameOperations,
  ...eventOperations,
  ...serviceOperations,
} as const;

export type Operations = typeof operations;
export type OperationName = keyof Operations;
export type InputOf<Name extends OperationName> = OperationInput<Operations[Name]>;
export type RequestOf<Name extends OperationName> = OperationRequest<Operations[Name]>;
export type DataOf<Name extends OperationName> = OperationData<Operations[Name]>;
export type { Operation };
