/** One line for the frame list, of an MMS PDU that was decoded. */
import { decodeMms } from '../mms/codec.ts';
import type { MmsPdu, MmsRequest, MmsResponse } from '../mms/pdu.ts';
import { accessErrorWords, errorWords, rejectWords } from '../mms/words.ts';
import { SERVICE_NAMES } from './mms-shapes.ts';
import { listText, nameText, specText, typeText, valueText, variableText } from './value-text.ts';

const CLASSES: Readonly<Record<number, string>> = { 0: 'variables', 2: 'variable lists', 8: 'journals', 9: 'domains' };

/** `Read 5: EMS1LD0/LLN0$ST$Beh`; what is wrong where the PDU cannot be read. */
export function mmsSummary(octets: Uint8Array): string {
  try {
    return pduText(decodeMms(octets));
  } catch (thrown) {
    return `MMS that cannot be read: ${thrown instanceof Error ? thrown.message : ''}`;
  }
}

/** What a request asks for, one text an item, to name the results of its answer. */
export function requestedNames(octets: Uint8Array): readonly string[] {
  const pdu = decodeMms(octets);
  if (pdu.kind !== 'request') return [];
  const { request } = pdu;
  const isAccess = request.service === 'read' || request.service === 'write';
  return isAccess && request.spec.kind === 'variables' ? request.spec.items.map(variableText) : [];
}

function pduText(pdu: MmsPdu): string {
  switch (pdu.kind) {
    case 'request':
      return labelled(`${serviceName(pdu.request)} request ${pdu.invokeId}`, requestText(pdu.request));
    case 'response':
      return labelled(`${serviceName(pdu.response)} response ${pdu.invokeId}`, responseText(pdu.response));
    case 'error':
      return `error ${pdu.invokeId}: ${errorWords(pdu.error)}`;
    case 'cancel-error':
      return `cancel error ${pdu.invokeId}: ${errorWords(pdu.error)}`;
    case 'reject':
      return labelled(`reject${pdu.invokeId === null ? '' : ` ${pdu.invokeId}`}`, rejectWords(pdu.reason, pdu.code));
    case 'information-report':
      return `InformationReport ${specText(pdu.report.spec)}: ${listText(pdu.report.results.slice(0, 8).map(valueText), pdu.report.results.length)}`;
    case 'initiate-request':
    case 'initiate-response': {
      const { localDetail, maxCalling, maxCalled } = pdu.initiate;
      return `${plain(pdu.kind)}: PDU size ${localDetail ?? 'not said'}, outstanding ${maxCalling} and ${maxCalled}`;
    }
    case 'initiate-error':
    case 'conclude-error':
      return `${plain(pdu.kind)}: ${errorWords(pdu.error)}`;
    case 'cancel-request':
    case 'cancel-response':
      return `${plain(pdu.kind)} ${pdu.invokeId}`;
    case 'unknown':
      return `unknown PDU ${pdu.tag.toString(16)}`;
    default:
      return plain(pdu.kind);
  }
}

function plain(kind: string): string {
  return kind.replace('-', ' ');
}

function labelled(label: string, text: string): string {
  return text === '' ? label : `${label}: ${text}`;
}

function serviceName(item: MmsRequest | MmsResponse): string {
  return item.service === 'unknown' ? `service ${item.tag.toString(16)}` : SERVICE_NAMES[item.service];
}

function requestText(request: MmsRequest): string {
  switch (request.service) {
    case 'get-name-list': {
      const scope = request.scope.scope === 'domain' ? request.scope.domain : request.scope.scope === 'vmd' ? 'VMD' : 'association';
      const after = request.continueAfter === null ? '' : `, after ${request.continueAfter}`;
      return `${CLASSES[request.objectClass] ?? `class ${request.objectClass}`} of ${scope}${after}`;
    }
    case 'read':
      return specText(request.spec);
    case 'write':
      return `${specText(request.spec)} = ${listText(request.values.slice(0, 8).map(valueText), request.values.length)}`;
    case 'get-variable-access-attributes':
    case 'define-named-variable-list':
    case 'get-named-variable-list-attributes':
      return nameText(request.name);
    case 'delete-named-variable-list':
      return listText(request.names.map(nameText), request.names.length);
    case 'file-open':
      return request.name.join('/');
    case 'file-read':
    case 'file-close':
      return `handle ${request.handle}`;
    case 'file-directory':
      return request.name?.join('/') ?? '';
    default:
      return '';
  }
}

function responseText(response: MmsResponse): string {
  switch (response.service) {
    case 'status':
      return `logical ${response.logical}, physical ${response.physical}`;
    case 'identify':
      return [response.vendor, response.model, response.revision].join(', ');
    case 'get-name-list':
      return `${response.names.length} names${response.moreFollows ? ', more follow' : ''}`;
    case 'read':
      return listText(response.results.slice(0, 8).map(valueText), response.results.length);
    case 'write':
      return listText(
        response.results.slice(0, 8).map((result) => (result ? accessErrorWords(result.code) : 'success')),
        response.results.length,
      );
    case 'get-variable-access-attributes':
      return typeText(response.type);
    case 'get-named-variable-list-attributes':
      return `${response.items.length} members`;
    case 'delete-named-variable-list':
      return `${response.matched} matched, ${response.deleted} deleted`;
    case 'file-open':
      return `handle ${response.handle}, ${response.attributes.size} octets`;
    case 'file-read':
      return `${response.octets.length} octets${response.moreFollows ? ', more follow' : ''}`;
    case 'file-directory':
      return listText(
        response.entries.slice(0, 8).map((entry) => entry.name.join('/')),
        response.entries.length,
      );
    default:
      return '';
  }
}
