import { say } from '#shared/messages/index.ts';
import type { BerElement, BerReader } from '../../../protocol-kit/ber/reader.ts';
import { tagText } from '../../../protocol-kit/ber/reader.ts';
import { booleanOf, octetsOf, smallIntegerOf, smallUnsignedOf, textOf } from '../../../protocol-kit/ber/values.ts';
import type { BerWriter } from '../../../protocol-kit/ber/writer.ts';
import { malformed } from '../../../protocol-kit/malformed.ts';
import { decodeAll, decodeResult, encodeResult } from './data.ts';
import {
  decodeDirectoryResponse,
  decodeOpenResponse,
  decodeReadResponse,
  encodeDirectoryResponse,
  encodeOpenResponse,
  encodeReadResponse,
  FILE_TAGS,
} from './files.ts';
import { decodeInitializedJournal, decodeReadJournalResponse, encodeReadJournalResponse, JOURNAL_TAGS } from './journals.ts';
import { decodeSpec, decodeVariable, encodeSpec, encodeVariable } from './names.ts';
import type { MmsResponse } from './pdu.ts';
import { decodeType, encodeType } from './type-description.ts';
import type { MmsFailure } from './types.ts';

const MAX = 0xffff_ffff;
const VISIBLE_STRING = 0x1a;

/** A stack in use answers the definition of a variable list by a NULL that is constructed. */
const DEFINED_CONSTRUCTED = 0xab;

/** Tags of the services in a confirmed response. */
export const RESPONSE_TAGS = {
  status: 0xa0,
  'get-name-list': 0xa1,
  identify: 0xa2,
  read: 0xa4,
  write: 0xa5,
  'get-variable-access-attributes': 0xa6,
  'define-named-variable-list': 0x8b,
  'get-named-variable-list-attributes': 0xac,
  'delete-named-variable-list': 0xad,
  'file-open': FILE_TAGS.open,
  'file-read': FILE_TAGS.readAnswer,
  'file-close': FILE_TAGS.close,
  'file-directory': FILE_TAGS.directory,
  'read-journal': JOURNAL_TAGS.read,
  'initialize-journal': JOURNAL_TAGS.initialized,
} as const satisfies Record<Exclude<MmsResponse['service'], 'unknown'>, number>;

/** The service of a confirmed response; an unknown one is kept as it came. Throws `PROTOCOL_MALFORMED`. */
export function decodeResponse(reader: BerReader): MmsResponse {
  const element = reader.next();
  switch (element.tag) {
    case RESPONSE_TAGS['define-named-variable-list']:
    case DEFINED_CONSTRUCTED:
      return { service: 'define-named-variable-list' };
    case RESPONSE_TAGS['file-close']:
      return { service: 'file-close' };
    case RESPONSE_TAGS.status:
      return statusResponse(reader.inside(element));
    case RESPONSE_TAGS.identify:
      return identifyResponse(reader.inside(element));
    case RESPONSE_TAGS['get-name-list']:
      return nameListResponse(reader.inside(element));
    case RESPONSE_TAGS['file-open']:
      return decodeOpenResponse(reader.inside(element));
    case RESPONSE_TAGS['file-read']:
      return decodeReadResponse(reader.inside(element));
    case RESPONSE_TAGS['file-directory']:
      return decodeDirectoryResponse(reader.inside(element));
    case RESPONSE_TAGS['read-journal']:
      return decodeReadJournalResponse(reader.inside(element));
    case RESPONSE_TAGS['initialize-journal']:
      return decodeInitializedJournal(element);
    default:
      return variableResponse(element, reader) ?? { service: 'unknown', tag: element.tag, octets: octetsOf(element) };
  }
}

function variableResponse(element: BerElement, reader: BerReader): MmsResponse | null {
  switch (element.tag) {
    case RESPONSE_TAGS.read:
      return readResponse(reader.inside(element));
    case RESPONSE_TAGS.write:
      return { service: 'write', results: decodeAll(reader.inside(element), decodeWriteResult) };
    case RESPONSE_TAGS['get-variable-access-attributes']: {
      const fields = reader.inside(element);
      const isDeletable = booleanOf(fields.expect(0x80, 'Whether a variable is deletable'));
      const type = fields.find(0xa2);
      if (type === null) throw malformed(say('mms.answer_without_type'));
      return { service: 'get-variable-access-attributes', isDeletable, type: decodeType(fields.inside(type)) };
    }
    case RESPONSE_TAGS['get-named-variable-list-attributes']: {
      const fields = reader.inside(element);
      const isDeletable = booleanOf(fields.expect(0x80, 'Whether a variable list is deletable'));
      const items = decodeAll(fields.inside(fields.expect(0xa1, 'Members of a variable list')), decodeVariable);
      return { service: 'get-named-variable-list-attributes', isDeletable, items };
    }
    case RESPONSE_TAGS['delete-named-variable-list']: {
      const fields = reader.inside(element);
      const matched = smallUnsignedOf(fields.expect(0x80, 'Number of matches'), MAX, 'Number of matches');
      const deleted = smallUnsignedOf(fields.expect(0x81, 'Number of deletions'), MAX, 'Number of deletions');
      return { service: 'delete-named-variable-list', matched, deleted };
    }
    default:
      return null;
  }
}

function statusResponse(reader: BerReader): MmsResponse {
  const logical = smallUnsignedOf(reader.expect(0x80, 'Logical status'), 255, 'Logical status');
  return { service: 'status', logical, physical: smallUnsignedOf(reader.expect(0x81, 'Physical status'), 255, 'Physical status') };
}

function identifyResponse(reader: BerReader): MmsResponse {
  const vendor = textOf(reader.expect(0x80, 'Vendor'));
  const model = textOf(reader.expect(0x81, 'Model'));
  return { service: 'identify', vendor, model, revision: textOf(reader.expect(0x82, 'Revision')) };
}

function nameListResponse(reader: BerReader): MmsResponse {
  const list = reader.inside(reader.expect(0xa0, 'Names'));
  const names = decodeAll(list, (items) => textOf(items.next()));
  const more = reader.optional(0x81);
  return { service: 'get-name-list', names, moreFollows: more === null || booleanOf(more) };
}

function readResponse(reader: BerReader): MmsResponse {
  const spec = reader.optional(0xa0);
  const results = reader.find(0xa1);
  if (results === null) throw malformed(say('mms.answer_without_results'));
  return {
    service: 'read',
    spec: spec === null ? null : decodeSpec(reader.inside(spec)),
    results: decodeAll(reader.inside(results), decodeResult),
  };
}

function decodeWriteResult(reader: BerReader): MmsFailure | null {
  const element = reader.next();
  if (element.tag === 0x81) return null;
  if (element.tag !== 0x80) throw malformed(say('mms.no_write_result', { tag: tagText(element.tag) }));
  return { kind: 'failure', code: smallIntegerOf(element, 255, 'DataAccessError') };
}

/** Writes the service of a confirmed response. */
export function encodeResponse(writer: BerWriter, response: MmsResponse): BerWriter {
  if (response.service === 'unknown') return writer.octets(response.tag, response.octets);
  const tag = RESPONSE_TAGS[response.service];
  switch (response.service) {
    case 'define-named-variable-list':
    case 'file-close':
      return writer.empty(tag);
    case 'initialize-journal':
      return writer.integer(tag, response.deleted);
    default:
      return writer.constructed(tag, () => encodeContent(writer, response));
  }
}

type Constructed = Exclude<MmsResponse, { service: 'unknown' | 'define-named-variable-list' | 'file-close' | 'initialize-journal' }>;

function encodeContent(writer: BerWriter, response: Constructed): BerWriter {
  switch (response.service) {
    case 'status':
      writer.integer(0x80, response.logical);
      return writer.integer(0x81, response.physical);
    case 'identify':
      writer.text(0x80, response.vendor);
      writer.text(0x81, response.model);
      return writer.text(0x82, response.revision);
    case 'get-name-list':
      writer.constructed(0xa0, () => {
        for (const name of response.names) writer.text(VISIBLE_STRING, name);
      });
      if (!response.moreFollows) writer.boolean(0x81, false);
      return writer;
    case 'file-open':
      return encodeOpenResponse(writer, response);
    case 'file-read':
      return encodeReadResponse(writer, response);
    case 'file-directory':
      return encodeDirectoryResponse(writer, response);
    case 'read-journal':
      return encodeReadJournalResponse(writer, response);
    default:
      return encodeVariableResponse(writer, response);
  }
}

type VariableResponse = Exclude<
  Constructed,
  { service: 'status' | 'identify' | 'get-name-list' | 'file-open' | 'file-read' | 'file-directory' | 'read-journal' }
>;

function encodeVariableResponse(writer: BerWriter, response: VariableResponse): BerWriter {
  switch (response.service) {
    case 'read': {
      const { spec, results } = response;
      if (spec !== null) writer.constructed(0xa0, () => encodeSpec(writer, spec));
      return writer.constructed(0xa1, () => {
        for (const result of results) encodeResult(writer, result);
      });
    }
    case 'write':
      for (const result of response.results) {
        if (result === null) writer.empty(0x81);
        else writer.integer(0x80, result.code);
      }
      return writer;
    case 'get-variable-access-attributes':
      writer.boolean(0x80, response.isDeletable);
      return writer.constructed(0xa2, () => encodeType(writer, response.type));
    case 'get-named-variable-list-attributes':
      writer.boolean(0x80, response.isDeletable);
      return writer.constructed(0xa1, () => {
        for (const item of response.items) encodeVariable(writer, item);
      });
    default:
      writer.integer(0x80, response.matched);
      return writer.integer(0x81, response.deleted);
  }
}
