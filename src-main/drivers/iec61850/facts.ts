import { english } from '#shared/messages/index.ts';
import type { ExplainContext, FrameFacts } from '../spi/index.ts';
import { REPORT_NAME, SERVICE_NAMES } from './explain/mms-shapes.ts';
import { requestedNames } from './explain/summary.ts';
import { pduOf } from './explain.ts';
import type { MmsPdu } from './mms/pdu.ts';

/** Of a TPKT that holds a PDU of MMS: the service, whether it was refused, what it names; of an answer what its request names. */
export function factsOfTpkt(bytes: Uint8Array, { kind, request }: Pick<ExplainContext, 'kind' | 'request'>): FrameFacts | null {
  const pdu = kind === 'noise' ? null : pduOf(bytes);
  if (!pdu) return null;
  const asked = request ? pduOf(request) : null;
  const references = requestedNames(asked ?? pdu).filter((name) => typeof name === 'string');
  const error = errorOf(pdu);
  return {
    names: [nameOf(pdu, asked)],
    ...(error === null ? {} : { error }),
    ...(references.length > 0 ? { references } : {}),
  };
}

function nameOf(pdu: MmsPdu, asked: MmsPdu | null): string {
  if (pdu.kind === 'request') return serviceName(pdu.request.service);
  if (pdu.kind === 'response') return serviceName(pdu.response.service);
  if (pdu.kind === 'information-report') return english(REPORT_NAME);
  if (asked?.kind === 'request') return serviceName(asked.request.service);
  return pdu.kind;
}

function serviceName(service: keyof typeof SERVICE_NAMES | 'unknown'): string {
  return service === 'unknown' ? service : english(SERVICE_NAMES[service]);
}

/** How a PDU refuses, or that one of its results is a failure. */
function errorOf(pdu: MmsPdu): string | null {
  if (pdu.kind === 'error' || pdu.kind === 'reject' || pdu.kind.endsWith('-error')) return pdu.kind;
  if (pdu.kind !== 'response') return null;
  const { response } = pdu;
  if (response.service === 'write') return response.results.some((result) => result !== null) ? 'failure' : null;
  if (response.service !== 'read') return null;
  return response.results.some((result) => result.kind === 'failure') ? 'failure' : null;
}
