/** PDUs of MMS (ISO 9506-2) from octets and to octets, for both roles. */

import { say } from '#shared/messages/index.ts';
import { BER_LIMITS, type BerElement, type BerLimits, BerReader, tagText } from '../../../protocol-kit/ber/reader.ts';
import { octetsOf, smallUnsignedOf } from '../../../protocol-kit/ber/values.ts';
import { BerWriter, berSize, integerSize } from '../../../protocol-kit/ber/writer.ts';
import { malformed } from '../../../protocol-kit/malformed.ts';
import { decodeAll, decodeResult, encodeResult } from './data.ts';
import { decodeInitiate, encodeInitiate } from './initiate.ts';
import { decodeSpec, encodeSpec } from './names.ts';
import type { InformationReport, MmsPdu, MmsRequest } from './pdu.ts';
import { decodeRequest, encodeRequest } from './requests.ts';
import { decodeResponse, encodeResponse } from './responses.ts';
import { decodeServiceError, encodeServiceError } from './service-error.ts';

const INTEGER = 0x02;
const MODIFIERS = 0x30;
const MAX_INVOKE_ID = 0xffff_ffff;

/** Tags of the PDUs. */
const TAGS = {
  request: 0xa0,
  response: 0xa1,
  error: 0xa2,
  'information-report': 0xa3,
  reject: 0xa4,
  'cancel-request': 0x85,
  'cancel-response': 0x86,
  'cancel-error': 0xa7,
  'initiate-request': 0xa8,
  'initiate-response': 0xa9,
  'initiate-error': 0xaa,
  'conclude-request': 0x8b,
  'conclude-response': 0x8c,
  'conclude-error': 0xad,
} as const satisfies Record<Exclude<MmsPdu['kind'], 'unknown'>, number>;

/**
 * Decodes one PDU; nothing may stand behind it. Octet and bit strings of the result are views on `octets`. An unknown type of PDU or
 * service is kept as it came. Throws `PROTOCOL_MALFORMED`; `invokeIdOf` then tells whom to refuse.
 */
export function decodeMms(octets: Uint8Array, limits: BerLimits = BER_LIMITS): MmsPdu {
  const reader = new BerReader(octets, limits);
  const element = reader.next();
  if (!reader.isAtEnd) throw malformed(say('mms.behind_pdu', { count: octets.length - element.end }));
  switch (element.tag) {
    case TAGS.request:
    case TAGS.response:
      return confirmed(reader.inside(element), element.tag);
    case TAGS.error:
      return errorPdu('error', reader.inside(element), 0xa2);
    case TAGS['cancel-error']:
      return errorPdu('cancel-error', reader.inside(element), 0xa1);
    case TAGS['information-report']:
      return unconfirmed(element, reader);
    case TAGS.reject:
      return rejectPdu(reader.inside(element));
    default:
      return associationPdu(element, reader) ?? { kind: 'unknown', tag: element.tag, octets: octetsOf(element) };
  }
}

function associationPdu(element: BerElement, reader: BerReader): MmsPdu | null {
  switch (element.tag) {
    case TAGS['cancel-request']:
      return { kind: 'cancel-request', invokeId: invokeIdIn(element) };
    case TAGS['cancel-response']:
      return { kind: 'cancel-response', invokeId: invokeIdIn(element) };
    case TAGS['initiate-request']:
      return { kind: 'initiate-request', initiate: decodeInitiate(reader.inside(element)) };
    case TAGS['initiate-response']:
      return { kind: 'initiate-response', initiate: decodeInitiate(reader.inside(element)) };
    case TAGS['initiate-error']:
      return { kind: 'initiate-error', error: decodeServiceError(reader.inside(element)) };
    case TAGS['conclude-error']:
      return { kind: 'conclude-error', error: decodeServiceError(reader.inside(element)) };
    case TAGS['conclude-request']:
      return { kind: 'conclude-request' };
    case TAGS['conclude-response']:
      return { kind: 'conclude-response' };
    default:
      return null;
  }
}

function invokeIdIn(element: BerElement): number {
  return smallUnsignedOf(element, MAX_INVOKE_ID, 'invokeID');
}

function confirmed(reader: BerReader, tag: number): MmsPdu {
  const invokeId = invokeIdIn(reader.expect(INTEGER, 'invokeID'));
  if (tag === TAGS.response) return { kind: 'response', invokeId, response: decodeResponse(reader) };
  reader.optional(MODIFIERS);
  return { kind: 'request', invokeId, request: decodeRequest(reader) };
}

function errorPdu(kind: 'error' | 'cancel-error', reader: BerReader, errorTag: number): MmsPdu {
  const invokeId = invokeIdIn(reader.expect(0x80, 'invokeID'));
  const error = reader.find(errorTag);
  if (error === null) throw malformed(say('mms.error_without_error'));
  return { kind, invokeId, error: decodeServiceError(reader.inside(error)) };
}

function unconfirmed(element: BerElement, reader: BerReader): MmsPdu {
  const fields = reader.inside(element);
  const report = fields.optional(0xa0);
  if (report === null) return { kind: 'unknown', tag: element.tag, octets: octetsOf(element) };
  return { kind: 'information-report', report: decodeReport(fields.inside(report)) };
}

function decodeReport(reader: BerReader): InformationReport {
  const spec = decodeSpec(reader);
  return { spec, results: decodeAll(reader.inside(reader.expect(0xa0, 'Values of a report')), decodeResult) };
}

function rejectPdu(reader: BerReader): MmsPdu {
  const original = reader.optional(0x80);
  const element = reader.next();
  if (element.tag < 0x81 || element.tag > 0x9e) throw malformed(say('mms.no_reject_reason', { tag: tagText(element.tag) }));
  return {
    kind: 'reject',
    invokeId: original === null ? null : invokeIdIn(original),
    reason: element.tag - 0x80,
    code: smallUnsignedOf(element, 255, 'Reason of a reject'),
  };
}

/** The invokeID of a confirmed request, response, error or reject whose rest may be broken; null where none can be found. */
export function invokeIdOf(octets: Uint8Array): number | null {
  try {
    const reader = new BerReader(octets);
    const element = reader.next();
    const first = reader.inside(element).next();
    const tag = element.tag === TAGS.request || element.tag === TAGS.response ? INTEGER : 0x80;
    return element.tag <= TAGS.reject && element.tag >= TAGS.request && first.tag === tag ? invokeIdIn(first) : null;
  } catch {
    return null;
  }
}

/** PDUs are written one after the other, in the same room. */
const writer = new BerWriter();

/** Encodes one PDU with shortest lengths and numbers; default values are left out as the known stacks do. */
export function encodeMms(pdu: MmsPdu): Uint8Array {
  return encodePdu(writer.clear(), pdu).finish();
}

/** The service of a confirmed request as octets, which are the same however often it is asked: behind `requestHead` they are the PDU. */
export function encodeService(request: MmsRequest): Uint8Array {
  return encodeRequest(writer.clear(), request).finish();
}

/** What stands before the service in a confirmed request: the tag, the length with `serviceOctets`, and the invokeID. */
export function requestHead(invokeId: number, serviceOctets: number): Uint8Array {
  const length = berSize(INTEGER, integerSize(invokeId)) + serviceOctets;
  return writer.clear().head(TAGS.request, length).integer(INTEGER, invokeId).finish();
}

function encodePdu(writer: BerWriter, pdu: MmsPdu): BerWriter {
  switch (pdu.kind) {
    case 'unknown':
      return writer.octets(pdu.tag, pdu.octets);
    case 'cancel-request':
    case 'cancel-response':
      return writer.integer(TAGS[pdu.kind], pdu.invokeId);
    case 'conclude-request':
    case 'conclude-response':
      return writer.empty(TAGS[pdu.kind]);
    default:
      return writer.constructed(TAGS[pdu.kind], () => encodeContent(writer, pdu));
  }
}

type Constructed = Exclude<MmsPdu, { kind: 'unknown' | 'cancel-request' | 'cancel-response' | 'conclude-request' | 'conclude-response' }>;

function encodeContent(writer: BerWriter, pdu: Constructed): BerWriter {
  switch (pdu.kind) {
    case 'request':
      writer.integer(INTEGER, pdu.invokeId);
      return encodeRequest(writer, pdu.request);
    case 'response':
      writer.integer(INTEGER, pdu.invokeId);
      return encodeResponse(writer, pdu.response);
    case 'error':
    case 'cancel-error':
      writer.integer(0x80, pdu.invokeId);
      return writer.constructed(pdu.kind === 'error' ? 0xa2 : 0xa1, () => encodeServiceError(writer, pdu.error));
    case 'information-report':
      return writer.constructed(0xa0, () => {
        encodeSpec(writer, pdu.report.spec);
        writer.constructed(0xa0, () => {
          for (const result of pdu.report.results) encodeResult(writer, result);
        });
      });
    case 'reject':
      if (pdu.invokeId !== null) writer.integer(0x80, pdu.invokeId);
      return writer.integer(0x80 + pdu.reason, pdu.code);
    case 'initiate-request':
    case 'initiate-response':
      return encodeInitiate(writer, pdu.initiate);
    default:
      return encodeServiceError(writer, pdu.error);
  }
}
