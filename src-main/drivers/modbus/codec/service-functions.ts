/**
 * Functions about the device itself, files and queues (MODBUS Application Protocol V1.1b3, 6.7 to 6.10, 6.13 to 6.15, 6.18). Octets of decoded requests and
 * answers are views of the PDU that was given.
 */
import { say } from '#shared/messages/index.ts';
import { concatBytes, putU16, u8, u16 } from '../../../protocol-kit/bytes.ts';
import { malformed } from '../../../protocol-kit/malformed.ts';
import { expectLeast, expectLength, expectRange } from './checks.ts';
import { MAX_ADDRESS } from './functions.ts';

/** Read Exception Status, Get Comm Event Counter, Get Comm Event Log, Report Server ID: nothing behind the function code. */
export interface BareRequest {
  readonly functionCode: 7 | 11 | 12 | 17;
}

/** Diagnostics. The data is one word, but for sub-function 0, whose data comes back as it is. */
export interface DiagnosticsRequest {
  readonly functionCode: 8;
  readonly subFunction: number;
  readonly octets: Uint8Array;
}

/** Part of a file: `length` registers from record `record` on. */
export interface FileRange {
  readonly file: number;
  readonly record: number;
  readonly length: number;
}

export interface FileReadRequest {
  readonly functionCode: 20;
  readonly ranges: readonly FileRange[];
}

/** Registers of a file from record `record` on. */
export interface FileRecords {
  readonly file: number;
  readonly record: number;
  readonly octets: Uint8Array;
}

export interface FileWriteRequest {
  readonly functionCode: 21;
  readonly records: readonly FileRecords[];
}

export interface FifoRequest {
  readonly functionCode: 24;
  readonly address: number;
}

export type ServiceRequest = BareRequest | DiagnosticsRequest | FileReadRequest | FileWriteRequest | FifoRequest;

export type ServiceResponse =
  /** Eight outputs, the lowest bit is the first one. */
  | { readonly kind: 'status'; readonly functionCode: 7; readonly status: number }
  | ({ readonly kind: 'diagnostics' } & DiagnosticsRequest)
  /** `status`: 0xFFFF while a program command is still under way, else 0. */
  | { readonly kind: 'events'; readonly functionCode: 11; readonly status: number; readonly events: number }
  /** `octets`: the log, the latest event first. */
  | {
      readonly kind: 'log';
      readonly functionCode: 12;
      readonly status: number;
      readonly events: number;
      readonly messages: number;
      readonly octets: Uint8Array;
    }
  | { readonly kind: 'server-id'; readonly functionCode: 17; readonly octets: Uint8Array }
  | { readonly kind: 'file'; readonly functionCode: 20; readonly parts: readonly { readonly octets: Uint8Array }[] }
  | ({ readonly kind: 'file-written' } & FileWriteRequest)
  | { readonly kind: 'fifo'; readonly functionCode: 24; readonly octets: Uint8Array };

/** Sub-functions of Diagnostics (V1.1b3, 6.8.1), by name. */
export const Diagnostics = {
  returnQueryData: 0,
  restartCommunications: 1,
  returnDiagnosticRegister: 2,
  changeDelimiter: 3,
  forceListenOnly: 4,
  clearCounters: 10,
  busMessageCount: 11,
  busErrorCount: 12,
  exceptionErrorCount: 13,
  serverMessageCount: 14,
  noResponseCount: 15,
  nakCount: 16,
  busyCount: 17,
  overrunCount: 18,
  clearOverrun: 20,
} as const;

/** Registers that a file holds (V1.1b3, 6.14: record numbers 0 to 9999), and most a queue (6.18). */
export const FILE_RECORDS = 10_000;
export const MOST_QUEUED = 31;
const REFERENCE_TYPE = 6;
const RANGE_OCTETS = 7;
/** Octets behind the byte count of Read and Write File Record. */
const MOST_READ = 0xf5;
const MOST_WRITTEN = 0xfb;
/** Status, event count, message count. */
const LOG_HEAD = 6;
const MOST_LOG = 64;

export function encodeServiceRequest(request: ServiceRequest): Uint8Array {
  switch (request.functionCode) {
    case 7:
    case 11:
    case 12:
    case 17:
      return Uint8Array.of(request.functionCode);
    case 8:
      return encodeDiagnostics(request);
    case 20:
      return encodeFileRead(request.ranges);
    case 21:
      return encodeFileWrite(request.records);
    case 24:
      expectRange('register address', request.address, 0, MAX_ADDRESS);
      return words(24, request.address);
  }
}

/** Decodes such a request; throws PROTOCOL_MALFORMED. */
export function decodeServiceRequest(pdu: Uint8Array, functionCode: ServiceRequest['functionCode']): ServiceRequest {
  switch (functionCode) {
    case 7:
    case 11:
    case 12:
    case 17:
      expectLength('A request without data', pdu.length, 1);
      return { functionCode };
    case 8:
      return decodeDiagnostics(pdu);
    case 20:
      return { functionCode, ranges: decodeFileRead(pdu) };
    case 21:
      return { functionCode, records: decodeFileWrite(pdu) };
    case 24:
      expectLength('Read FIFO Queue', pdu.length, 3);
      return { functionCode, address: u16(pdu, 1) };
  }
}

export function encodeServiceResponse(response: ServiceResponse): Uint8Array {
  switch (response.kind) {
    case 'status':
      expectRange('exception status', response.status, 0, 0xff);
      return Uint8Array.of(7, response.status);
    case 'diagnostics':
      return encodeDiagnostics(response);
    case 'events':
      return words(11, response.status, response.events);
    case 'log':
      expectRange('length of the event log', response.octets.length, 0, MOST_LOG);
      return concatBytes(
        Uint8Array.of(12, LOG_HEAD + response.octets.length),
        words(12, response.status, response.events, response.messages).subarray(1),
        response.octets,
      );
    case 'server-id':
      expectRange('byte count', response.octets.length, 1, 251);
      return concatBytes(Uint8Array.of(17, response.octets.length), response.octets);
    case 'file':
      return encodeFile(response.parts);
    case 'file-written':
      return encodeFileWrite(response.records);
    case 'fifo':
      expectRange('registers of the queue', response.octets.length / 2, 0, MOST_QUEUED);
      return concatBytes(words(24, response.octets.length + 2, response.octets.length / 2), response.octets);
  }
}

/** Decodes such an answer; throws PROTOCOL_MALFORMED. */
export function decodeServiceResponse(pdu: Uint8Array, functionCode: ServiceRequest['functionCode']): ServiceResponse {
  switch (functionCode) {
    case 7:
      expectLength('The answer', pdu.length, 2);
      return { kind: 'status', functionCode, status: u8(pdu, 1) };
    case 8:
      return { kind: 'diagnostics', ...decodeDiagnostics(pdu) };
    case 11:
      expectLength('The answer', pdu.length, 5);
      return { kind: 'events', functionCode, status: u16(pdu, 1), events: u16(pdu, 3) };
    case 12: {
      const data = counted(pdu);
      expectRange('byte count', data.length, LOG_HEAD, LOG_HEAD + MOST_LOG);
      const [status, events, messages] = [u16(data, 0), u16(data, 2), u16(data, 4)];
      return { kind: 'log', functionCode, status, events, messages, octets: data.subarray(LOG_HEAD) };
    }
    case 17: {
      const octets = counted(pdu);
      expectLeast('The server id', octets.length, 1);
      return { kind: 'server-id', functionCode, octets };
    }
    case 20:
      return { kind: 'file', functionCode, parts: decodeFile(counted(pdu)) };
    case 21:
      return { kind: 'file-written', functionCode, records: decodeFileWrite(pdu) };
    case 24:
      return { kind: 'fifo', functionCode, octets: decodeFifo(pdu) };
  }
}

function words(functionCode: number, ...values: readonly number[]): Uint8Array {
  const pdu = new Uint8Array(1 + 2 * values.length);
  pdu[0] = functionCode;
  for (const [at, value] of values.entries()) putU16(pdu, 1 + 2 * at, value);
  return pdu;
}

function encodeDiagnostics({ subFunction, octets }: Pick<DiagnosticsRequest, 'subFunction' | 'octets'>): Uint8Array {
  expectRange('sub-function', subFunction, 0, 0xffff);
  expectDiagnosticData(subFunction, octets.length);
  return concatBytes(words(8, subFunction), octets);
}

function decodeDiagnostics(pdu: Uint8Array): DiagnosticsRequest {
  expectLeast('Diagnostics', pdu.length, 5);
  const subFunction = u16(pdu, 1);
  expectDiagnosticData(subFunction, pdu.length - 3);
  return { functionCode: 8, subFunction, octets: pdu.subarray(3) };
}

function expectDiagnosticData(subFunction: number, length: number): void {
  if (subFunction !== Diagnostics.returnQueryData) expectLength('The data of Diagnostics', length, 2);
  else if (length < 2 || length > 250 || length % 2 !== 0) throw malformed(say('modbusframe.byte_count_odd', { count: length }));
}

function encodeFileRead(ranges: readonly FileRange[]): Uint8Array {
  expectRange('byte count', RANGE_OCTETS * ranges.length, RANGE_OCTETS, MOST_READ);
  expectAnswerFits(ranges);
  const parts = ranges.map(({ file, record, length }) => {
    expectPlace(file, record, length);
    return concatBytes(Uint8Array.of(REFERENCE_TYPE), words(0, file, record, length).subarray(1));
  });
  return concatBytes(Uint8Array.of(20, RANGE_OCTETS * ranges.length), ...parts);
}

function decodeFileRead(pdu: Uint8Array): FileRange[] {
  const data = counted(pdu);
  expectRange('byte count', data.length, RANGE_OCTETS, MOST_READ);
  if (data.length % RANGE_OCTETS !== 0) throw malformed(say('modbusframe.ranges', { count: data.length }));
  const ranges: FileRange[] = [];
  for (let at = 0; at < data.length; at += RANGE_OCTETS) {
    expectReference(data, at);
    const range = { file: u16(data, at + 1), record: u16(data, at + 3), length: u16(data, at + 5) };
    expectPlace(range.file, range.record, range.length);
    ranges.push(range);
  }
  expectAnswerFits(ranges);
  return ranges;
}

function expectAnswerFits(ranges: readonly FileRange[]): void {
  const answered = ranges.reduce((sum, { length }) => sum + 2 + 2 * length, 0);
  expectRange('length of the answer', answered, 0, MOST_READ);
}

function encodeFileWrite(records: readonly FileRecords[]): Uint8Array {
  const parts = records.map(({ file, record, octets }) => {
    expectPlace(file, record, octets.length / 2);
    return concatBytes(Uint8Array.of(REFERENCE_TYPE), words(0, file, record, octets.length / 2).subarray(1), octets);
  });
  const data = concatBytes(...parts);
  expectRange('byte count', data.length, RANGE_OCTETS + 2, MOST_WRITTEN);
  return concatBytes(Uint8Array.of(21, data.length), data);
}

function decodeFileWrite(pdu: Uint8Array): FileRecords[] {
  const data = counted(pdu);
  expectRange('byte count', data.length, RANGE_OCTETS + 2, MOST_WRITTEN);
  const records: FileRecords[] = [];
  for (let at = 0; at < data.length; ) {
    expectLeast('A file record', data.length - at, RANGE_OCTETS + 2);
    expectReference(data, at);
    const [file, record, length] = [u16(data, at + 1), u16(data, at + 3), u16(data, at + 5)];
    expectPlace(file, record, length);
    const start = at + RANGE_OCTETS;
    at = start + 2 * length;
    expectLeast('A file record', data.length - start, 2 * length);
    records.push({ file, record, octets: data.subarray(start, at) });
  }
  return records;
}

function encodeFile(parts: readonly { readonly octets: Uint8Array }[]): Uint8Array {
  const data = concatBytes(...parts.map(({ octets }) => concatBytes(Uint8Array.of(1 + octets.length, REFERENCE_TYPE), octets)));
  expectRange('byte count', data.length, 4, MOST_READ);
  return concatBytes(Uint8Array.of(20, data.length), data);
}

function decodeFile(data: Uint8Array): { octets: Uint8Array }[] {
  expectRange('byte count', data.length, 4, MOST_READ);
  const parts: { octets: Uint8Array }[] = [];
  for (let at = 0; at < data.length; ) {
    const length = u8(data, at);
    if (length < 3 || length % 2 === 0 || at + 1 + length > data.length) throw malformed(say('modbusframe.file_part', { length }));
    expectReference(data, at + 1);
    parts.push({ octets: data.subarray(at + 2, at + 1 + length) });
    at += 1 + length;
  }
  return parts;
}

/** The queue: its byte count has two octets, and counts the number of registers as well. */
function decodeFifo(pdu: Uint8Array): Uint8Array {
  expectLeast('The answer', pdu.length, 5);
  const [bytes, registers] = [u16(pdu, 1), u16(pdu, 3)];
  expectRange('registers of the queue', registers, 0, MOST_QUEUED);
  expectRange('byte count', bytes, 2 + 2 * registers, 2 + 2 * registers);
  expectLength('The answer', pdu.length, 5 + 2 * registers);
  return pdu.subarray(5);
}

function counted(pdu: Uint8Array): Uint8Array {
  if (pdu.length < 2) throw malformed(say('modbusframe.no_byte_count'));
  expectLength('What the byte count counts', pdu.length - 2, u8(pdu, 1));
  return pdu.subarray(2);
}

function expectReference(data: Uint8Array, at: number): void {
  expectRange('reference type', u8(data, at), REFERENCE_TYPE, REFERENCE_TYPE);
}

function expectPlace(file: number, record: number, length: number): void {
  expectRange('file number', file, 1, 0xffff);
  expectRange('record number', record, 0, FILE_RECORDS - 1);
  expectRange('record length', length, 1, MOST_READ);
}
