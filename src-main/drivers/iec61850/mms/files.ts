/** Parts of the file services (ISO 9506-2, annex on file management). */

import type { BerReader } from '../../../protocol-kit/ber/reader.ts';
import { booleanOf, octetsOf, smallUnsignedOf, textOf } from '../../../protocol-kit/ber/values.ts';
import type { BerWriter } from '../../../protocol-kit/ber/writer.ts';
import { decodeAll } from './data.ts';
import type { FileAttributes, FileEntry, MmsRequest, MmsResponse } from './pdu.ts';

const MAX = 0xffff_ffff;
const GRAPHIC_STRING = 0x19;

/** Tags of the file services, the same for request and response but where a form is empty or holds one number. */
export const FILE_TAGS = { open: 0xbf48, read: 0x9f49, readAnswer: 0xbf49, close: 0x9f4a, directory: 0xbf4d } as const;

type Request<Service extends MmsRequest['service']> = Extract<MmsRequest, { service: Service }>;
type Response<Service extends MmsResponse['service']> = Extract<MmsResponse, { service: Service }>;

/** Parts of a file name: GraphicStrings in order. */
function decodeFileName(reader: BerReader): string[] {
  return decodeAll(reader, (parts) => textOf(parts.next()));
}

function encodeFileName(writer: BerWriter, tag: number, name: readonly string[]): BerWriter {
  writer.constructed(tag, () => {
    for (const part of name) writer.text(GRAPHIC_STRING, part);
  });
  return writer;
}

function decodeAttributes(reader: BerReader): FileAttributes {
  const size = smallUnsignedOf(reader.expect(0x80, 'Size of a file'), MAX, 'Size of a file');
  const modified = reader.optional(0x81);
  return { size, modified: modified === null ? '' : textOf(modified) };
}

function encodeAttributes(writer: BerWriter, { size, modified }: FileAttributes): BerWriter {
  writer.constructed(0xa1, () => {
    writer.integer(0x80, size);
    if (modified !== '') writer.text(0x81, modified);
  });
  return writer;
}

/** Content of a FileOpen request. */
export function decodeOpenRequest(reader: BerReader): Request<'file-open'> {
  const name = decodeFileName(reader.inside(reader.expect(0xa0, 'Name of a file')));
  const position = reader.optional(0x81);
  return { service: 'file-open', name, position: position === null ? 0 : smallUnsignedOf(position, MAX, 'Position in a file') };
}

/** Writes the content of a FileOpen request. */
export function encodeOpenRequest(writer: BerWriter, { name, position }: Request<'file-open'>): BerWriter {
  encodeFileName(writer, 0xa0, name);
  writer.integer(0x81, position);
  return writer;
}

/** Content of a FileOpen response. */
export function decodeOpenResponse(reader: BerReader): Response<'file-open'> {
  const handle = smallUnsignedOf(reader.expect(0x80, 'Handle of a file'), MAX, 'Handle of a file');
  const attributes = decodeAttributes(reader.inside(reader.expect(0xa1, 'Attributes of a file')));
  return { service: 'file-open', handle, attributes };
}

/** Writes the content of a FileOpen response. */
export function encodeOpenResponse(writer: BerWriter, { handle, attributes }: Response<'file-open'>): BerWriter {
  writer.integer(0x80, handle);
  encodeAttributes(writer, attributes);
  return writer;
}

/** Content of a FileRead response; more follows unless it says no. */
export function decodeReadResponse(reader: BerReader): Response<'file-read'> {
  const octets = octetsOf(reader.expect(0x80, 'Octets of a file'));
  const more = reader.optional(0x81);
  return { service: 'file-read', octets, moreFollows: more === null || booleanOf(more) };
}

/** Writes the content of a FileRead response. */
export function encodeReadResponse(writer: BerWriter, { octets, moreFollows }: Response<'file-read'>): BerWriter {
  writer.octets(0x80, octets);
  if (!moreFollows) writer.boolean(0x81, false);
  return writer;
}

/** Content of a FileDirectory request; both parts may be left out. */
export function decodeDirectoryRequest(reader: BerReader): Request<'file-directory'> {
  const name = reader.optional(0xa0);
  const after = reader.optional(0xa1);
  return {
    service: 'file-directory',
    name: name === null ? null : decodeFileName(reader.inside(name)),
    continueAfter: after === null ? null : decodeFileName(reader.inside(after)),
  };
}

/** Writes the content of a FileDirectory request. */
export function encodeDirectoryRequest(writer: BerWriter, { name, continueAfter }: Request<'file-directory'>): BerWriter {
  if (name !== null) encodeFileName(writer, 0xa0, name);
  if (continueAfter !== null) encodeFileName(writer, 0xa1, continueAfter);
  return writer;
}

/** Content of a FileDirectory response; nothing follows unless it says so. */
export function decodeDirectoryResponse(reader: BerReader): Response<'file-directory'> {
  const list = reader.inside(reader.expect(0xa0, 'List of a directory'));
  const entries = list.optional(0x30);
  const more = reader.optional(0x81);
  return {
    service: 'file-directory',
    entries: entries === null ? [] : decodeAll(list.inside(entries), decodeEntry),
    moreFollows: more !== null && booleanOf(more),
  };
}

function decodeEntry(reader: BerReader): FileEntry {
  const fields = reader.inside(reader.expect(0x30, 'Entry of a directory'));
  const name = decodeFileName(fields.inside(fields.expect(0xa0, 'Name of a file')));
  return { name, ...decodeAttributes(fields.inside(fields.expect(0xa1, 'Attributes of a file'))) };
}

/** Writes the content of a FileDirectory response. */
export function encodeDirectoryResponse(writer: BerWriter, { entries, moreFollows }: Response<'file-directory'>): BerWriter {
  writer.constructed(0xa0, () =>
    writer.constructed(0x30, () => {
      for (const entry of entries) {
        writer.constructed(0x30, () => {
          encodeFileName(writer, 0xa0, entry.name);
          encodeAttributes(writer, entry);
        });
      }
    }),
  );
  if (moreFollows) writer.boolean(0x81, true);
  return writer;
}
