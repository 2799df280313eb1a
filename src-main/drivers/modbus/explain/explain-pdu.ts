/** The explanation tree of a PDU, request or answer. Rules are checked by the codecs that run; here they are only put into words. */
import { toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { names } from '#shared/messages/message.ts';
import { hexText, u8, u16 } from '../../../protocol-kit/bytes.ts';
import { type FieldText, NodeWriter } from '../../kit/explain/node-writer.ts';
import { joined, leaf, numbered, octetCount, remarked } from '../../kit/explain/nodes.ts';
import type { ExplainedNode, FrameText } from '../../spi/index.ts';
import { EXCEPTION_BIT, exceptionMessage, functionMessage } from '../codec/functions.ts';
import { decodeRequest } from '../codec/request.ts';
import { decodeResponse } from '../codec/response.ts';
import { explainServiceAnswer, explainServiceRequest } from './explain-service.ts';
import { AddressWording } from './explain-wording.ts';

export interface PduExplanation {
  /** One line without the unit. */
  readonly summary: FrameText;
  /** What the codec refuses; null when nothing. */
  readonly problem: FrameText | null;
  readonly nodes: readonly ExplainedNode[];
}

const OBJECT_NAMES = [
  names('vendor name', '厂商名称'),
  names('product code', '产品代码'),
  names('revision', '版本'),
  names('vendor URL', '厂商网址'),
  names('product name', '产品名称'),
  names('model name', '型号名称'),
  names('user application name', '用户应用名称'),
];
const OBJECT_OF_VENDOR = names('of the vendor', '厂商自定义');
const READ_CODES = [
  undefined,
  names('basic', '基本'),
  names('regular', '常规'),
  names('extended', '扩展'),
  names('one object', '单个对象'),
];
const MEI_NAME = names('Read Device Identification', '读设备标识');
const UNKNOWN_CODE = names('unknown', '未知');
const ON = say('modbusframe.on');
const OFF = say('modbusframe.off');
const plain = (value: number): FieldText => ({ value: String(value) });
const wordText = (value: number) => `${value} (0x${value.toString(16).toUpperCase().padStart(4, '0')})`;
const count = (value: number): FieldText => (value === 0 ? { value: '0', error: say('modbusframe.at_least_1') } : plain(value));
/** `function 3 (Read Holding Registers): holding registers 107 to 109`. */
const about = (functionCode: number, text: FrameText) => say('frame.labelled', { label: functionMessage(functionCode), text });

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
  isSummaryOnly = false,
): PduExplanation {
  const pdu = bytes.subarray(at);
  const writer = new NodeWriter(bytes, at, isSummaryOnly);
  const problem = problemOf(pdu, isRequest);
  if (pdu.length === 0) return { summary: say('frame.empty'), problem, nodes: [] };
  const code = u8(pdu, 0);
  const isException = !isRequest && (code & EXCEPTION_BIT) !== 0;
  const functionCode = isException ? code & ~EXCEPTION_BIT : code;
  writer.octet(say('modbusframe.function_code'), () => ({
    value: isException ? say('modbusframe.exception_answer', { function: functionMessage(functionCode) }) : functionMessage(code),
  }));
  const wording = new AddressWording(functionCode, addressBase);
  let summary: FrameText;
  if (isException) {
    writer.octet(say('modbusframe.exception_code'), (value) => ({ value: exceptionMessage(value) }));
    summary = say('modbusframe.exception_to', { exception: exceptionMessage(u8(pdu, 1)), function: functionMessage(functionCode) });
  } else {
    const asked = request !== null && u8(request, 0) === functionCode ? request : null;
    summary = isRequest ? requestFields(writer, pdu, wording) : answerFields(writer, pdu, asked, wording);
  }
  writer.finish();
  return { summary: problem === null ? summary : say('frame.malformed', { text: summary }), problem, nodes: writer.nodes };
}

/** The node of a PDU that stands from `start` to `end`. */
export function pduNode({ problem, nodes }: PduExplanation, isRequest: boolean, start: number, end: number): ExplainedNode {
  const direction = say(isRequest ? 'frame.request' : 'frame.answer');
  const value = problem ?? joined([direction, octetCount(end - start)]);
  return { name: 'PDU', value, start, end, severity: problem === null ? 'info' : 'error', children: nodes };
}

function problemOf(pdu: Uint8Array, isRequest: boolean): FrameText | null {
  try {
    if (isRequest) decodeRequest(pdu);
    else decodeResponse(pdu);
    return null;
  } catch (thrown) {
    return toAppError(thrown).said;
  }
}

/** Fields behind the function code of a request; returns the summary. */
function requestFields(writer: NodeWriter, pdu: Uint8Array, wording: AddressWording): FrameText {
  const functionCode = u8(pdu, 0);
  const address = (value: number): FieldText => ({ value: wording.address(value) });
  switch (functionCode) {
    case 1:
    case 2:
    case 3:
    case 4:
      writer.word(say('modbusframe.start_address'), address);
      writer.word(say('modbusframe.quantity'), count);
      return about(functionCode, wording.range(u16(pdu, 1), u16(pdu, 3)));
    case 5:
    case 6:
    case 22:
      return writeOneFields(writer, pdu, wording);
    case 15:
    case 16:
      writer.word(say('modbusframe.start_address'), address);
      writer.word(say('modbusframe.quantity'), count);
      writer.octet(say('modbusframe.byte_count'), plain);
      dataNodes(writer, u16(pdu, 1), u16(pdu, 3), wording);
      return about(functionCode, wording.range(u16(pdu, 1), u16(pdu, 3)));
    case 23:
      writer.word(say('modbusframe.start_to_read'), address);
      writer.word(say('modbusframe.quantity_to_read'), count);
      writer.word(say('modbusframe.start_to_write'), address);
      writer.word(say('modbusframe.quantity_to_write'), count);
      writer.octet(say('modbusframe.byte_count'), plain);
      dataNodes(writer, u16(pdu, 5), u16(pdu, 7), wording);
      return about(
        functionCode,
        say('modbusframe.read_and_write', {
          read: wording.range(u16(pdu, 1), u16(pdu, 3)),
          write: wording.range(u16(pdu, 5), u16(pdu, 7)),
        }),
      );
    case 43:
      meiFields(writer);
      writer.octet(say('modbusframe.object_id'), objectText);
      return about(functionCode, say('modbusframe.identification_level', { level: READ_CODES[u8(pdu, 2)] ?? u8(pdu, 2) }));
    default: {
      const said = explainServiceRequest(writer, pdu, wording);
      writer.block(say('frame.data'), writer.left);
      return said === null ? functionMessage(functionCode) : about(functionCode, said);
    }
  }
}

/** Fields behind the function code of an answer without exception; returns the summary. */
function answerFields(writer: NodeWriter, pdu: Uint8Array, request: Uint8Array | null, wording: AddressWording): FrameText {
  const functionCode = u8(pdu, 0);
  switch (functionCode) {
    case 1:
    case 2:
    case 3:
    case 4:
    case 23: {
      writer.octet(say('modbusframe.byte_count'), plain);
      const perOctet = wording.hasBits ? 8 : 0.5;
      const quantity = request ? u16(request, 3) : Math.floor(writer.left * perOctet);
      const start = request ? u16(request, 1) : null;
      dataNodes(writer, start, quantity, wording);
      const data = start === null ? say('modbusframe.octets_of_data', { count: pdu.length - 2 }) : wording.range(start, quantity);
      return about(functionCode, data);
    }
    case 5:
    case 6:
    case 22:
      return writeOneFields(writer, pdu, wording);
    case 15:
    case 16:
      writer.word(say('modbusframe.start_address'), (value) => ({ value: wording.address(value) }));
      writer.word(say('modbusframe.quantity'), count);
      return about(functionCode, say('modbusframe.written', { range: wording.range(u16(pdu, 1), u16(pdu, 3)) }));
    case 43:
      identificationFields(writer);
      return about(functionCode, say('modbusframe.identification'));
    default: {
      const said = explainServiceAnswer(writer, pdu);
      writer.block(say('frame.data'), writer.left);
      return said === null ? functionMessage(functionCode) : about(functionCode, said);
    }
  }
}

/** Functions 5, 6 and 22: request and answer are the same. */
function writeOneFields(writer: NodeWriter, pdu: Uint8Array, wording: AddressWording): FrameText {
  const functionCode = u8(pdu, 0);
  const address = u16(pdu, 1);
  const target = about(functionCode, wording.one(address, 0));
  writer.word(say('frame.address'), (value) => ({ value: wording.address(value) }));
  if (functionCode === 5) {
    writer.word(say('frame.value'), coilText);
    return say('modbusframe.set_to', { target, value: coilText(u16(pdu, 3)).value });
  }
  if (functionCode === 6) {
    writer.word(say('frame.value'), (value) => ({ value: wordText(value) }));
    return say('modbusframe.set_to', { target, value: u16(pdu, 3) });
  }
  const bits = (value: number): FieldText => ({
    value: say('modbusframe.binary', { value: wordText(value), bits: value.toString(2).padStart(16, '0') }),
  });
  writer.word(say('modbusframe.and_mask'), bits);
  writer.word(say('modbusframe.or_mask'), bits);
  return say('modbusframe.masks', { target, and: hexText(pdu.subarray(3, 5)), or: hexText(pdu.subarray(5, 7)) });
}

function coilText(value: number): FieldText {
  if (value === 0xff00) return { value: ON };
  return value === 0 ? { value: OFF } : { value: hexText(Uint8Array.of(value >> 8, value & 0xff)), error: say('modbusframe.coil_right') };
}

/** The data of a read or write, one node a register or coil. `start` null: the addresses are not known. */
function dataNodes(writer: NodeWriter, start: number | null, quantity: number, wording: AddressWording): void {
  const from = writer.at;
  const length = Math.min(writer.left, wording.hasBits ? (quantity + 7) >> 3 : quantity * 2);
  if (writer.isMute) return;
  const children: ExplainedNode[] = [];
  for (let index = 0; index < quantity; index++) {
    const at = wording.hasBits ? from + (index >> 3) : from + 2 * index;
    const end = at + (wording.hasBits ? 1 : 2);
    if (end > from + length) break;
    const value = wording.hasBits ? bitAt(writer.bytes, at, index & 7) : registerText(writer.bytes, at);
    children.push(leaf(wording.one(start, index), value, at, end));
  }
  const covered = children.at(-1)?.end ?? from;
  if (covered < from + length) children.push(unfinished(writer.bytes, covered, from + length));
  writer.block(say('frame.data'), length, octetCount(length), children);
}

function unfinished(bytes: Uint8Array, start: number, end: number): ExplainedNode {
  const value = remarked(hexText(bytes.subarray(start, end)), say('modbusframe.register_ends'));
  return leaf(say('modbusframe.unfinished_register'), value, start, end, 'error');
}

function bitAt(bytes: Uint8Array, at: number, bit: number): FrameText {
  return ((u8(bytes, at) >> bit) & 1) === 1 ? ON : OFF;
}

function registerText(bytes: Uint8Array, at: number): FrameText {
  const value = u16(bytes, at);
  const text = `${hexText(bytes.subarray(at, at + 2))} = ${value}`;
  return value > 0x7fff ? say('modbusframe.signed', { value: text, signed: value - 0x10000 }) : text;
}

function objectText(id: number): FieldText {
  return { value: numbered(id, OBJECT_NAMES[id] ?? OBJECT_OF_VENDOR) };
}

function meiFields(writer: NodeWriter): void {
  writer.octet(say('modbusframe.mei_type'), (value) =>
    value === 14 ? { value: numbered(14, MEI_NAME) } : { value: String(value), error: say('frame.right', { right: 14 }) },
  );
  writer.octet(say('modbusframe.read_code'), (value) => ({ value: numbered(value, READ_CODES[value] ?? UNKNOWN_CODE) }));
}

function identificationFields(writer: NodeWriter): void {
  meiFields(writer);
  writer.octet(say('modbusframe.conformity'), (value) => ({ value: `0x${value.toString(16).toUpperCase().padStart(2, '0')}` }));
  writer.octet(say('modbusframe.more_follows'), (value) => ({ value: say(value === 0 ? 'frame.no' : 'frame.yes') }));
  writer.octet(say('modbusframe.next_object'), plain);
  let left = 0;
  writer.octet(say('modbusframe.object_count'), (value) => {
    left = value;
    return plain(value);
  });
  for (; left > 0 && writer.left > 0; left--) {
    let length = 0;
    writer.octet(say('modbusframe.object_id'), objectText);
    writer.octet(say('modbusframe.object_length'), (value) => {
      length = value;
      return plain(value);
    });
    const text = String.fromCharCode(...writer.bytes.subarray(writer.at, writer.at + length)).replaceAll(/[^\x20-\x7e]/g, '.');
    writer.block(say('modbusframe.object'), length, `"${text}"`);
  }
}
