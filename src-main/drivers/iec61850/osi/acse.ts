/** APDUs of ACSE, version 1 with authentication by password (ITU-T X.227, 9). */

import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { type Names, names } from '#shared/messages/message.ts';
import { type BerElement, BerReader } from '../../../protocol-kit/ber/reader.ts';
import { octetsOf, oidOf, smallIntegerOf } from '../../../protocol-kit/ber/values.ts';
import { BerWriter } from '../../../protocol-kit/ber/writer.ts';
import { malformed } from '../../../protocol-kit/malformed.ts';

/** Application context of MMS (ISO 9506-2). */
export const MMS_APPLICATION_CONTEXT = '1.0.9506.2.3';
/** Authentication by password. */
const PASSWORD_MECHANISM = '2.2.3.1';
/** The first of four bits: functional unit of authentication. */
const AUTHENTICATION_UNIT = Uint8Array.from([0x80]);
const MOST_NUMBER = 0x7fff_ffff;

/** Names of an application entity; null where they are left out, or written in another form than an object identifier and a number. */
export interface ApplicationEntity {
  /** Object identifier with dots, `1.1.1.999.1`. */
  readonly apTitle: string | null;
  readonly aeQualifier: number | null;
}

/** An MMS initiate PDU inside an APDU; octets are a view. */
export interface UserInformation {
  readonly contextId: number;
  /** Whether the transfer syntax is named before the context. */
  readonly hasSyntax: boolean;
  readonly octets: Uint8Array;
}

export interface AssociateRequest {
  readonly kind: 'aarq';
  readonly applicationContext: string;
  readonly called: ApplicationEntity;
  readonly calling: ApplicationEntity;
  /** Octets of the password; null where no authentication is asked for. */
  readonly password: Uint8Array | null;
  readonly information: UserInformation | null;
}

export interface AssociateResponse {
  readonly kind: 'aare';
  readonly applicationContext: string;
  /** 0 accepted, 1 rejected for good, 2 rejected for now. */
  readonly result: number;
  readonly diagnosticSource: 'user' | 'provider';
  readonly diagnostic: number;
  readonly responding: ApplicationEntity;
  readonly information: UserInformation | null;
}

export type Apdu =
  | AssociateRequest
  | AssociateResponse
  | {
      readonly kind: 'rlrq' | 'rlre' /** 0 normal, 1 urgent, 30 user defined; null where it is left out. */;
      readonly reason: number | null;
    }
  | { readonly kind: 'abrt' /** 0 the user, 1 the provider. */; readonly source: number };

const USER_DIAGNOSTICS = [
  names('no diagnostic', '无诊断信息'),
  names('no reason given', '未说明原因'),
  names('application context name not supported', '不支持该应用上下文名'),
  names('calling AP title not recognized', '无法识别主叫 AP 名称'),
  names('calling AP invocation identifier not recognized', '无法识别主叫 AP 调用标识'),
  names('calling AE qualifier not recognized', '无法识别主叫 AE 限定符'),
  names('calling AE invocation identifier not recognized', '无法识别主叫 AE 调用标识'),
  names('called AP title not recognized', '无法识别被叫 AP 名称'),
  names('called AP invocation identifier not recognized', '无法识别被叫 AP 调用标识'),
  names('called AE qualifier not recognized', '无法识别被叫 AE 限定符'),
  names('called AE invocation identifier not recognized', '无法识别被叫 AE 调用标识'),
  names('authentication mechanism name not recognized', '无法识别认证机制名'),
  names('authentication mechanism name required', '需要认证机制名'),
  names('authentication failure', '认证失败'),
  names('authentication required', '需要认证'),
] as const;
const PROVIDER_DIAGNOSTICS = [
  USER_DIAGNOSTICS[0],
  USER_DIAGNOSTICS[1],
  names('no common version of ACSE', '没有共同的 ACSE 版本'),
] as const;

/** `authentication failure`. */
export function diagnosticText(source: 'user' | 'provider', diagnostic: number): Names | Message {
  return diagnosticNames(source, diagnostic) ?? say('osi.diagnostic', { diagnostic });
}

/** What a diagnostic says; null for one that is not in the standard. */
export function diagnosticNames(source: 'user' | 'provider', diagnostic: number): Names | null {
  const known: readonly Names[] = source === 'user' ? USER_DIAGNOSTICS : PROVIDER_DIAGNOSTICS;
  return known[diagnostic] ?? null;
}

/** Reads an APDU. Fields are taken by their tags, unknown ones passed over. Throws `PROTOCOL_MALFORMED`. */
export function decodeApdu(bytes: Uint8Array): Apdu {
  const reader = new BerReader(bytes);
  const apdu = reader.next();
  const fields = new Map<number, BerElement>();
  const inner = reader.inside(apdu);
  while (!inner.isAtEnd) {
    const field = inner.next();
    fields.set(field.tag, field);
  }
  switch (apdu.tag) {
    case 0x60:
      return readRequest(fields);
    case 0x61:
      return readResponse(fields);
    case 0x62:
    case 0x63: {
      const reason = fields.get(0x80);
      return { kind: apdu.tag === 0x62 ? 'rlrq' : 'rlre', reason: reason ? numberOf(reason) : null };
    }
    case 0x64: {
      const source = fields.get(0x80);
      return { kind: 'abrt', source: source ? numberOf(source) : 0 };
    }
    default:
      throw malformed(say('osi.no_apdu', { tag: apdu.tag.toString(16) }));
  }
}

type Fields = ReadonlyMap<number, BerElement>;

function readRequest(fields: Fields): AssociateRequest {
  const value = fields.get(0xac);
  return {
    kind: 'aarq',
    applicationContext: contextOf(fields),
    called: entityOf(fields, 0xa2, 0xa3),
    calling: entityOf(fields, 0xa6, 0xa7),
    password: value ? octetsOf(inside(value).expect(0x80, 'Password')) : null,
    information: informationOf(fields),
  };
}

function readResponse(fields: Fields): AssociateResponse {
  const result = fields.get(0xa2);
  if (!result) throw malformed(say('osi.no_result'));
  const diagnostic = fields.get(0xa3);
  const source = diagnostic ? inside(diagnostic).next() : null;
  return {
    kind: 'aare',
    applicationContext: contextOf(fields),
    result: numberOf(inside(result).expect(0x02, 'Result of an AARE')),
    diagnosticSource: source?.tag === 0xa2 ? 'provider' : 'user',
    diagnostic: source ? numberOf(inside(source).expect(0x02, 'Diagnostic of an AARE')) : 0,
    responding: entityOf(fields, 0xa4, 0xa5),
    information: informationOf(fields),
  };
}

function inside(element: BerElement): BerReader {
  return new BerReader(element.octets, undefined, element.valueAt, element.end);
}

function numberOf(element: BerElement): number {
  return smallIntegerOf(element, MOST_NUMBER, 'A number of ACSE');
}

function contextOf(fields: Fields): string {
  const found = fields.get(0xa1);
  if (!found) throw malformed(say('osi.no_application_context'));
  return oidOf(inside(found).expect(0x06, 'Application context name'));
}

function entityOf(fields: Fields, titleTag: number, qualifierTag: number): ApplicationEntity {
  const title = fields.get(titleTag);
  const qualifier = fields.get(qualifierTag);
  const oid = title ? inside(title).optional(0x06) : null;
  const number = qualifier ? inside(qualifier).optional(0x02) : null;
  return { apTitle: oid ? oidOf(oid) : null, aeQualifier: number ? numberOf(number) : null };
}

function informationOf(fields: Fields): UserInformation | null {
  const found = fields.get(0xbe);
  if (!found) return null;
  const reader = inside(found);
  const external = inside(reader.expect(0x28, 'User information'));
  const hasSyntax = external.optional(0x06) !== null;
  const context = external.expect(0x02, 'Context of the user information');
  const value = external.find(0xa0);
  if (!value) throw malformed(say('osi.no_user_information'));
  return { contextId: numberOf(context), hasSyntax, octets: octetsOf(value) };
}

/** An APDU in the order of its tags. */
export function encodeApdu(apdu: Apdu): Uint8Array {
  const writer = new BerWriter();
  switch (apdu.kind) {
    case 'aarq':
      writer.constructed(0x60, () => writeRequest(writer, apdu));
      break;
    case 'aare':
      writer.constructed(0x61, () => writeResponse(writer, apdu));
      break;
    case 'abrt':
      writer.constructed(0x64, () => writer.integer(0x80, apdu.source));
      break;
    default:
      writer.constructed(apdu.kind === 'rlrq' ? 0x62 : 0x63, () => {
        if (apdu.reason !== null) writer.integer(0x80, apdu.reason);
      });
  }
  return writer.finish();
}

function writeRequest(writer: BerWriter, apdu: AssociateRequest): void {
  const { password } = apdu;
  writer.constructed(0xa1, () => writer.oid(0x06, apdu.applicationContext));
  writeEntity(writer, apdu.called, 0xa2, 0xa3);
  writeEntity(writer, apdu.calling, 0xa6, 0xa7);
  if (password) {
    writer.bits(0x8a, 4, AUTHENTICATION_UNIT);
    writer.oid(0x8b, PASSWORD_MECHANISM);
    writer.constructed(0xac, () => writer.octets(0x80, password));
  }
  writeInformation(writer, apdu.information);
}

function writeResponse(writer: BerWriter, apdu: AssociateResponse): void {
  writer.constructed(0xa1, () => writer.oid(0x06, apdu.applicationContext));
  writer.constructed(0xa2, () => writer.integer(0x02, apdu.result));
  writer.constructed(0xa3, () =>
    writer.constructed(apdu.diagnosticSource === 'user' ? 0xa1 : 0xa2, () => writer.integer(0x02, apdu.diagnostic)),
  );
  writeEntity(writer, apdu.responding, 0xa4, 0xa5);
  writeInformation(writer, apdu.information);
}

function writeEntity(writer: BerWriter, { apTitle, aeQualifier }: ApplicationEntity, titleTag: number, qualifierTag: number): void {
  if (apTitle !== null) writer.constructed(titleTag, () => writer.oid(0x06, apTitle));
  if (aeQualifier !== null) writer.constructed(qualifierTag, () => writer.integer(0x02, aeQualifier));
}

function writeInformation(writer: BerWriter, information: UserInformation | null): void {
  if (!information) return;
  writer.constructed(0xbe, () =>
    writer.constructed(0x28, () => {
      if (information.hasSyntax) writer.oid(0x06, '2.1.1');
      writer.integer(0x02, information.contextId);
      writer.octets(0xa0, information.octets);
    }),
  );
}
