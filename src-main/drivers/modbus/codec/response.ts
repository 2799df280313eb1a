/**
 * Answers as PDUs (MODBUS Application Protocol V1.1b3, 6 and 7). Decoded octets are views of the PDU that was given.
 * `readAnswerData` and `expectEcho` are what a client runs: they check an answer against its request without making objects.
 */

import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { concatBytes, hexText, putU16, u8, u16 } from '../../../protocol-kit/bytes.ts';
import { malformed } from '../../../protocol-kit/malformed.ts';
import { bitOctets, expectLeast, expectLength, expectRange } from './checks.ts';
import { EXCEPTION_BIT, MAX_ADDRESS, MAX_PDU_LENGTH, QUANTITY_LIMITS } from './functions.ts';
import {
  decodeCoilValue,
  encodeRequest,
  type MaskWriteRequest,
  MEI_IDENTIFICATION,
  type ReadFunction,
  type WriteCoilRequest,
  type WriteRegisterRequest,
} from './request.ts';
import { decodeServiceResponse, encodeServiceResponse, type ServiceResponse } from './service-functions.ts';

/** Answer to 1 and 2: coils, eight to an octet, the first in the lowest bit; 3, 4 and 23: registers, two octets each. */
export interface DataResponse {
  readonly kind: 'data';
  readonly functionCode: ReadFunction | 23;
  readonly octets: Uint8Array;
}

/** Answer to 5, 6 and 22: the request again. */
export type EchoResponse = { readonly kind: 'echo' } & (WriteCoilRequest | WriteRegisterRequest | MaskWriteRequest);

/** Answer to 15 and 16. */
export interface WrittenResponse {
  readonly kind: 'written';
  readonly functionCode: 15 | 16;
  readonly start: number;
  readonly quantity: number;
}

export interface IdentificationObject {
  readonly id: number;
  /** Text octets; the standard asks for ASCII in the basic objects. */
  readonly value: Uint8Array;
}

export interface IdentificationResponse {
  readonly kind: 'identification';
  readonly functionCode: 43;
  readonly readCode: number;
  readonly conformity: number;
  readonly moreFollows: boolean;
  readonly nextObjectId: number;
  readonly objects: readonly IdentificationObject[];
}

export interface ExceptionResponse {
  readonly kind: 'exception';
  /** Function code of the request, without the exception bit. */
  readonly functionCode: number;
  readonly exception: number;
}

export type ModbusResponse = DataResponse | EchoResponse | WrittenResponse | IdentificationResponse | ExceptionResponse | ServiceResponse;

/** Encodes an answer; throws PROTOCOL_MALFORMED for a number outside the limits of the standard. */
export function encodeResponse(response: ModbusResponse): Uint8Array {
  switch (response.kind) {
    case 'data':
      expectDataLength(response.functionCode, response.octets.length);
      return concatBytes(Uint8Array.of(response.functionCode, response.octets.length), response.octets);
    case 'echo':
      return encodeRequest(response);
    case 'written':
      return encodeWritten(response);
    case 'identification':
      return encodeIdentification(response);
    case 'exception':
      expectRange('function code', response.functionCode, 1, 0x7f);
      expectRange('exception code', response.exception, 1, 0xff);
      return Uint8Array.of(response.functionCode | EXCEPTION_BIT, response.exception);
    default:
      return encodeServiceResponse(response);
  }
}

/** Decodes an answer PDU. Throws PROTOCOL_MALFORMED for a function not known here, a wrong length or a byte count that does not fit. */
export function decodeResponse(pdu: Uint8Array): ModbusResponse {
  if (pdu.length === 0) throw malformed(say('modbusframe.pdu_empty'));
  const functionCode = u8(pdu, 0);
  switch (functionCode) {
    case 1:
    case 2:
    case 3:
    case 4:
    case 23:
      return { kind: 'data', functionCode, octets: decodeData(pdu, functionCode) };
    case 5:
      expectLength('The answer to Write Single Coil', pdu.length, 5);
      return { kind: 'echo', functionCode, address: u16(pdu, 1), on: decodeCoilValue(u16(pdu, 3)) };
    case 6:
      expectLength('The answer to Write Single Register', pdu.length, 5);
      return { kind: 'echo', functionCode, address: u16(pdu, 1), value: u16(pdu, 3) };
    case 15:
    case 16:
      return decodeWritten(pdu, functionCode);
    case 22:
      expectLength('The answer to Mask Write Register', pdu.length, 7);
      return { kind: 'echo', functionCode, address: u16(pdu, 1), andMask: u16(pdu, 3), orMask: u16(pdu, 5) };
    case 43:
      return decodeIdentification(pdu);
    case 7:
    case 8:
    case 11:
    case 12:
    case 17:
    case 20:
    case 21:
    case 24:
      return decodeServiceResponse(pdu, functionCode);
    default:
      return decodeException(pdu);
  }
}

/**
 * Data of the answer to a read of `quantity` coils (1, 2) or registers (3, 4), as a view. Throws PROTOCOL_MALFORMED when
 * the byte count does not fit the request or the length. The function code is already checked by the session.
 */
export function readAnswerData(pdu: Uint8Array, functionCode: ReadFunction, quantity: number): Uint8Array {
  const expected = functionCode <= 2 ? bitOctets(quantity) : 2 * quantity;
  const byteCount = u8(pdu, 1);
  if (byteCount !== expected || pdu.length !== 2 + expected) {
    throw malformed(say('modbusframe.answer_data', { counted: byteCount, count: pdu.length - 2, expected }));
  }
  return pdu.subarray(2);
}

/**
 * Checks the answer to a write: 5, 6 and 22 echo the whole request, 15 and 16 its address and quantity (V1.1b3, 6.5, 6.6,
 * 6.11, 6.12, 6.16). Throws PROTOCOL_MISMATCH saying what came back.
 */
export function expectEcho(request: Uint8Array, answer: Uint8Array): void {
  const functionCode = u8(request, 0);
  const expected = functionCode === 15 || functionCode === 16 ? request.subarray(0, 5) : request;
  let same = answer.length === expected.length;
  for (let at = 0; same && at < expected.length; at++) same = answer[at] === expected[at];
  if (!same) {
    throw new AppError('PROTOCOL_MISMATCH', say('modbus.other_echo', { answer: hexText(answer), expected: hexText(expected) }));
  }
}

/** Exception code of an answer PDU, 0 when it is no exception answer. The session has checked its length. */
export function exceptionOf(pdu: Uint8Array): number {
  return (u8(pdu, 0) & EXCEPTION_BIT) === 0 ? 0 : u8(pdu, 1);
}

function expectDataLength(functionCode: ReadFunction | 23, length: number): void {
  const bits = functionCode === 1 || functionCode === 2;
  const most = bits ? bitOctets(QUANTITY_LIMITS.readBits) : 2 * QUANTITY_LIMITS.readRegisters;
  expectRange('byte count', length, bits ? 1 : 2, most);
  if (!bits && length % 2 !== 0) throw malformed(say('modbusframe.byte_count_odd', { count: length }));
}

function decodeData(pdu: Uint8Array, functionCode: ReadFunction | 23): Uint8Array {
  if (pdu.length < 2) throw malformed(say('modbusframe.no_byte_count'));
  const byteCount = u8(pdu, 1);
  expectDataLength(functionCode, byteCount);
  expectLength('The answer', pdu.length, 2 + byteCount);
  return pdu.subarray(2);
}

function expectWritten(functionCode: 15 | 16, quantity: number): void {
  expectRange('quantity', quantity, 1, functionCode === 15 ? QUANTITY_LIMITS.writeCoils : QUANTITY_LIMITS.writeRegisters);
}

function encodeWritten(response: WrittenResponse): Uint8Array {
  expectRange('start address', response.start, 0, MAX_ADDRESS);
  expectWritten(response.functionCode, response.quantity);
  const pdu = new Uint8Array(5);
  pdu[0] = response.functionCode;
  putU16(pdu, 1, response.start);
  putU16(pdu, 3, response.quantity);
  return pdu;
}

function decodeWritten(pdu: Uint8Array, functionCode: 15 | 16): WrittenResponse {
  expectLength('The answer to a write of several', pdu.length, 5);
  const quantity = u16(pdu, 3);
  expectWritten(functionCode, quantity);
  return { kind: 'written', functionCode, start: u16(pdu, 1), quantity };
}

function encodeIdentification(response: IdentificationResponse): Uint8Array {
  expectRange('read device id code', response.readCode, 1, 4);
  expectRange('conformity level', response.conformity, 0, 0xff);
  expectRange('next object id', response.nextObjectId, 0, 0xff);
  const parts: Uint8Array[] = [
    Uint8Array.of(
      43,
      MEI_IDENTIFICATION,
      response.readCode,
      response.conformity,
      response.moreFollows ? 0xff : 0,
      response.nextObjectId,
      response.objects.length,
    ),
  ];
  for (const object of response.objects) {
    expectRange('object id', object.id, 0, 0xff);
    parts.push(Uint8Array.of(object.id, object.value.length), object.value);
  }
  const pdu = concatBytes(...parts);
  expectRange('length of the PDU', pdu.length, 7, MAX_PDU_LENGTH);
  return pdu;
}

function decodeIdentification(pdu: Uint8Array): IdentificationResponse {
  expectLeast('The answer to Read Device Identification', pdu.length, 7);
  if (pdu.length > MAX_PDU_LENGTH) throw malformed(say('modbusframe.pdu_most', { actual: pdu.length, most: MAX_PDU_LENGTH }));
  if (u8(pdu, 1) !== MEI_IDENTIFICATION) throw malformed(say('modbusframe.mei_unknown', { type: u8(pdu, 1) }));
  expectRange('read device id code', u8(pdu, 2), 1, 4);
  const more = u8(pdu, 4);
  if (more !== 0 && more !== 0xff) throw malformed(say('modbusframe.more_follows_value', { value: more }));
  const objects: IdentificationObject[] = [];
  let at = 7;
  for (let left = u8(pdu, 6); left > 0; left--) {
    const end = at + 2 + u8(pdu, at + 1);
    if (at + 2 > pdu.length || end > pdu.length) throw malformed(say('modbusframe.object_beyond'));
    objects.push({ id: u8(pdu, at), value: pdu.subarray(at + 2, end) });
    at = end;
  }
  expectLength('The list of identification objects', pdu.length, at);
  return {
    kind: 'identification',
    functionCode: 43,
    readCode: u8(pdu, 2),
    conformity: u8(pdu, 3),
    moreFollows: more === 0xff,
    nextObjectId: u8(pdu, 5),
    objects,
  };
}

function decodeException(pdu: Uint8Array): ExceptionResponse {
  const functionCode = u8(pdu, 0) & ~EXCEPTION_BIT;
  if ((u8(pdu, 0) & EXCEPTION_BIT) === 0 || functionCode === 0)
    throw malformed(say('modbusframe.function_unknown_answer', { code: u8(pdu, 0) }));
  expectLength('An exception answer', pdu.length, 2);
  expectRange('exception code', u8(pdu, 1), 1, 0xff);
  return { kind: 'exception', functionCode, exception: u8(pdu, 1) };
}
