/** PPDUs of the presentation protocol, normal mode with fully encoded data (ITU-T X.226, 8). */

import { say } from '#shared/messages/index.ts';
import { type BerElement, BerReader } from '../../../protocol-kit/ber/reader.ts';
import { integerOf, octetsOf, oidOf, smallIntegerOf, smallUnsignedOf } from '../../../protocol-kit/ber/values.ts';
import { BerWriter, berSize, integerSize } from '../../../protocol-kit/ber/writer.ts';
import { concatBytes } from '../../../protocol-kit/bytes.ts';
import { malformed } from '../../../protocol-kit/malformed.ts';

/** Abstract syntax of ACSE, version 1. */
export const ACSE_SYNTAX = '2.2.1.0.1';
/** Abstract syntax of MMS (ISO 9506-2). */
export const MMS_SYNTAX = '1.0.9506.2.1';
/** Transfer syntax: the basic encoding rules. */
export const BER_SYNTAX = '2.1.1';

/** A context as it is proposed. */
export interface PresentationContext {
  readonly id: number;
  readonly abstractSyntax: string;
  readonly transferSyntaxes: readonly string[];
}

/** The contexts everybody proposes: ACSE as 1 and MMS as 3. */
export const CONTEXTS: readonly PresentationContext[] = [
  { id: 1, abstractSyntax: ACSE_SYNTAX, transferSyntaxes: [BER_SYNTAX] },
  { id: 3, abstractSyntax: MMS_SYNTAX, transferSyntaxes: [BER_SYNTAX] },
];

/** What became of a proposed context, in the order of the proposal: 0 acceptance, 1 rejected by the user, 2 by the provider. */
export interface ContextResult {
  readonly result: number;
  readonly transferSyntax: string | null;
}

/** A presentation data value: octets (a view) of a context. */
export interface Pdv {
  readonly contextId: number;
  readonly octets: Uint8Array;
}

/** A selector that is null is left out. */
export type Ppdu =
  | {
      readonly kind: 'connect';
      readonly callingSelector: Uint8Array | null;
      readonly calledSelector: Uint8Array | null;
      readonly contexts: readonly PresentationContext[];
      readonly data: readonly Pdv[];
    }
  | {
      readonly kind: 'accept';
      readonly respondingSelector: Uint8Array | null;
      readonly results: readonly ContextResult[];
      readonly data: readonly Pdv[];
    }
  | {
      readonly kind: 'refuse';
      readonly results: readonly ContextResult[] /** Reason of the provider. */;
      readonly reason: number | null;
      readonly data: readonly Pdv[];
    }
  | {
      readonly kind: 'abort' /** Reason of the provider; null when the user aborted. */;
      readonly reason: number | null;
      readonly data: readonly Pdv[];
    };

const NORMAL_MODE = 1;
const MOST_CONTEXTS = 32;
const MOST_CONTEXT_ID = 0x7fff_ffff;

/** Reads the user data of a CONNECT: a CP. Throws `PROTOCOL_MALFORMED`. */
export function decodeConnectPpdu(bytes: Uint8Array): Extract<Ppdu, { kind: 'connect' }> {
  const fields = normalMode(bytes);
  const contexts = fields.find((item) => item.tag === 0xa4);
  return {
    kind: 'connect',
    callingSelector: selector(fields, 0x81),
    calledSelector: selector(fields, 0x82),
    contexts: contexts ? readContexts(contexts) : [],
    data: dataOf(fields),
  };
}

/** Reads the user data of an ACCEPT: a CPA. Throws `PROTOCOL_MALFORMED`. */
export function decodeAcceptPpdu(bytes: Uint8Array): Extract<Ppdu, { kind: 'accept' }> {
  const fields = normalMode(bytes);
  return { kind: 'accept', respondingSelector: selector(fields, 0x83), results: resultsOf(fields), data: dataOf(fields) };
}

/** Reads the user data of a REFUSE: a CPR. Throws `PROTOCOL_MALFORMED`. */
export function decodeRefusePpdu(bytes: Uint8Array): Extract<Ppdu, { kind: 'refuse' }> {
  const reader = new BerReader(bytes);
  const fields = elements(reader.inside(reader.expect(0x30, 'CPR')));
  return { kind: 'refuse', results: resultsOf(fields), reason: smallNumber(fields, 0x8a), data: dataOf(fields) };
}

/** Reads the user data of an ABORT: an ARU or ARP. Throws `PROTOCOL_MALFORMED`. */
export function decodeAbortPpdu(bytes: Uint8Array): Extract<Ppdu, { kind: 'abort' }> {
  const reader = new BerReader(bytes);
  const isUser = reader.nextTag === 0xa0;
  const fields = elements(reader.inside(reader.expect(isUser ? 0xa0 : 0x30, 'Abort of the presentation')));
  return { kind: 'abort', reason: isUser ? null : (smallNumber(fields, 0x80) ?? 0), data: dataOf(fields) };
}

/** Reads user data, `61`: the values in their order. Throws `PROTOCOL_MALFORMED`. */
export function decodeUserData(bytes: Uint8Array): readonly Pdv[] {
  const reader = new BerReader(bytes);
  const whole = reader.expect(0x61, 'User data of the presentation');
  if (!reader.isAtEnd) throw malformed(say('osi.behind_user_data', { count: bytes.length - reader.position }));
  return readPdvs(whole);
}

/** The normal mode parameters of a CP or CPA. */
function normalMode(bytes: Uint8Array): readonly BerElement[] {
  const reader = new BerReader(bytes);
  const parts = elements(reader.inside(reader.expect(0x31, 'Connection of the presentation')));
  const mode = parts.find((item) => item.tag === 0xa0);
  if (mode) {
    const value = integerOf(new BerReader(bytes, undefined, mode.valueAt, mode.end).expect(0x80, 'Mode of the presentation'));
    if (value !== NORMAL_MODE) throw malformed(say('osi.presentation_mode', { mode: String(value) }));
  }
  const parameters = parts.find((item) => item.tag === 0xa2);
  if (!parameters) throw malformed(say('osi.no_normal_mode'));
  return elements(inside(parameters));
}

function elements(reader: BerReader): readonly BerElement[] {
  const items: BerElement[] = [];
  while (!reader.isAtEnd) items.push(reader.next());
  return items;
}

function inside(element: BerElement): BerReader {
  return new BerReader(element.octets, undefined, element.valueAt, element.end);
}

function selector(fields: readonly BerElement[], tag: number): Uint8Array | null {
  const found = fields.find((item) => item.tag === tag);
  return found ? octetsOf(found) : null;
}

function smallNumber(fields: readonly BerElement[], tag: number): number | null {
  const found = fields.find((item) => item.tag === tag);
  return found ? smallIntegerOf(found, 255, 'The reason') : null;
}

function dataOf(fields: readonly BerElement[]): readonly Pdv[] {
  const found = fields.find((item) => item.tag === 0x61);
  return found ? readPdvs(found) : [];
}

function readContexts(list: BerElement): readonly PresentationContext[] {
  const items = elements(inside(list));
  if (items.length > MOST_CONTEXTS) throw malformed(say('osi.many_contexts', { count: items.length, most: MOST_CONTEXTS }));
  return items.map((item) => {
    const reader = inside(item);
    const id = smallUnsignedOf(reader.expect(0x02, 'Identifier of a context'), MOST_CONTEXT_ID, 'The identifier of a context');
    const abstractSyntax = oidOf(reader.expect(0x06, 'Abstract syntax'));
    const transferSyntaxes = elements(inside(reader.expect(0x30, 'Transfer syntaxes'))).map(oidOf);
    return { id, abstractSyntax, transferSyntaxes };
  });
}

function resultsOf(fields: readonly BerElement[]): readonly ContextResult[] {
  const list = fields.find((item) => item.tag === 0xa5);
  if (!list) return [];
  return elements(inside(list)).map((item) => {
    const reader = inside(item);
    const result = smallUnsignedOf(reader.expect(0x80, 'Result of a context'), 2, 'The result of a context');
    const syntax = reader.find(0x81);
    return { result, transferSyntax: syntax ? oidOf(syntax) : null };
  });
}

function readPdvs(userData: BerElement): readonly Pdv[] {
  return elements(inside(userData)).map((list) => {
    if (list.tag !== 0x30) throw malformed(say('osi.no_pdv_list'));
    const reader = inside(list);
    reader.optional(0x06);
    const contextId = smallUnsignedOf(reader.expect(0x02, 'Context'), MOST_CONTEXT_ID, 'The context');
    // single ASN.1 type, or the same as octets
    const value = reader.optional(0xa0) ?? reader.expect(0x81, 'Presentation data value');
    if (!reader.isAtEnd) throw malformed(say('osi.behind_pdv'));
    return { contextId, octets: octetsOf(value) };
  });
}

/** A PPDU of the establishment or of an abort. */
export function encodePpdu(ppdu: Ppdu): Uint8Array {
  const writer = new BerWriter();
  if (ppdu.kind === 'connect' || ppdu.kind === 'accept') {
    writer.constructed(0x31, () => {
      writer.constructed(0xa0, () => writer.integer(0x80, NORMAL_MODE));
      writer.constructed(0xa2, () => (ppdu.kind === 'connect' ? writeConnect(writer, ppdu) : writeAccept(writer, ppdu)));
    });
  } else {
    const isRefuse = ppdu.kind === 'refuse';
    writer.constructed(isRefuse || ppdu.reason !== null ? 0x30 : 0xa0, () => {
      if (isRefuse && ppdu.results.length > 0) writeResults(writer, ppdu.results);
      if (ppdu.reason !== null) writer.integer(isRefuse ? 0x8a : 0x80, ppdu.reason);
      writeData(writer, ppdu.data);
    });
  }
  return writer.finish();
}

/** User data of one value: what carries every MMS PDU. */
export function encodeUserData(contextId: number, octets: Uint8Array): Uint8Array {
  return concatBytes(userDataHead(contextId, octets.length), octets);
}

/** Heads are written one after the other, in the same room. */
const heads = new BerWriter();

/** What stands before a value of so many octets in user data that hold nothing else. */
export function userDataHead(contextId: number, length: number): Uint8Array {
  const list = berSize(0x02, integerSize(contextId)) + berSize(0xa0, length);
  return heads.clear().head(0x61, berSize(0x30, list)).head(0x30, list).integer(0x02, contextId).head(0xa0, length).finish();
}

function writeConnect(writer: BerWriter, ppdu: Extract<Ppdu, { kind: 'connect' }>): void {
  if (ppdu.callingSelector) writer.octets(0x81, ppdu.callingSelector);
  if (ppdu.calledSelector) writer.octets(0x82, ppdu.calledSelector);
  writer.constructed(0xa4, () => {
    for (const context of ppdu.contexts) {
      writer.constructed(0x30, () => {
        writer.integer(0x02, context.id);
        writer.oid(0x06, context.abstractSyntax);
        writer.constructed(0x30, () => {
          for (const syntax of context.transferSyntaxes) writer.oid(0x06, syntax);
        });
      });
    }
  });
  writeData(writer, ppdu.data);
}

function writeAccept(writer: BerWriter, ppdu: Extract<Ppdu, { kind: 'accept' }>): void {
  if (ppdu.respondingSelector) writer.octets(0x83, ppdu.respondingSelector);
  writeResults(writer, ppdu.results);
  writeData(writer, ppdu.data);
}

function writeResults(writer: BerWriter, results: readonly ContextResult[]): void {
  writer.constructed(0xa5, () => {
    for (const { result, transferSyntax } of results) {
      writer.constructed(0x30, () => {
        writer.integer(0x80, result);
        if (transferSyntax !== null) writer.oid(0x81, transferSyntax);
      });
    }
  });
}

function writeData(writer: BerWriter, data: readonly Pdv[]): void {
  if (data.length === 0) return;
  writer.constructed(0x61, () => {
    for (const { contextId, octets } of data) {
      writer.constructed(0x30, () => {
        writer.integer(0x02, contextId);
        writer.octets(0xa0, octets);
      });
    }
  });
}
