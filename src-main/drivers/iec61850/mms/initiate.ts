import type { BerReader } from '../../../protocol-kit/ber/reader.ts';
import { bitsOf, smallUnsignedOf } from '../../../protocol-kit/ber/values.ts';
import type { BerWriter } from '../../../protocol-kit/ber/writer.ts';
import type { Initiate } from './pdu.ts';

const MAX = 0xffff_ffff;

/** Content of an initiate request or response. Throws `PROTOCOL_MALFORMED`. */
export function decodeInitiate(reader: BerReader): Initiate {
  const localDetail = reader.optional(0x80);
  const maxCalling = smallUnsignedOf(reader.expect(0x81, 'Max outstanding calling'), MAX, 'Max outstanding calling');
  const maxCalled = smallUnsignedOf(reader.expect(0x82, 'Max outstanding called'), MAX, 'Max outstanding called');
  const nesting = reader.optional(0x83);
  const detail = reader.inside(reader.expect(0xa4, 'Initiate detail'));
  return {
    localDetail: localDetail === null ? null : smallUnsignedOf(localDetail, MAX, 'PDU size'),
    maxCalling,
    maxCalled,
    nesting: nesting === null ? null : smallUnsignedOf(nesting, MAX, 'Nesting level'),
    version: smallUnsignedOf(detail.expect(0x80, 'Version of MMS'), MAX, 'Version of MMS'),
    parameters: bitsOf(detail.expect(0x81, 'Parameter CBB')),
    services: bitsOf(detail.expect(0x82, 'Services supported')),
  };
}

/** Writes the content of an initiate request or response. */
export function encodeInitiate(writer: BerWriter, initiate: Initiate): BerWriter {
  if (initiate.localDetail !== null) writer.integer(0x80, initiate.localDetail);
  writer.integer(0x81, initiate.maxCalling);
  writer.integer(0x82, initiate.maxCalled);
  if (initiate.nesting !== null) writer.integer(0x83, initiate.nesting);
  writer.constructed(0xa4, () => {
    writer.integer(0x80, initiate.version);
    writer.bits(0x81, initiate.parameters.size, initiate.parameters.octets);
    writer.bits(0x82, initiate.services.size, initiate.services.octets);
  });
  return writer;
}
