/** The fields of functions about the device itself, files and queues, as the frame log shows them. */
import { say } from '#shared/messages/index.ts';
import { type Names, names } from '#shared/messages/message.ts';
import { hexText, u8, u16 } from '../../../protocol-kit/bytes.ts';
import type { FieldText, NodeWriter } from '../../kit/explain/node-writer.ts';
import { numbered } from '../../kit/explain/nodes.ts';
import type { FrameText } from '../../spi/index.ts';
import { Diagnostics } from '../codec/service-functions.ts';
import type { AddressWording } from './explain-wording.ts';

/** Sub-functions of Diagnostics (V1.1b3, 6.8.1). */
const SUB_FUNCTIONS: Readonly<Record<number, Names>> = {
  [Diagnostics.returnQueryData]: names('Return Query Data', '返回询问数据'),
  [Diagnostics.restartCommunications]: names('Restart Communications', '重启通信'),
  [Diagnostics.returnDiagnosticRegister]: names('Return Diagnostic Register', '返回诊断寄存器'),
  [Diagnostics.changeDelimiter]: names('Change ASCII Input Delimiter', '更改 ASCII 输入分隔符'),
  [Diagnostics.forceListenOnly]: names('Force Listen Only Mode', '强制只听模式'),
  [Diagnostics.clearCounters]: names('Clear Counters and Diagnostic Register', '清除计数器和诊断寄存器'),
  [Diagnostics.busMessageCount]: names('Return Bus Message Count', '返回总线报文计数'),
  [Diagnostics.busErrorCount]: names('Return Bus Communication Error Count', '返回总线通信错误计数'),
  [Diagnostics.exceptionErrorCount]: names('Return Bus Exception Error Count', '返回异常应答计数'),
  [Diagnostics.serverMessageCount]: names('Return Server Message Count', '返回从站报文计数'),
  [Diagnostics.noResponseCount]: names('Return Server No Response Count', '返回从站无应答计数'),
  [Diagnostics.nakCount]: names('Return Server NAK Count', '返回从站 NAK 计数'),
  [Diagnostics.busyCount]: names('Return Server Busy Count', '返回从站忙计数'),
  [Diagnostics.overrunCount]: names('Return Bus Character Overrun Count', '返回总线字符溢出计数'),
  [Diagnostics.clearOverrun]: names('Clear Overrun Counter and Flag', '清除溢出计数和标志'),
};
const UNKNOWN = names('reserved', '保留');

const plain = (value: number): FieldText => ({ value: String(value) });
const word = (value: number): FieldText => ({ value: `${value} (0x${value.toString(16).toUpperCase().padStart(4, '0')})` });
const subFunction = (value: number): FrameText => numbered(value, SUB_FUNCTIONS[value] ?? UNKNOWN);

/** Fields behind the function code of a request; answers with its summary, null for another function. */
export function explainServiceRequest(writer: NodeWriter, pdu: Uint8Array, wording: AddressWording): FrameText | null {
  switch (u8(pdu, 0)) {
    case 8:
      return diagnosticFields(writer, pdu);
    case 20:
      writer.octet(say('modbusframe.byte_count'), plain);
      while (writer.left > 0) placeFields(writer);
      return placeText(pdu);
    case 21:
      return writtenFields(writer, pdu);
    case 24:
      writer.word(say('modbusframe.queue_address'), (value) => ({ value: wording.address(value) }));
      return wording.one(u16(pdu, 1), 0);
    default:
      return null;
  }
}

/** The same of an answer without exception. */
export function explainServiceAnswer(writer: NodeWriter, pdu: Uint8Array): FrameText | null {
  switch (u8(pdu, 0)) {
    case 7:
      writer.octet(say('modbusframe.exception_status'), (value) => ({ value: bits(value) }));
      return bits(u8(pdu, 1));
    case 8:
      return diagnosticFields(writer, pdu);
    case 11:
      return eventFields(writer, pdu, 1);
    case 12: {
      writer.octet(say('modbusframe.byte_count'), plain);
      const said = eventFields(writer, pdu, 2);
      writer.word(say('modbusframe.message_count'), plain);
      while (writer.left > 0) writer.octet(say('modbusframe.event'), (value) => ({ value: eventText(value) }));
      return said;
    }
    case 17:
      return serverIdFields(writer);
    case 20:
      writer.octet(say('modbusframe.byte_count'), plain);
      while (writer.left > 0) {
        const length = u8(writer.bytes, writer.at);
        writer.octet(say('modbusframe.part_length'), plain);
        referenceField(writer);
        writer.block(say('modbusframe.file_data'), Math.max(0, length - 1));
      }
      return say('modbusframe.octets_of_data', { count: Math.max(0, pdu.length - 2) });
    case 21:
      return writtenFields(writer, pdu);
    case 24:
      writer.word(say('modbusframe.byte_count'), plain);
      writer.word(say('modbusframe.queue_length'), plain);
      while (writer.left > 1) writer.word(say('modbusframe.queued'), word);
      return say('modbusframe.queue', { count: u16(pdu, 3) });
    default:
      return null;
  }
}

function diagnosticFields(writer: NodeWriter, pdu: Uint8Array): FrameText {
  writer.word(say('modbusframe.sub_function'), (value) => ({ value: subFunction(value) }));
  if (writer.left === 2) writer.word(say('frame.data'), word);
  return SUB_FUNCTIONS[u16(pdu, 1)] === undefined ? String(u16(pdu, 1)) : subFunction(u16(pdu, 1));
}

function eventFields(writer: NodeWriter, pdu: Uint8Array, at: number): FrameText {
  writer.word(say('modbusframe.program_status'), (value) => ({ value: say(value === 0 ? 'modbusframe.ready' : 'modbusframe.busy') }));
  writer.word(say('modbusframe.event_count'), plain);
  return say('modbusframe.events', { count: u16(pdu, at + 2) });
}

/** The bits of an event (V1.1b3, 6.10). */
function eventText(event: number): FrameText {
  const hex = `0x${event.toString(16).toUpperCase().padStart(2, '0')}`;
  const kind =
    (event & 0x80) !== 0
      ? 'modbusframe.event_received'
      : (event & 0x40) !== 0
        ? 'modbusframe.event_sent'
        : event === 0x04
          ? 'modbusframe.event_listening'
          : 'modbusframe.event_restarted';
  return say(kind, { event: hex });
}

function serverIdFields(writer: NodeWriter): FrameText {
  writer.octet(say('modbusframe.byte_count'), plain);
  const octets = writer.bytes.subarray(writer.at);
  const text = String.fromCharCode(...octets).replaceAll(/[^\x20-\x7e]/g, '.');
  writer.block(say('modbusframe.server_id'), writer.left, `${hexText(octets)} "${text}"`);
  return `"${text}"`;
}

function referenceField(writer: NodeWriter): void {
  writer.octet(say('modbusframe.reference_type'), (value) =>
    value === 6 ? plain(6) : { value: String(value), error: say('frame.right', { right: 6 }) },
  );
}

/** Reference type, file, record and length; answers with the length in registers. */
function placeFields(writer: NodeWriter): number {
  referenceField(writer);
  writer.word(say('modbusframe.file_number'), plain);
  writer.word(say('modbusframe.record_number'), plain);
  const length = writer.left >= 2 ? u16(writer.bytes, writer.at) : 0;
  writer.word(say('modbusframe.record_length'), plain);
  return length;
}

function writtenFields(writer: NodeWriter, pdu: Uint8Array): FrameText {
  writer.octet(say('modbusframe.byte_count'), plain);
  while (writer.left > 0) writer.block(say('modbusframe.file_data'), 2 * placeFields(writer));
  return placeText(pdu);
}

/** The first place that a request names. */
function placeText(pdu: Uint8Array): FrameText {
  return say('modbusframe.file_place', { file: u16(pdu, 3), record: u16(pdu, 5), count: u16(pdu, 7) });
}

function bits(value: number): string {
  return value.toString(2).padStart(8, '0');
}
