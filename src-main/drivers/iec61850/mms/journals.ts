/** Parts of the journal services (ISO 9506-2, clause 18), by which logs are read (IEC 61850-8-1, 17.3). */

import { say } from '#shared/messages/index.ts';
import type { BerReader } from '../../../protocol-kit/ber/reader.ts';
import { tagText } from '../../../protocol-kit/ber/reader.ts';
import { booleanOf, octetsOf, smallIntegerOf, smallUnsignedOf, textOf } from '../../../protocol-kit/ber/values.ts';
import type { BerWriter } from '../../../protocol-kit/ber/writer.ts';
import { malformed } from '../../../protocol-kit/malformed.ts';
import { decodeAll, decodeValue, encodeValue } from './data.ts';
import { decodeName, encodeName } from './names.ts';
import type { JournalEntry, JournalStart, JournalStop, JournalVariable, MmsRequest, MmsResponse } from './pdu.ts';

const MAX = 0xffff_ffff;
const SEQUENCE = 0x30;
const VISIBLE_STRING = 0x1a;

/** Tags of the journal services. */
export const JOURNAL_TAGS = { read: 0xbf41, initialize: 0xbf43, initialized: 0x9f43 } as const;

type Request<Service extends MmsRequest['service']> = Extract<MmsRequest, { service: Service }>;
type Response<Service extends MmsResponse['service']> = Extract<MmsResponse, { service: Service }>;

/** Content of a ReadJournal request. */
export function decodeReadJournal(reader: BerReader): Request<'read-journal'> {
  const name = decodeName(reader.inside(reader.expect(0xa0, 'Name of a journal')));
  const start = reader.optional(0xa1);
  const stop = reader.optional(0xa2);
  const variables = reader.optional(0xa4);
  const after = reader.optional(0xa5);
  return {
    service: 'read-journal',
    name,
    start: start === null ? null : decodeStart(reader.inside(start)),
    stop: stop === null ? null : decodeStop(reader.inside(stop)),
    variables: variables === null ? null : decodeAll(reader.inside(variables), (items) => textOf(items.next())),
    after: after === null ? null : decodeAfter(reader.inside(after)),
  };
}

function decodeStart(reader: BerReader): JournalStart {
  const element = reader.next();
  if (element.tag === 0x80) return { kind: 'time', time: octetsOf(element) };
  if (element.tag === 0x81) return { kind: 'entry', entry: octetsOf(element) };
  throw malformed(say('mms.no_journal_limit', { tag: tagText(element.tag) }));
}

function decodeStop(reader: BerReader): JournalStop {
  const element = reader.next();
  if (element.tag === 0x80) return { kind: 'time', time: octetsOf(element) };
  if (element.tag === 0x81) return { kind: 'count', count: smallIntegerOf(element, 0x7fff_ffff, 'Number of entries') };
  throw malformed(say('mms.no_journal_limit', { tag: tagText(element.tag) }));
}

function decodeAfter(reader: BerReader) {
  const time = octetsOf(reader.expect(0x80, 'Time of an entry'));
  return { time, entry: octetsOf(reader.expect(0x81, 'Identifier of an entry')) };
}

/** Writes the content of a ReadJournal request. */
export function encodeReadJournal(writer: BerWriter, { name, start, stop, variables, after }: Request<'read-journal'>): BerWriter {
  writer.constructed(0xa0, () => encodeName(writer, name));
  if (start) writer.constructed(0xa1, () => (start.kind === 'time' ? writer.octets(0x80, start.time) : writer.octets(0x81, start.entry)));
  if (stop) writer.constructed(0xa2, () => (stop.kind === 'time' ? writer.octets(0x80, stop.time) : writer.integer(0x81, stop.count)));
  if (variables) {
    writer.constructed(0xa4, () => {
      for (const variable of variables) writer.text(VISIBLE_STRING, variable);
    });
  }
  if (after) writer.constructed(0xa5, () => writer.octets(0x80, after.time).octets(0x81, after.entry));
  return writer;
}

/** Content of an InitializeJournal request. */
export function decodeInitializeJournal(reader: BerReader): Request<'initialize-journal'> {
  const name = decodeName(reader.inside(reader.expect(0xa0, 'Name of a journal')));
  const limit = reader.optional(0xa1);
  if (limit === null) return { service: 'initialize-journal', name, limit: null };
  const fields = reader.inside(limit);
  const time = octetsOf(fields.expect(0x80, 'Time of an entry'));
  const entry = fields.optional(0x81);
  return { service: 'initialize-journal', name, limit: { time, entry: entry === null ? null : octetsOf(entry) } };
}

/** Writes the content of an InitializeJournal request. */
export function encodeInitializeJournal(writer: BerWriter, { name, limit }: Request<'initialize-journal'>): BerWriter {
  writer.constructed(0xa0, () => encodeName(writer, name));
  if (!limit) return writer;
  return writer.constructed(0xa1, () => {
    writer.octets(0x80, limit.time);
    if (limit.entry) writer.octets(0x81, limit.entry);
    return writer;
  });
}

/** The answer to InitializeJournal: how many entries were deleted. */
export function decodeInitializedJournal(deleted: Parameters<typeof smallUnsignedOf>[0]): Response<'initialize-journal'> {
  return { service: 'initialize-journal', deleted: smallUnsignedOf(deleted, MAX, 'Number of deletions') };
}

/** Content of a ReadJournal response; nothing follows unless it says so. */
export function decodeReadJournalResponse(reader: BerReader): Response<'read-journal'> {
  const entries = decodeAll(reader.inside(reader.expect(0xa0, 'Entries of a journal')), decodeEntry);
  const more = reader.optional(0x81);
  return { service: 'read-journal', entries, moreFollows: more !== null && booleanOf(more) };
}

/** One entry of a ReadJournal response. Who made it, and the event of its data, are no part of a log of IEC 61850. */
export function decodeEntry(reader: BerReader): JournalEntry {
  const fields = reader.inside(reader.expect(SEQUENCE, 'Entry of a journal'));
  const id = octetsOf(fields.expect(0x80, 'Identifier of an entry'));
  const found = fields.find(0xa2);
  if (found === null) throw malformed(say('mms.entry_without_content'));
  const content = fields.inside(found);
  const time = octetsOf(content.expect(0x80, 'Time of an entry'));
  content.optional(0xa1);
  const data = content.optional(0xa2);
  if (data === null) {
    const annotation = content.optional(0x83) ?? null;
    return { id, time, variables: [], annotation: annotation === null ? null : textOf(annotation) };
  }
  const list = content.inside(data).find(0xa1);
  return { id, time, variables: list === null ? [] : decodeAll(content.inside(list), decodeVariable), annotation: null };
}

function decodeVariable(reader: BerReader): JournalVariable {
  const fields = reader.inside(reader.expect(SEQUENCE, 'Variable of an entry'));
  const tag = textOf(fields.expect(0x80, 'Name of a variable'));
  return { tag, value: decodeValue(fields.inside(fields.expect(0xa1, 'Value of a variable'))) };
}

/** Writes the content of a ReadJournal response. */
export function encodeReadJournalResponse(writer: BerWriter, { entries, moreFollows }: Response<'read-journal'>): BerWriter {
  writer.constructed(0xa0, () => {
    for (const entry of entries) encodeEntry(writer, entry);
  });
  if (moreFollows) writer.boolean(0x81, true);
  return writer;
}

/** Writes one entry of a ReadJournal response. */
export function encodeEntry(writer: BerWriter, { id, time, variables, annotation }: JournalEntry): BerWriter {
  return writer.constructed(SEQUENCE, () => {
    writer.octets(0x80, id);
    // the application is not told, as both its parts are optional
    writer.constructed(0xa1, () => writer.constructed(SEQUENCE, () => writer));
    return writer.constructed(0xa2, () => {
      writer.octets(0x80, time);
      if (annotation !== null) return writer.text(0x83, annotation);
      return writer.constructed(0xa2, () =>
        writer.constructed(0xa1, () => {
          for (const variable of variables) encodeVariable(writer, variable);
        }),
      );
    });
  });
}

function encodeVariable(writer: BerWriter, { tag, value }: JournalVariable): void {
  writer.constructed(SEQUENCE, () => {
    writer.text(0x80, tag);
    writer.constructed(0xa1, () => encodeValue(writer, value));
  });
}
