/** What the simulated device says of a control by itself (IEC 61850-8-1, 20.8 and 20.9): LastApplError and CommandTermination. */
import { quoted, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { ADD_CAUSE, addCauseName, addCauseWords } from '../../control/add-causes.ts';
import type { InformationReport, VariableSpec } from '../../mms/pdu.ts';
import type { MmsValue } from '../../mms/types.ts';
import type { ControlRequest } from './control-request.ts';
import type { ControlledObject, ControlService } from './controlled-object.ts';

/** Why a control was refused or ended: the members of LastApplError that say it. */
export interface Cause {
  readonly addCause: number;
  /** 0 no error, 1 unknown, 2 timeout test not ok, 3 operator test not ok. Left out: 2 where the time was over, else 0. */
  readonly error?: number;
}

/** The association that a control came over. */
export interface ControlClient {
  /** Name for notices. */
  readonly label: string;
  /** Sends a report at once. */
  report(report: InformationReport): void;
  /** Sends a report behind the answer to the request in hand; at once where there is none. */
  reportBehind(report: InformationReport): void;
}

const TIMEOUT_TEST = 2;
const NO_ORIGIN: MmsValue = {
  kind: 'structure',
  items: [
    { kind: 'integer', value: 0 },
    { kind: 'octet-string', octets: new Uint8Array(0) },
  ],
};
const LAST_APPL_ERROR: VariableSpec = { name: { scope: 'vmd', item: 'LastApplError' }, access: null };

/** The report that goes out before the refusal of a service. */
export function lastApplError(object: ControlledObject, service: ControlService, request: ControlRequest, cause: Cause): InformationReport {
  return { spec: { kind: 'variables', items: [LAST_APPL_ERROR] }, results: [errorValue(object, service, request, cause)] };
}

/** The end of a control with enhanced security; `cause` is null for one that was carried out. */
export function commandTermination(object: ControlledObject, request: ControlRequest, cause: Cause | null): InformationReport {
  const { domain, key } = object;
  const oper: VariableSpec = { name: { scope: 'domain', domain, item: `${key.slice(domain.length + 1)}$Oper` }, access: null };
  const items = cause ? [LAST_APPL_ERROR, oper] : [oper];
  const results = cause ? [errorValue(object, 'Oper', request, cause), request.whole] : [request.whole];
  return { spec: { kind: 'variables', items }, results };
}

function errorValue(
  { key }: ControlledObject,
  service: ControlService,
  { origin, number }: ControlRequest,
  { addCause, error }: Cause,
): MmsValue {
  return {
    kind: 'structure',
    items: [
      { kind: 'visible-string', text: `${key}$${service}` },
      { kind: 'integer', value: error ?? (addCause === ADD_CAUSE.timeLimit ? TIMEOUT_TEST : 0) },
      origin ?? NO_ORIGIN,
      { kind: 'unsigned', value: number },
      { kind: 'integer', value: addCause },
    ],
  };
}

/** A cause in words. */
export function causeText({ addCause }: Cause): Message {
  const name = addCauseName(addCause);
  const meaning = addCauseWords(addCause);
  return meaning ? say('control.cause', { name, meaning }) : quoted(name);
}
