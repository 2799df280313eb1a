/**
 * Requests as PDUs: function code and data, without unit id and frame (MODBUS Application Protocol V1.1b3, 6).
 * Addresses are those on the wire, from 0. Decoded octets are views of the PDU that was given.
 */
import { say } from '#shared/messages/index.ts';
import { putU16, u8, u16 } from '../../../protocol-kit/bytes.ts';
import { malformed } from '../../../protocol-kit/malformed.ts';
import { bitOctets, expectLeast, expectLength, expectRange } from './checks.ts';
import { MAX_ADDRESS, QUANTITY_LIMITS } from './functions.ts';
import { decodeServiceRequest, encodeServiceRequest, type ServiceRequest } from './service-functions.ts';

export type ReadFunction = 1 | 2 | 3 | 4;

export interface ReadRequest {
  readonly functionCode: ReadFunction;
  readonly start: number;
  readonly quantity: number;
}

export interface WriteCoilRequest {
  readonly functionCode: 5;
  readonly address: number;
  readonly on: boolean;
}

export interface WriteRegisterRequest {
  readonly functionCode: 6;
  readonly address: number;
  /** 0 to 65535. */
  readonly value: number;
}

export interface WriteManyRequest {
  /** 15: coils, eight to an octet, the first in the lowest bit. 16: registers, two octets each. */
  readonly functionCode: 15 | 16;
  readonly start: number;
  readonly quantity: number;
  readonly octets: Uint8Array;
}

/** The register becomes (old AND andMask) OR (orMask AND NOT andMask). */
export interface MaskWriteRequest {
  readonly functionCode: 22;
  readonly address: number;
  readonly andMask: number;
  readonly orMask: number;
}

/** Writes first, then reads. */
export interface ReadWriteRequest {
  readonly functionCode: 23;
  readonly readStart: number;
  readonly readQuantity: number;
  readonly writeStart: number;
  readonly writeQuantity: number;
  readonly octets: Uint8Array;
}

/** Read Device Identification, MEI type 14. */
export interface IdentificationRequest {
  readonly functionCode: 43;
  /** 1 basic, 2 regular, 3 extended (streams); 4 one object. */
  readonly readCode: number;
  readonly objectId: number;
}

export type ModbusRequest =
  | ReadRequest
  | WriteCoilRequest
  | WriteRegisterRequest
  | WriteManyRequest
  | MaskWriteRequest
  | ReadWriteRequest
  | IdentificationRequest
  | ServiceRequest;

/** MEI type of Read Device Identification (V1.1b3, 6.21). */
export const MEI_IDENTIFICATION = 14;

/** Most coils or registers a read of this function may ask for. */
export function readLimit(functionCode: ReadFunction): number {
  return functionCode <= 2 ? QUANTITY_LIMITS.readBits : QUANTITY_LIMITS.readRegisters;
}

/** Encodes a read (V1.1b3, 6.1 to 6.4) without an object in between; throws PROTOCOL_MALFORMED beyond the limits. */
export function encodeRead(functionCode: ReadFunction, start: number, quantity: number): Uint8Array {
  expectRange('start address', start, 0, MAX_ADDRESS);
  expectRange('quantity', quantity, 1, readLimit(functionCode));
  return fields(functionCode, start, quantity);
}

/** Encodes a request; throws PROTOCOL_MALFORMED for a number outside the limits of the standard. */
export function encodeRequest(request: ModbusRequest): Uint8Array {
  switch (request.functionCode) {
    case 1:
    case 2:
    case 3:
    case 4:
      return encodeRead(request.functionCode, request.start, request.quantity);
    case 5:
      expectRange('coil address', request.address, 0, MAX_ADDRESS);
      return fields(5, request.address, request.on ? 0xff00 : 0);
    case 6:
      expectRange('register address', request.address, 0, MAX_ADDRESS);
      expectRange('register value', request.value, 0, 0xffff);
      return fields(6, request.address, request.value);
    case 15:
    case 16:
      return encodeWriteMany(request);
    case 22:
      expectRange('register address', request.address, 0, MAX_ADDRESS);
      expectRange('AND mask', request.andMask, 0, 0xffff);
      expectRange('OR mask', request.orMask, 0, 0xffff);
      return fields(22, request.address, request.andMask, request.orMask);
    case 23:
      return encodeReadWrite(request);
    case 43:
      expectRange('read device id code', request.readCode, 1, 4);
      expectRange('object id', request.objectId, 0, 0xff);
      return Uint8Array.of(43, MEI_IDENTIFICATION, request.readCode, request.objectId);
    default:
      return encodeServiceRequest(request);
  }
}

/**
 * Decodes a request PDU. Throws PROTOCOL_MALFORMED for a function not known here, a wrong length, a quantity beyond the
 * limits or a byte count that does not fit; whether the addresses exist is not this function's business.
 */
export function decodeRequest(pdu: Uint8Array): ModbusRequest {
  if (pdu.length === 0) throw malformed(say('modbusframe.pdu_empty'));
  const functionCode = u8(pdu, 0);
  switch (functionCode) {
    case 1:
    case 2:
    case 3:
    case 4:
      return decodeRead(pdu, functionCode);
    case 5:
      expectLength('Write Single Coil', pdu.length, 5);
      return { functionCode, address: u16(pdu, 1), on: decodeCoilValue(u16(pdu, 3)) };
    case 6:
      expectLength('Write Single Register', pdu.length, 5);
      return { functionCode, address: u16(pdu, 1), value: u16(pdu, 3) };
    case 15:
    case 16:
      return decodeWriteMany(pdu, functionCode);
    case 22:
      expectLength('Mask Write Register', pdu.length, 7);
      return { functionCode, address: u16(pdu, 1), andMask: u16(pdu, 3), orMask: u16(pdu, 5) };
    case 23:
      return decodeReadWrite(pdu);
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
      return decodeServiceRequest(pdu, functionCode);
    default:
      throw malformed(say('modbusframe.function_unknown', { code: functionCode }));
  }
}

/** 0xFF00 is on, 0x0000 off; nothing else is allowed (V1.1b3, 6.5). */
export function decodeCoilValue(value: number): boolean {
  if (value !== 0xff00 && value !== 0) throw malformed(say('modbusframe.coil_value', { value: `0x${value.toString(16)}` }));
  return value === 0xff00;
}

function fields(functionCode: number, ...values: readonly number[]): Uint8Array {
  const pdu = new Uint8Array(1 + 2 * values.length);
  pdu[0] = functionCode;
  for (let index = 0; index < values.length; index++) putU16(pdu, 1 + 2 * index, values[index] ?? 0);
  return pdu;
}

function decodeRead(pdu: Uint8Array, functionCode: ReadFunction): ReadRequest {
  expectLength('A read request', pdu.length, 5);
  const quantity = u16(pdu, 3);
  expectRange('quantity', quantity, 1, readLimit(functionCode));
  return { functionCode, start: u16(pdu, 1), quantity };
}

function writeOctets(functionCode: 15 | 16, quantity: number): number {
  return functionCode === 15 ? bitOctets(quantity) : 2 * quantity;
}

function expectWriteQuantity(functionCode: 15 | 16, quantity: number): void {
  expectRange('quantity', quantity, 1, functionCode === 15 ? QUANTITY_LIMITS.writeCoils : QUANTITY_LIMITS.writeRegisters);
}

function encodeWriteMany(request: WriteManyRequest): Uint8Array {
  const { functionCode, start, quantity, octets } = request;
  expectRange('start address', start, 0, MAX_ADDRESS);
  expectWriteQuantity(functionCode, quantity);
  expectLength('The data to write', octets.length, writeOctets(functionCode, quantity));
  const pdu = new Uint8Array(6 + octets.length);
  pdu[0] = functionCode;
  putU16(pdu, 1, start);
  putU16(pdu, 3, quantity);
  pdu[5] = octets.length;
  pdu.set(octets, 6);
  return pdu;
}

function decodeWriteMany(pdu: Uint8Array, functionCode: 15 | 16): WriteManyRequest {
  expectLeast('A request to write several', pdu.length, 7);
  const quantity = u16(pdu, 3);
  expectWriteQuantity(functionCode, quantity);
  const expected = writeOctets(functionCode, quantity);
  expectRange('byte count', u8(pdu, 5), expected, expected);
  expectLength('A request to write several', pdu.length, 6 + expected);
  return { functionCode, start: u16(pdu, 1), quantity, octets: pdu.subarray(6) };
}

function encodeReadWrite(request: ReadWriteRequest): Uint8Array {
  const { readStart, readQuantity, writeStart, writeQuantity, octets } = request;
  expectRange('read start address', readStart, 0, MAX_ADDRESS);
  expectRange('write start address', writeStart, 0, MAX_ADDRESS);
  expectReadWriteQuantities(readQuantity, writeQuantity);
  expectLength('The data to write', octets.length, 2 * writeQuantity);
  const pdu = new Uint8Array(10 + octets.length);
  pdu[0] = 23;
  putU16(pdu, 1, readStart);
  putU16(pdu, 3, readQuantity);
  putU16(pdu, 5, writeStart);
  putU16(pdu, 7, writeQuantity);
  pdu[9] = octets.length;
  pdu.set(octets, 10);
  return pdu;
}

function decodeReadWrite(pdu: Uint8Array): ReadWriteRequest {
  expectLeast('A read/write request', pdu.length, 12);
  const readQuantity = u16(pdu, 3);
  const writeQuantity = u16(pdu, 7);
  expectReadWriteQuantities(readQuantity, writeQuantity);
  expectRange('byte count', u8(pdu, 9), 2 * writeQuantity, 2 * writeQuantity);
  expectLength('A read/write request', pdu.length, 10 + 2 * writeQuantity);
  return { functionCode: 23, readStart: u16(pdu, 1), readQuantity, writeStart: u16(pdu, 5), writeQuantity, octets: pdu.subarray(10) };
}

function expectReadWriteQuantities(readQuantity: number, writeQuantity: number): void {
  expectRange('quantity to read', readQuantity, 1, QUANTITY_LIMITS.readWriteRead);
  expectRange('quantity to write', writeQuantity, 1, QUANTITY_LIMITS.readWriteWrite);
}

function decodeIdentification(pdu: Uint8Array): IdentificationRequest {
  if (pdu.length >= 2 && u8(pdu, 1) !== MEI_IDENTIFICATION) throw malformed(say('modbusframe.mei_unknown', { type: u8(pdu, 1) }));
  expectLength('Read Device Identification', pdu.length, 4);
  expectRange('read device id code', u8(pdu, 2), 1, 4);
  return { functionCode: 43, readCode: u8(pdu, 2), objectId: u8(pdu, 3) };
}
