import { say } from '#shared/messages/index.ts';
import { type BerReader, tagText } from '../../../protocol-kit/ber/reader.ts';
import { integerOf, smallIntegerOf, textOf } from '../../../protocol-kit/ber/values.ts';
import type { BerWriter } from '../../../protocol-kit/ber/writer.ts';
import { malformed } from '../../../protocol-kit/malformed.ts';
import type { ServiceError } from './pdu.ts';

const MAX_CODE = 0x7fff_ffff;

/** Content of a ServiceError (ISO 9506-2). Throws `PROTOCOL_MALFORMED`. */
export function decodeServiceError(reader: BerReader): ServiceError {
  const kind = reader.inside(reader.expect(0xa0, 'Class of an error')).next();
  if (kind.tag < 0x80 || kind.tag > 0x9e) throw malformed(say('mms.no_error_class', { tag: tagText(kind.tag) }));
  const code = smallIntegerOf(kind, MAX_CODE, 'Code of an error');
  const additional = reader.optional(0x81);
  const text = reader.optional(0x82);
  return {
    errorClass: kind.tag - 0x80,
    code,
    additionalCode: additional === null ? null : Number(integerOf(additional)),
    text: text === null ? null : textOf(text),
  };
}

/** Writes the content of a ServiceError. */
export function encodeServiceError(writer: BerWriter, error: ServiceError): BerWriter {
  writer.constructed(0xa0, () => writer.integer(0x80 + error.errorClass, error.code));
  if (error.additionalCode !== null) writer.integer(0x81, error.additionalCode);
  if (error.text !== null) writer.text(0x82, error.text);
  return writer;
}
