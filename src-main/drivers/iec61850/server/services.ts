/** Confirmed services of the simulated device: a request in, its answer out. Pure but for what Write and the data set services change. */

import type { AccessSpec, MmsRequest, MmsResponse, ServiceError } from '../mms/pdu.ts';
import { resultSize } from '../mms/sizes.ts';
import type { MmsFailure, MmsResult, ObjectName } from '../mms/types.ts';
import { SERVICE_ERROR } from '../mms/words.ts';
import type { Identity } from '../model/ied-model.ts';
import type { AccessClient, VariableAccess } from './access.ts';
import type { ServedControls } from './control/served-controls.ts';
import type { DataSets } from './data-sets.ts';
import type { FileStore, OpenFiles } from './file-store.ts';
import type { ServedImage } from './image.ts';
import type { ServedLogs } from './logs/served-logs.ts';
import { type NameSpace, pageOf } from './name-space.ts';
import type { ServedReports } from './reports/served-reports.ts';
import { serviceError } from './service-error.ts';

/** What the services work on. */
export interface ServedDevice {
  readonly identity: Identity;
  readonly image: ServedImage;
  readonly names: NameSpace;
  readonly dataSets: DataSets;
  readonly access: VariableAccess;
  readonly controls: ServedControls;
  readonly files: FileStore;
  readonly reports: Pick<ServedReports, 'isUsed'>;
  readonly logs: Pick<ServedLogs, 'isUsed' | 'names' | 'readJournal' | 'initializeJournal'>;
  /** An association has ended. */
  left(client: AssociationState): void;
}

/** What belongs to one association. */
export interface AssociationState extends AccessClient {
  readonly openFiles: OpenFiles;
}

const VARIABLES = 0;
const DATA_SETS = 2;
const JOURNALS = 8;
const DOMAINS = 9;
/** Scopes of DeleteNamedVariableList that name the lists or mean those of the association. */
const DELETE_SPECIFIC = 0;
const DELETE_OF_ASSOCIATION = 1;

/** Answers a request; null for a service that is not known. */
export function answer(device: ServedDevice, request: MmsRequest, state: AssociationState): MmsResponse | ServiceError | null {
  const { access, dataSets, files, identity } = device;
  switch (request.service) {
    case 'status':
      return { service: 'status', logical: 0, physical: 0 };
    case 'identify':
      return { service: 'identify', ...identity };
    case 'get-name-list':
      return nameList(device, request, state);
    case 'read':
      return read(device, request, state);
    case 'write':
      return write(device, request, state);
    case 'get-variable-access-attributes': {
      const variable = device.image.find(request.name);
      if (!variable) return serviceError(SERVICE_ERROR.accessNonExistent);
      return { service: 'get-variable-access-attributes', isDeletable: false, type: variable.type };
    }
    case 'define-named-variable-list': {
      const error = dataSets.define(request.name, request.items, state.dataSets, (item) => access.exists(item));
      return error === null ? { service: 'define-named-variable-list' } : serviceError(error);
    }
    case 'get-named-variable-list-attributes': {
      const set = dataSets.find(request.name, state.dataSets);
      if (!set) return serviceError(SERVICE_ERROR.accessNonExistent);
      return { service: 'get-named-variable-list-attributes', isDeletable: set.isDeletable, items: set.items };
    }
    case 'delete-named-variable-list':
      return deleteLists(device, request, state);
    case 'read-journal':
      return device.logs.readJournal(request, state.maxPduOctets);
    case 'initialize-journal':
      return device.logs.initializeJournal(request);
    case 'file-directory':
      return files.directory(request.name, request.continueAfter, state.maxPduOctets);
    case 'file-open':
      return files.open(request.name, request.position, state.openFiles);
    case 'file-read':
      return files.read(request.handle, state.openFiles, state.maxPduOctets);
    case 'file-close':
      return files.close(request.handle, state.openFiles);
    default:
      return null;
  }
}

type Request<Service extends MmsRequest['service']> = Extract<MmsRequest, { service: Service }>;

function nameList(device: ServedDevice, request: Request<'get-name-list'>, state: AssociationState): MmsResponse | ServiceError {
  const names = namesOf(device, request, state);
  if (!('length' in names)) return serviceError(names);
  return { service: 'get-name-list', ...pageOf(names, request.continueAfter, state.maxPduOctets) };
}

function namesOf(
  { names, dataSets, logs }: ServedDevice,
  { objectClass, scope }: Request<'get-name-list'>,
  state: AssociationState,
): readonly string[] | Pick<ServiceError, 'errorClass' | 'code'> {
  if (objectClass === DOMAINS && scope.scope === 'vmd') return names.domains();
  if (objectClass === JOURNALS && scope.scope === 'vmd') return [];
  if (objectClass === DATA_SETS && scope.scope === 'association') return state.dataSets.names();
  if (scope.scope !== 'domain') return objectClass === DATA_SETS ? [] : SERVICE_ERROR.accessUnsupported;
  if (objectClass === VARIABLES) return names.variables(scope.domain) ?? SERVICE_ERROR.accessNonExistent;
  if (objectClass === DATA_SETS) return dataSets.names(scope.domain) ?? SERVICE_ERROR.accessNonExistent;
  if (objectClass === JOURNALS) return dataSets.names(scope.domain) ? logs.names(scope.domain) : SERVICE_ERROR.accessNonExistent;
  return SERVICE_ERROR.accessUnsupported;
}

/** A list is repeated when that was asked for, single variables are not, as both known stacks do. A data set with SBO in it selects nothing. */
function read(device: ServedDevice, { spec, withSpecification }: Request<'read'>, state: AssociationState): MmsResponse | ServiceError {
  const items = itemsOf(device, spec, state);
  if (!items) return serviceError(SERVICE_ERROR.accessNonExistent);
  const results: MmsResult[] = [];
  let octets = 0;
  for (const item of items) {
    const result = device.access.read(item, state, spec.kind === 'variables');
    octets += resultSize(result);
    // what cannot be sent need not be read to its end; a little more is judged by the octets themselves
    if (octets > state.maxPduOctets) return serviceError(SERVICE_ERROR.resourceOther);
    results.push(result);
  }
  return { service: 'read', spec: withSpecification && spec.kind === 'list' ? spec : null, results };
}

function itemsOf(device: ServedDevice, spec: AccessSpec, state: AssociationState) {
  return spec.kind === 'variables' ? spec.items : (device.dataSets.find(spec.name, state.dataSets)?.items ?? null);
}

function write(device: ServedDevice, { spec, values }: Request<'write'>, state: AssociationState): MmsResponse | ServiceError {
  const items = itemsOf(device, spec, state);
  if (!items) return serviceError(SERVICE_ERROR.accessNonExistent);
  if (items.length !== values.length) return serviceError(SERVICE_ERROR.constraintConflict);
  const results = items.map((item, index): MmsFailure | null => {
    const value = values[index];
    const code = value ? device.access.write(item, value, state) : null;
    return code === null ? null : { kind: 'failure', code };
  });
  return { service: 'write', results };
}

function deleteLists(
  { dataSets, reports, logs }: ServedDevice,
  { scope, names }: Request<'delete-named-variable-list'>,
  state: AssociationState,
): MmsResponse | ServiceError {
  const deleteAll = (wanted: readonly ObjectName[]) =>
    dataSets.delete(wanted, state.dataSets, (name) => reports.isUsed(name, state) || logs.isUsed(name));
  if (scope === DELETE_SPECIFIC) return { service: 'delete-named-variable-list', ...deleteAll(names) };
  if (scope !== DELETE_OF_ASSOCIATION) return serviceError(SERVICE_ERROR.accessUnsupported);
  const all = state.dataSets.names().map((item) => ({ scope: 'association' as const, item }));
  return { service: 'delete-named-variable-list', ...deleteAll(all) };
}
