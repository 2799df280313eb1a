/** One line for the frame list, of an MMS PDU that was decoded. */
import { toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { joined, octetCount } from '../../kit/explain/nodes.ts';
import type { FrameText } from '../../spi/index.ts';
import { decodeMms } from '../mms/codec.ts';
import type { MmsPdu, MmsRequest, MmsResponse } from '../mms/pdu.ts';
import { accessErrorText, errorText, rejectText } from '../mms/words.ts';
import { OBJECT_CLASSES, REPORT_NAME, SERVICE_NAMES } from './mms-shapes.ts';
import { reportNames, reportSummary } from './reports.ts';
import { listText, nameText, specText, typeText, valueText, variableText } from './value-text.ts';

/** `Read 5: EMS1LD0/LLN0$ST$Beh`; what is wrong where the PDU cannot be read. */
export function mmsSummary(octets: Uint8Array): FrameText {
  try {
    return pduText(decodeMms(octets));
  } catch (thrown) {
    return say('mmsframe.unreadable_pdu', { why: toAppError(thrown).said });
  }
}

/** What a request asks for, one text an item, to name the results of its answer; of a report the names of its values. */
export function requestedNames(pdu: MmsPdu): readonly FrameText[] {
  if (pdu.kind === 'information-report') return reportNames(pdu.report);
  if (pdu.kind !== 'request') return [];
  const { request } = pdu;
  const isAccess = request.service === 'read' || request.service === 'write';
  return isAccess && request.spec.kind === 'variables' ? request.spec.items.map(variableText) : [];
}

function pduText(pdu: MmsPdu): FrameText {
  switch (pdu.kind) {
    case 'request':
      return labelled(say('mmsframe.request_of', { service: serviceName(pdu.request), id: pdu.invokeId }), requestText(pdu.request));
    case 'response':
      return labelled(say('mmsframe.response_of', { service: serviceName(pdu.response), id: pdu.invokeId }), responseText(pdu.response));
    case 'error':
      return say('mmsframe.error_of', { id: pdu.invokeId, error: errorText(pdu.error) });
    case 'cancel-error':
      return say('mmsframe.cancel_error_of', { id: pdu.invokeId, error: errorText(pdu.error) });
    case 'reject': {
      const why = rejectText(pdu.reason, pdu.code);
      return pdu.invokeId === null ? say('mmsframe.reject_of_none', { why }) : say('mmsframe.reject_of', { id: pdu.invokeId, why });
    }
    case 'information-report': {
      const summary = reportSummary(pdu.report);
      if (summary) return summary;
      const { spec, results } = pdu.report;
      const values = listText(results.slice(0, MOST_READ).map(valueText), results.length);
      return say('mmsframe.report_of', { service: REPORT_NAME, what: specText(spec), values });
    }
    case 'initiate-request':
    case 'initiate-response': {
      const { localDetail, maxCalling, maxCalled } = pdu.initiate;
      const size = localDetail ?? say('mmsframe.not_said');
      return say('mmsframe.initiate', { pdu: PDU_NAMES[pdu.kind], size, calling: maxCalling, called: maxCalled });
    }
    case 'initiate-error':
    case 'conclude-error':
      return labelled(PDU_NAMES[pdu.kind], errorText(pdu.error));
    case 'cancel-request':
      return say('mmsframe.cancel_request', { id: pdu.invokeId });
    case 'cancel-response':
      return say('mmsframe.cancel_response', { id: pdu.invokeId });
    case 'unknown':
      return say('mmsframe.unknown_pdu', { tag: pdu.tag.toString(16) });
    default:
      return PDU_NAMES[pdu.kind];
  }
}

/** Values of a list that are put into words at all. */
const MOST_READ = 8;

const PDU_NAMES = {
  'initiate-request': say('mmsframe.initiate_request'),
  'initiate-response': say('mmsframe.initiate_response'),
  'initiate-error': say('mmsframe.initiate_error'),
  'conclude-request': say('mmsframe.conclude_request'),
  'conclude-response': say('mmsframe.conclude_response'),
  'conclude-error': say('mmsframe.conclude_error'),
} as const;

function labelled(label: FrameText, text: FrameText): FrameText {
  return text === '' ? label : say('frame.labelled', { label, text });
}

function serviceName(item: MmsRequest | MmsResponse): FrameText {
  return item.service === 'unknown' ? say('mmsframe.service_number', { tag: item.tag.toString(16) }) : SERVICE_NAMES[item.service];
}

function requestText(request: MmsRequest): FrameText {
  switch (request.service) {
    case 'get-name-list':
      return nameListText(request);
    case 'read':
      return specText(request.spec);
    case 'write': {
      const values = listText(request.values.slice(0, MOST_READ).map(valueText), request.values.length);
      return say('mmsframe.set_to', { target: specText(request.spec), values });
    }
    case 'get-variable-access-attributes':
    case 'read-journal':
    case 'initialize-journal':
    case 'define-named-variable-list':
    case 'get-named-variable-list-attributes':
      return nameText(request.name);
    case 'delete-named-variable-list':
      return listText(request.names.map(nameText), request.names.length);
    case 'file-open':
      return fileText(request.name);
    case 'file-read':
    case 'file-close':
      return say('mmsframe.handle_number', { handle: request.handle });
    case 'file-directory':
      return request.name ? fileText(request.name) : '';
    default:
      return '';
  }
}

function nameListText({ objectClass, scope, continueAfter }: Extract<MmsRequest, { service: 'get-name-list' }>): FrameText {
  const said = {
    class: OBJECT_CLASSES[objectClass] ?? say('mmsframe.class_number', { class: objectClass }),
    scope: scope.scope === 'domain' ? scope.domain : scope.scope === 'vmd' ? 'VMD' : say('mmsframe.association'),
  };
  return continueAfter === null ? say('mmsframe.name_list', said) : say('mmsframe.name_list_after', { ...said, name: continueAfter });
}

function fileText(name: readonly string[]): FrameText {
  return name.join('/');
}

function responseText(response: MmsResponse): FrameText {
  switch (response.service) {
    case 'status':
      return say('mmsframe.status', { logical: response.logical, physical: response.physical });
    case 'identify':
      return joined([response.vendor, response.model, response.revision]);
    case 'get-name-list':
      return say(response.moreFollows ? 'mmsframe.names_count_more' : 'mmsframe.names_count', { count: response.names.length });
    case 'read':
      return listText(response.results.slice(0, MOST_READ).map(valueText), response.results.length);
    case 'write':
      return listText(
        response.results.slice(0, MOST_READ).map((result) => (result ? accessErrorText(result.code) : say('mmsframe.success'))),
        response.results.length,
      );
    case 'get-variable-access-attributes':
      return typeText(response.type);
    case 'get-named-variable-list-attributes':
      return say('mmsframe.members_count', { count: response.items.length });
    case 'delete-named-variable-list':
      return say('mmsframe.matched_deleted', { matched: response.matched, deleted: response.deleted });
    case 'file-open':
      return say('mmsframe.handle_size', { handle: response.handle, count: response.attributes.size });
    case 'file-read':
      return response.moreFollows ? say('mmsframe.octets_more', { count: response.octets.length }) : octetCount(response.octets.length);
    case 'read-journal':
      return say(response.moreFollows ? 'mmsframe.entries_count_more' : 'mmsframe.entries_count', { count: response.entries.length });
    case 'initialize-journal':
      return say('mmsframe.entries_count', { count: response.deleted });
    case 'file-directory':
      return listText(
        response.entries.slice(0, MOST_READ).map((entry) => fileText(entry.name)),
        response.entries.length,
      );
    default:
      return '';
  }
}
