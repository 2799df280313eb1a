import { say } from '#shared/messages/index.ts';
import type { BerElement, BerReader } from '../../../protocol-kit/ber/reader.ts';
import { tagText } from '../../../protocol-kit/ber/reader.ts';
import { booleanOf, octetsOf, smallUnsignedOf, textOf } from '../../../protocol-kit/ber/values.ts';
import type { BerWriter } from '../../../protocol-kit/ber/writer.ts';
import { malformed } from '../../../protocol-kit/malformed.ts';
import { decodeAll, decodeValue, encodeValue } from './data.ts';
import { decodeDirectoryRequest, decodeOpenRequest, encodeDirectoryRequest, encodeOpenRequest, FILE_TAGS } from './files.ts';
import { decodeInitializeJournal, decodeReadJournal, encodeInitializeJournal, encodeReadJournal, JOURNAL_TAGS } from './journals.ts';
import { decodeName, decodeSpec, decodeVariable, encodeName, encodeSpec, encodeVariable } from './names.ts';
import type { MmsRequest, NameScope, ObjectClass } from './pdu.ts';

const MAX = 0xffff_ffff;

/** Tags of the services in a confirmed request. */
export const REQUEST_TAGS = {
  status: 0x80,
  'get-name-list': 0xa1,
  identify: 0x82,
  read: 0xa4,
  write: 0xa5,
  'get-variable-access-attributes': 0xa6,
  'define-named-variable-list': 0xab,
  'get-named-variable-list-attributes': 0xac,
  'delete-named-variable-list': 0xad,
  'file-open': FILE_TAGS.open,
  'file-read': FILE_TAGS.read,
  'file-close': FILE_TAGS.close,
  'file-directory': FILE_TAGS.directory,
  'read-journal': JOURNAL_TAGS.read,
  'initialize-journal': JOURNAL_TAGS.initialize,
} as const satisfies Record<Exclude<MmsRequest['service'], 'unknown'>, number>;

/** The service of a confirmed request; an unknown one is kept as it came. Throws `PROTOCOL_MALFORMED`. */
export function decodeRequest(reader: BerReader): MmsRequest {
  const element = reader.next();
  switch (element.tag) {
    case REQUEST_TAGS.status:
      return { service: 'status', extended: booleanOf(element) };
    case REQUEST_TAGS.identify:
      return { service: 'identify' };
    case REQUEST_TAGS['file-read']:
      return { service: 'file-read', handle: smallUnsignedOf(element, MAX, 'Handle of a file') };
    case REQUEST_TAGS['file-close']:
      return { service: 'file-close', handle: smallUnsignedOf(element, MAX, 'Handle of a file') };
    default:
      return constructedRequest(element, reader) ?? { service: 'unknown', tag: element.tag, octets: octetsOf(element) };
  }
}

function constructedRequest(element: BerElement, reader: BerReader): MmsRequest | null {
  switch (element.tag) {
    case REQUEST_TAGS['get-name-list']:
      return nameListRequest(reader.inside(element));
    case REQUEST_TAGS.read:
      return readRequest(reader.inside(element));
    case REQUEST_TAGS.write:
      return writeRequest(reader.inside(element));
    case REQUEST_TAGS['get-variable-access-attributes']: {
      const fields = reader.inside(element);
      return { service: 'get-variable-access-attributes', name: decodeName(fields.inside(fields.expect(0xa0, 'Name of a variable'))) };
    }
    case REQUEST_TAGS['file-open']:
      return decodeOpenRequest(reader.inside(element));
    case REQUEST_TAGS['file-directory']:
      return decodeDirectoryRequest(reader.inside(element));
    case REQUEST_TAGS['read-journal']:
      return decodeReadJournal(reader.inside(element));
    case REQUEST_TAGS['initialize-journal']:
      return decodeInitializeJournal(reader.inside(element));
    default:
      return listRequest(element, reader);
  }
}

function listRequest(element: BerElement, reader: BerReader): MmsRequest | null {
  switch (element.tag) {
    case REQUEST_TAGS['define-named-variable-list']: {
      const fields = reader.inside(element);
      const name = decodeName(fields);
      const items = decodeAll(fields.inside(fields.expect(0xa0, 'Members of a variable list')), decodeVariable);
      return { service: 'define-named-variable-list', name, items };
    }
    case REQUEST_TAGS['get-named-variable-list-attributes']:
      return { service: 'get-named-variable-list-attributes', name: decodeName(reader.inside(element)) };
    case REQUEST_TAGS['delete-named-variable-list']: {
      const fields = reader.inside(element);
      const scope = fields.optional(0x80);
      const names = fields.optional(0xa1);
      return {
        service: 'delete-named-variable-list',
        scope: scope === null ? 0 : smallUnsignedOf(scope, 255, 'Scope of a deletion'),
        names: names === null ? [] : decodeAll(fields.inside(names), decodeName),
      };
    }
    default:
      return null;
  }
}

function nameListRequest(reader: BerReader): MmsRequest {
  const kind = reader.inside(reader.expect(0xa0, 'Class of a name list'));
  const objectClass: ObjectClass = smallUnsignedOf(kind.expect(0x80, 'Class of a name list'), 255, 'Class of a name list');
  const scope = decodeScope(reader.inside(reader.expect(0xa1, 'Scope of a name list')).next());
  const after = reader.optional(0x82);
  return { service: 'get-name-list', objectClass, scope, continueAfter: after === null ? null : textOf(after) };
}

function decodeScope(element: BerElement): NameScope {
  switch (element.tag) {
    case 0x80:
      return { scope: 'vmd' };
    case 0x81:
      return { scope: 'domain', domain: textOf(element) };
    case 0x82:
      return { scope: 'association' };
    default:
      throw malformed(say('mms.no_scope', { tag: tagText(element.tag) }));
  }
}

function readRequest(reader: BerReader): MmsRequest {
  const withSpecification = reader.optional(0x80);
  const spec = decodeSpec(reader.inside(reader.expect(0xa1, 'What to read')));
  return { service: 'read', spec, withSpecification: withSpecification !== null && booleanOf(withSpecification) };
}

function writeRequest(reader: BerReader): MmsRequest {
  const spec = decodeSpec(reader);
  return { service: 'write', spec, values: decodeAll(reader.inside(reader.expect(0xa0, 'Values to write')), decodeValue) };
}

/** Writes the service of a confirmed request. */
export function encodeRequest(writer: BerWriter, request: MmsRequest): BerWriter {
  if (request.service === 'unknown') return writer.octets(request.tag, request.octets);
  const tag = REQUEST_TAGS[request.service];
  switch (request.service) {
    case 'status':
      return writer.boolean(tag, request.extended);
    case 'identify':
      return writer.empty(tag);
    case 'file-read':
    case 'file-close':
      return writer.integer(tag, request.handle);
    default:
      return writer.constructed(tag, () => encodeContent(writer, request));
  }
}

type Constructed = Exclude<MmsRequest, { service: 'unknown' | 'status' | 'identify' | 'file-read' | 'file-close' }>;

function encodeContent(writer: BerWriter, request: Constructed): BerWriter {
  switch (request.service) {
    case 'get-name-list':
      writer.constructed(0xa0, () => writer.integer(0x80, request.objectClass));
      writer.constructed(0xa1, () => encodeScope(writer, request.scope));
      if (request.continueAfter !== null) writer.text(0x82, request.continueAfter);
      return writer;
    case 'read':
      if (request.withSpecification) writer.boolean(0x80, true);
      return writer.constructed(0xa1, () => encodeSpec(writer, request.spec));
    case 'write':
      encodeSpec(writer, request.spec);
      return writer.constructed(0xa0, () => {
        for (const value of request.values) encodeValue(writer, value);
      });
    case 'get-variable-access-attributes':
      return writer.constructed(0xa0, () => encodeName(writer, request.name));
    case 'file-open':
      return encodeOpenRequest(writer, request);
    case 'file-directory':
      return encodeDirectoryRequest(writer, request);
    case 'read-journal':
      return encodeReadJournal(writer, request);
    case 'initialize-journal':
      return encodeInitializeJournal(writer, request);
    default:
      return encodeListRequest(writer, request);
  }
}

type ListRequest = Extract<
  MmsRequest,
  { service: 'define-named-variable-list' | 'get-named-variable-list-attributes' | 'delete-named-variable-list' }
>;

function encodeListRequest(writer: BerWriter, request: ListRequest): BerWriter {
  switch (request.service) {
    case 'define-named-variable-list':
      encodeName(writer, request.name);
      return writer.constructed(0xa0, () => {
        for (const item of request.items) encodeVariable(writer, item);
      });
    case 'get-named-variable-list-attributes':
      return encodeName(writer, request.name);
    default:
      writer.integer(0x80, request.scope);
      if (request.names.length === 0) return writer;
      return writer.constructed(0xa1, () => {
        for (const name of request.names) encodeName(writer, name);
      });
  }
}

function encodeScope(writer: BerWriter, scope: NameScope): BerWriter {
  if (scope.scope === 'domain') writer.text(0x81, scope.domain);
  else writer.empty(scope.scope === 'vmd' ? 0x80 : 0x82);
  return writer;
}
