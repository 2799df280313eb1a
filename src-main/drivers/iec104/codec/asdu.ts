/** Application service data units (IEC 60870-5-101, 7.1 and 7.2): header, exact length, objects. */
import { say } from '#shared/messages/index.ts';
import { malformed } from '../../../protocol-kit/malformed.ts';
import { expectRange } from './checks.ts';
import type { InfoObject } from './objects.ts';
import { putUintLe, uintLe } from './octets.ts';
import { type AsduSizes, expectObjectAddress, headerLength, MAX_ASDU_LENGTH, maxObjectAddress } from './sizes.ts';
import { decodeCp24, decodeCp56, encodeTimeTag, type TimeTag } from './time-tags.ts';
import { type TypeSpec, typeSpec, typeText } from './types.ts';

/** The data unit identifier. */
export interface AsduHeader {
  /** Type identification, 0 to 255. */
  readonly typeId: number;
  /** SQ: one address, then elements of consecutive addresses. */
  readonly isSequence: boolean;
  /** Cause of transmission, 0 to 63; see causes.ts. */
  readonly cause: number;
  /** P/N: a negative confirmation. */
  readonly isNegative: boolean;
  /** T: must not move the process. */
  readonly isTest: boolean;
  /** Originator address, 0 to 255; 0 is not used, also where the cause has one octet. */
  readonly originator: number;
  /** 1 to 65534 (254) a station, 65535 (255) all. */
  readonly commonAddress: number;
}

/** A checked ASDU whose objects are still octets. */
export interface AsduView extends AsduHeader {
  /** Number of objects, 0 to 127. */
  readonly count: number;
  /** Null for types that stay raw. */
  readonly type: TypeSpec | null;
  /** The octets that were given; the ASDU ends where they end. */
  readonly octets: Uint8Array;
  /** Where the ASDU begins in `octets`. */
  readonly at: number;
  /** Where the objects begin in `octets`. */
  readonly bodyAt: number;
  readonly sizes: AsduSizes;
}

/** Body of a type that is not decoded. */
export interface RawBody {
  /** Number in the variable structure qualifier, 0 to 127. */
  readonly count: number;
  /** Everything behind the common address. */
  readonly octets: Uint8Array;
}

/** A decoded ASDU. `objects` is empty and `raw` is set for types that stay raw, else `raw` is null. */
export interface Asdu extends AsduHeader {
  readonly objects: readonly InfoObject[];
  readonly raw: RawBody | null;
}

/**
 * Reads the header and checks that the length is exactly what type, SQ and number say. The objects are read by `decodeObjects` or an
 * ObjectCursor. `at` is where the ASDU begins. Throws PROTOCOL_MALFORMED.
 */
export function openAsdu(octets: Uint8Array, sizes: AsduSizes, at = 0): AsduView {
  const length = octets.length - at;
  const bodyAt = at + headerLength(sizes);
  if (bodyAt > octets.length) {
    throw malformed(say('iec104frame.asdu_short', { length, least: headerLength(sizes) }));
  }
  if (length > MAX_ASDU_LENGTH) throw malformed(say('iec104frame.asdu_long', { length, most: MAX_ASDU_LENGTH }));
  const qualifier = octets[at + 1] ?? 0;
  const cause = octets[at + 2] ?? 0;
  const typeId = octets[at] ?? 0;
  const view: AsduView = {
    typeId,
    isSequence: (qualifier & 0x80) !== 0,
    cause: cause & 0x3f,
    isNegative: (cause & 0x40) !== 0,
    isTest: (cause & 0x80) !== 0,
    originator: sizes.cause === 2 ? (octets[at + 3] ?? 0) : 0,
    commonAddress: uintLe(octets, at + 2 + sizes.cause, sizes.commonAddress),
    count: qualifier & 0x7f,
    type: typeSpec(typeId),
    octets,
    at,
    bodyAt,
    sizes,
  };
  if (view.type !== null) checkBody(view, view.type);
  return view;
}

/** Octets of the objects of an ASDU, without its header. */
function bodyLength(type: TypeSpec, isSequence: boolean, count: number, sizes: AsduSizes): number {
  if (count === 0) return 0;
  return isSequence ? sizes.objectAddress + count * type.length : count * (sizes.objectAddress + type.length);
}

function checkBody(view: AsduView, type: TypeSpec): void {
  const { isSequence, count, sizes } = view;
  if (!type.isList && (isSequence || count !== 1)) {
    throw malformed(say('iec104frame.one_object', { type: typeText(type.id), sq: isSequence ? 1 : 0, count }));
  }
  const actual = view.octets.length - view.bodyAt;
  const expected = bodyLength(type, isSequence, count, sizes);
  if (actual !== expected) {
    throw malformed(say('iec104frame.object_octets', { type: typeText(type.id), sq: isSequence ? 1 : 0, count, actual, expected }));
  }
  if (isSequence && count > 0) {
    const last = uintLe(view.octets, view.bodyAt, sizes.objectAddress) + count - 1;
    if (last > maxObjectAddress(sizes)) {
      throw malformed(say('iec104frame.last_address', { last, most: maxObjectAddress(sizes) }));
    }
  }
}

/** The objects of a checked ASDU; empty for a type that stays raw. */
export function decodeObjects(view: AsduView): InfoObject[] {
  const { type, octets, count, isSequence, sizes } = view;
  if (type === null) return [];
  const objects: InfoObject[] = new Array(count);
  const { element, time: tag } = type;
  let at = view.bodyAt;
  let address = -1;
  for (let index = 0; index < count; index++) {
    if (isSequence && index > 0) {
      address += 1;
    } else {
      address = uintLe(octets, at, sizes.objectAddress);
      at += sizes.objectAddress;
    }
    objects[index] = element.decode(octets, at, address, tag === null ? null : timeAt(tag, octets, at + element.length));
    at += type.length;
  }
  return objects;
}

function timeAt(tag: TimeTag['kind'], octets: Uint8Array, at: number): TimeTag {
  return tag === 'cp56' ? decodeCp56(octets, at) : decodeCp24(octets, at);
}

/** Decodes an ASDU with all its objects. `at` is where it begins. Throws PROTOCOL_MALFORMED. */
export function decodeAsdu(octets: Uint8Array, sizes: AsduSizes, at = 0): Asdu {
  const view = openAsdu(octets, sizes, at);
  return {
    typeId: view.typeId,
    isSequence: view.isSequence,
    cause: view.cause,
    isNegative: view.isNegative,
    isTest: view.isTest,
    originator: view.originator,
    commonAddress: view.commonAddress,
    objects: decodeObjects(view),
    raw: view.type === null ? { count: view.count, octets: octets.subarray(view.bodyAt) } : null,
  };
}

/**
 * Encodes an ASDU, at most 249 octets; splitting is up to the caller (`maxObjects`). With a cause of one octet the originator is not sent.
 * Throws PROTOCOL_MALFORMED for a number that its field cannot hold, an object that does not belong to the type, and addresses of
 * a sequence that are not consecutive.
 */
export function encodeAsdu(asdu: Asdu, sizes: AsduSizes): Uint8Array {
  const type = typeSpec(asdu.typeId);
  const count = asdu.raw?.count ?? asdu.objects.length;
  if (asdu.raw === null && type === null) throw malformed(say('iec104.no_objects_known', { type: typeText(asdu.typeId) }));
  if (asdu.raw === null && type?.isList === false && (asdu.isSequence || count !== 1)) {
    throw malformed(say('iec104.objects_count', { type: typeText(asdu.typeId), count }));
  }
  expectRange('number of objects', count, 0, 127);
  const body = asdu.raw !== null ? asdu.raw.octets.length : type === null ? 0 : bodyLength(type, asdu.isSequence, count, sizes);
  const length = headerLength(sizes) + body;
  if (length > MAX_ASDU_LENGTH) throw malformed(say('iec104.asdu_long', { length, most: MAX_ASDU_LENGTH }));
  const octets = new Uint8Array(length);
  putHeader(asdu, count, sizes, octets);
  if (asdu.raw !== null) octets.set(asdu.raw.octets, headerLength(sizes));
  else if (type !== null) putObjects(asdu, type, sizes, octets);
  return octets;
}

function putHeader(header: AsduHeader, count: number, sizes: AsduSizes, octets: Uint8Array): void {
  expectRange('type identification', header.typeId, 0, 0xff);
  expectRange('cause of transmission', header.cause, 0, 0x3f);
  expectRange('originator address', header.originator, 0, 0xff);
  expectRange('common address', header.commonAddress, 0, 2 ** (8 * sizes.commonAddress) - 1);
  octets[0] = header.typeId;
  octets[1] = count | (header.isSequence ? 0x80 : 0);
  octets[2] = causeOctet(header.cause, header.isNegative, header.isTest);
  if (sizes.cause === 2) octets[3] = header.originator;
  putUintLe(octets, 2 + sizes.cause, header.commonAddress, sizes.commonAddress);
}

function causeOctet(cause: number, isNegative: boolean, isTest: boolean): number {
  return cause | (isNegative ? 0x40 : 0) | (isTest ? 0x80 : 0);
}

function putObjects(asdu: Asdu, type: TypeSpec, sizes: AsduSizes, octets: Uint8Array): void {
  let at = headerLength(sizes);
  let next = -1;
  for (const object of asdu.objects) {
    expectMember(object, type);
    expectObjectAddress(object.address, sizes);
    if (!asdu.isSequence || next < 0) {
      putUintLe(octets, at, object.address, sizes.objectAddress);
      at += sizes.objectAddress;
    } else if (object.address !== next) {
      throw malformed(say('iec104.sequence_address', { address: object.address, next }));
    }
    next = object.address + 1;
    type.element.encode(object, octets, at);
    if (object.time !== null) encodeTimeTag(object.time, octets, at + type.element.length);
    at += type.length;
  }
}

function expectMember(object: InfoObject, type: TypeSpec): void {
  if (object.kind !== type.element.kind) {
    throw malformed(say('iec104.object_kind', { kind: object.kind, right: type.element.kind, type: typeText(type.id) }));
  }
  const tag = object.time?.kind ?? null;
  if (tag !== type.time) {
    throw malformed(say('iec104.time_tag', { tag: tag ?? 'none', right: type.time ?? 'none', type: typeText(type.id) }));
  }
}

/**
 * The same ASDU with another cause and P/N, octet by octet the request otherwise: confirmations, terminations and the replies 44 to
 * 47 mirror what was asked, of unknown types too (IEC 60870-5-101, 7.2.3; IEC 60870-5-5). Throws PROTOCOL_MALFORMED when there is no whole header.
 */
export function mirrorAsdu(octets: Uint8Array, cause: number, isNegative: boolean): Uint8Array {
  if (octets.length < 4) throw malformed(say('iec104.asdu_short', { count: octets.length }));
  const mirrored = Uint8Array.from(octets);
  mirrored[2] = causeOctet(cause, isNegative, ((octets[2] ?? 0) & 0x80) !== 0);
  return mirrored;
}
