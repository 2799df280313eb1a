/** The explanation tree of a PDU, request or answer. Rules are checked by the codecs that run; here they are only put into words. */
import type { ExplainNode } from '#shared/contract/frames.ts';
import { toAppError } from '#shared/domain/errors.ts';
import { hexText, u8, u16 } from '../../../protocol-kit/bytes.ts';
import { describeException, describeFunction, EXCEPTION_BIT } from '../codec/functions.ts';
import { decodeRequest } from '../codec/request.ts';
import { decodeResponse } from '../codec/response.ts';
import { type FieldText, NodeWriter } from './explain-nodes.ts';
import { AddressWording } from './explain-wording.ts';

export interface PduExplanation {
  /** One line without the unit. */
  readonly summary: string;
  /** What the codec refuses; empty when nothing. */
  readonly problem: string;
  readonly nodes: readonly ExplainNode[];
}

const OBJECT_NAMES = ['vendor name', 'product code', 'revision', 'vendor URL', 'product name', 'model name', 'user application name'];
const READ_CODES = ['', 'basic', 'regular', 'extended', 'one object'];
const plain = (value: number): FieldText => ({ value: String(value) });
const word = (value: number): FieldText => ({ value: `${value} (0x${value.toString(16).toUpperCase().padStart(4, '0')})` });
const count = (value: number): FieldText => (value === 0 ? { value: '0', error: 'at least 1 would be right' } : plain(value));

/**
 * Explains `bytes` from octet `at` on as a PDU. `request` is the PDU this answers, where it is known: an answer to a read does not
 * carry its addresses.
 */
export function explainPdu(
  bytes: Uint8Array,
  at: number,
  isRequest: boolean,
  request: Uint8Array | null,
  addressBase: number,
): PduExplanation {
  const pdu = bytes.subarray(at);
  const writer = new NodeWriter(bytes, at);
  const problem = problemOf(pdu, isRequest);
  if (pdu.length === 0) return { summary: 'empty', problem, nodes: [] };
  const code = u8(pdu, 0);
  const isException = !isRequest && (code & EXCEPTION_BIT) !== 0;
  const functionCode = isException ? code & ~EXCEPTION_BIT : code;
  writer.octet('function', () => ({
    value: isException ? `exception answer to ${describeFunction(functionCode)}` : describeFunction(code),
  }));
  const wording = new AddressWording(functionCode, addressBase);
  let summary: string;
  if (isException) {
    writer.octet('exception', (value) => ({ value: describeException(value) }));
    summary = `${describeException(u8(pdu, 1))} to ${describeFunction(functionCode)}`;
  } else {
    const asked = request !== null && u8(request, 0) === functionCode ? request : null;
    summary = isRequest ? requestFields(writer, pdu, wording) : answerFields(writer, pdu, asked, wording);
  }
  return { summary: problem === '' ? summary : `malformed ${summary}`, problem, nodes: writer.finish() };
}

function problemOf(pdu: Uint8Array, isRequest: boolean): string {
  try {
    if (isRequest) decodeRequest(pdu);
    else decodeResponse(pdu);
    return '';
  } catch (thrown) {
    return toAppError(thrown).message;
  }
}

/** Fields behind the function code of a request; returns the summary. */
function requestFields(writer: NodeWriter, pdu: Uint8Array, wording: AddressWording): string {
  const functionCode = u8(pdu, 0);
  const name = describeFunction(functionCode);
  const address = (value: number): FieldText => ({ value: wording.address(value) });
  switch (functionCode) {
    case 1:
    case 2:
    case 3:
    case 4:
      writer.word('start address', address);
      writer.word('quantity', count);
      return `${name}: ${wording.range(u16(pdu, 1), u16(pdu, 3))}`;
    case 5:
    case 6:
    case 22:
      return writeOneFields(writer, pdu, wording);
    case 15:
    case 16:
      writer.word('start address', address);
      writer.word('quantity', count);
      writer.octet('byte count', plain);
      dataNodes(writer, u16(pdu, 1), u16(pdu, 3), wording);
      return `${name}: ${wording.range(u16(pdu, 1), u16(pdu, 3))}`;
    case 23:
      writer.word('start address to read', address);
      writer.word('quantity to read', count);
      writer.word('start address to write', address);
      writer.word('quantity to write', count);
      writer.octet('byte count', plain);
      dataNodes(writer, u16(pdu, 5), u16(pdu, 7), wording);
      return `${name}: read ${wording.range(u16(pdu, 1), u16(pdu, 3))}, write ${wording.range(u16(pdu, 5), u16(pdu, 7))}`;
    case 43:
      meiFields(writer);
      writer.octet('object id', objectText);
      return `${name}: device identification, ${READ_CODES[u8(pdu, 2)] ?? u8(pdu, 2)}`;
    default:
      writer.block('data', writer.left, hexText(pdu.subarray(1)));
      return name;
  }
}

/** Fields behind the function code of an answer without exception; returns the summary. */
function answerFields(writer: NodeWriter, pdu: Uint8Array, request: Uint8Array | null, wording: AddressWording): string {
  const functionCode = u8(pdu, 0);
  const name = describeFunction(functionCode);
  switch (functionCode) {
    case 1:
    case 2:
    case 3:
    case 4:
    case 23: {
      writer.octet('byte count', plain);
      const perOctet = wording.hasBits ? 8 : 0.5;
      const quantity = request ? u16(request, 3) : Math.floor(writer.left * perOctet);
      const start = request ? u16(request, 1) : null;
      dataNodes(writer, start, quantity, wording);
      return start === null ? `${name}: ${pdu.length - 2} octets of data` : `${name}: ${wording.range(start, quantity)}`;
    }
    case 5:
    case 6:
    case 22:
      return writeOneFields(writer, pdu, wording);
    case 15:
    case 16:
      writer.word('start address', (value) => ({ value: wording.address(value) }));
      writer.word('quantity', count);
      return `${name}: written ${wording.range(u16(pdu, 1), u16(pdu, 3))}`;
    case 43:
      identificationFields(writer);
      return `${name}: device identification`;
    default:
      writer.block('data', writer.left, hexText(pdu.subarray(1)));
      return name;
  }
}

/** Functions 5, 6 and 22: request and answer are the same. */
function writeOneFields(writer: NodeWriter, pdu: Uint8Array, wording: AddressWording): string {
  const functionCode = u8(pdu, 0);
  const address = u16(pdu, 1);
  const target = `${describeFunction(functionCode)}: ${wording.one(address, 0)}`;
  writer.word('address', (value) => ({ value: wording.address(value) }));
  if (functionCode === 5) {
    writer.word('value', coilText);
    return `${target} = ${coilText(u16(pdu, 3)).value}`;
  }
  if (functionCode === 6) {
    writer.word('value', word);
    return `${target} = ${u16(pdu, 3)}`;
  }
  const bits = (value: number): FieldText => ({ value: `${word(value).value}, binary ${value.toString(2).padStart(16, '0')}` });
  writer.word('AND mask', bits);
  writer.word('OR mask', bits);
  return `${target}, AND ${hexText(pdu.subarray(3, 5))}, OR ${hexText(pdu.subarray(5, 7))}`;
}

function coilText(value: number): FieldText {
  if (value === 0xff00) return { value: 'on' };
  return value === 0
    ? { value: 'off' }
    : { value: hexText(Uint8Array.of(value >> 8, value & 0xff)), error: 'FF 00 or 00 00 would be right' };
}

/** The data of a read or write, one node a register or coil. `start` null: the addresses are not known. */
function dataNodes(writer: NodeWriter, start: number | null, quantity: number, wording: AddressWording): void {
  const from = writer.at;
  const length = Math.min(writer.left, wording.hasBits ? (quantity + 7) >> 3 : quantity * 2);
  const children: ExplainNode[] = [];
  for (let index = 0; index < quantity; index++) {
    const at = wording.hasBits ? from + (index >> 3) : from + 2 * index;
    const end = at + (wording.hasBits ? 1 : 2);
    if (end > from + length) break;
    const value = wording.hasBits ? bitAt(writer.bytes, at, index & 7) : registerText(writer.bytes, at);
    children.push({ name: wording.one(start, index), value, start: at, end, severity: 'info', children: [] });
  }
  const covered = children.at(-1)?.end ?? from;
  if (covered < from + length) children.push(unfinished(writer.bytes, covered, from + length));
  writer.block('data', length, `${length} octets`, children);
}

function unfinished(bytes: Uint8Array, start: number, end: number): ExplainNode {
  const value = `${hexText(bytes.subarray(start, end))} — the frame ends before this register does`;
  return { name: 'unfinished register', value, start, end, severity: 'error', children: [] };
}

function bitAt(bytes: Uint8Array, at: number, bit: number): string {
  return ((u8(bytes, at) >> bit) & 1) === 1 ? 'on' : 'off';
}

function registerText(bytes: Uint8Array, at: number): string {
  const value = u16(bytes, at);
  const signed = value > 0x7fff ? `, signed ${value - 0x10000}` : '';
  return `${hexText(bytes.subarray(at, at + 2))} = ${value}${signed}`;
}

function objectText(id: number): FieldText {
  return { value: `${id} (${OBJECT_NAMES[id] ?? 'of the vendor'})` };
}

function meiFields(writer: NodeWriter): void {
  writer.octet('MEI type', (value) =>
    value === 14 ? { value: '14 (Read Device Identification)' } : { value: String(value), error: '14 would be right' },
  );
  writer.octet('read device id code', (value) => ({ value: `${value} (${READ_CODES[value] ?? 'unknown'})` }));
}

function identificationFields(writer: NodeWriter): void {
  meiFields(writer);
  writer.octet('conformity level', (value) => ({ value: `0x${value.toString(16).toUpperCase().padStart(2, '0')}` }));
  writer.octet('more follows', (value) => ({ value: value === 0 ? 'no' : 'yes' }));
  writer.octet('next object id', plain);
  let left = 0;
  writer.octet('number of objects', (value) => {
    left = value;
    return plain(value);
  });
  for (; left > 0 && writer.left > 0; left--) {
    let length = 0;
    writer.octet('object id', objectText);
    writer.octet('object length', (value) => {
      length = value;
      return plain(value);
    });
    const text = String.fromCharCode(...writer.bytes.subarray(writer.at, writer.at + length)).replaceAll(/[^\x20-\x7e]/g, '.');
    writer.block('object', length, text);
  }
}
