/** Explains IEC 104 frames for the frame log: APCI and ASDU octet by octet, from the same codecs that run. */
import { say } from '#shared/messages/index.ts';
import { hexText } from '../../../protocol-kit/bytes.ts';
import { type FieldText, NodeWriter } from '../../kit/explain/node-writer.ts';
import { explainNoise, NOTHING_TO_EXPLAIN, octetCount } from '../../kit/explain/nodes.ts';
import type { ExplainContext, Explanation, FrameText } from '../../spi/index.ts';
import { u16le } from '../codec/octets.ts';
import type { AsduSizes } from '../codec/sizes.ts';
import { APCI_LENGTH, type Apdu, type ApduFault, decodeApdu, hexOctet, LENGTH_FIELD, START_OCTET, type UFunction } from '../link/apci.ts';
import { explainAsdu } from './explain-asdu.ts';

/** Explains one APDU, or octets that were none, under the sizes of the channel. Never throws; the nodes cover every octet. */
export function explainApdu(bytes: Uint8Array, context: Pick<ExplainContext, 'kind' | 'isSummaryOnly'>, sizes: AsduSizes): Explanation {
  if (bytes.length === 0) return NOTHING_TO_EXPLAIN;
  if (context.kind === 'noise') return explainNoise(bytes);
  const writer = new NodeWriter(bytes, 0, context.isSummaryOnly);
  const item = decodeApdu(bytes);
  writeApci(writer, item);
  const { nodes } = writer;
  if (bytes.length < APCI_LENGTH) return { summary: say('frame.unfinished_hex', { octets: hexText(bytes) }), nodes, secrets: [] };
  let summary = apciSummary(item);
  if (writer.left > 0 && ((bytes[2] ?? 0) & 1) === 0) {
    summary = say('frame.labelled', { label: summary, text: explainAsdu(writer, sizes) });
  }
  writer.finish();
  return { summary, nodes, secrets: [] };
}

/** `I N(S) 0, N(R) 3`, `S N(R) 3`, `STARTDT act`; what is wrong where it is none of them. */
function apciSummary(item: Apdu | ApduFault): FrameText {
  if (item.kind === 'fault') return item.said;
  if (item.format === 'I') return `I N(S) ${item.ns}, N(R) ${item.nr}`;
  if (item.format === 'S') return `S N(R) ${item.nr}`;
  return functionText(item.function);
}

/** `STARTDT act`. */
function functionText(name: UFunction): FrameText {
  const [service = '', step] = name.split('-');
  return say(step === 'act' ? 'iec104frame.activation' : 'iec104frame.confirmation', { service: service.toUpperCase() });
}

function writeApci(writer: NodeWriter, item: Apdu | ApduFault): void {
  const { bytes } = writer;
  writer.group('APCI', () => {
    writer.octet(say('iec104frame.start'), startText);
    writer.octet(say('frame.length'), (length) => lengthText(length, bytes.length - 2));
    writeControl(writer, bytes[2] ?? 0, item);
    return { value: item.kind === 'fault' ? octetCount(Math.min(bytes.length, APCI_LENGTH)) : apciSummary(item) };
  });
}

function writeControl(writer: NodeWriter, control: number, item: Apdu | ApduFault): void {
  if ((control & 1) === 0) {
    writer.field(say('iec104frame.send_number'), 2, (bytes, at) => ({
      value: say('iec104frame.send_number_value', { number: u16le(bytes, at) >> 1 }),
    }));
    writer.field(say('iec104frame.receive_number'), 2, numberText);
    return;
  }
  if ((control & 2) === 0) {
    writer.field(say('iec104frame.control'), 2, (bytes, at) => reserved(say('iec104frame.s_format'), u16le(bytes, at) === 1));
    writer.field(say('iec104frame.receive_number'), 2, numberText);
    return;
  }
  writer.field(say('iec104frame.function'), 1, () => {
    if (item.kind === 'frame' && item.format === 'U')
      return { value: say('iec104frame.u_format', { function: functionText(item.function) }) };
    return { value: hexOctet(control), error: say('iec104frame.one_function') };
  });
  writer.field(say('iec104frame.control'), 3, (bytes, at) => {
    const isZero = bytes.subarray(at, at + 3).every((octet) => octet === 0);
    return reserved(isZero ? '0' : hexText(bytes.subarray(at, at + 3)), isZero);
  });
}

function numberText(bytes: Uint8Array, at: number): FieldText {
  return reserved(say('iec104frame.receive_number_value', { number: u16le(bytes, at) >> 1 }), ((bytes[at] ?? 0) & 1) === 0);
}

function reserved(value: FrameText, isRight: boolean): FieldText {
  return isRight ? { value } : { value, warning: say('iec104frame.reserved_bits') };
}

function startText(octet: number): FieldText {
  if (octet === START_OCTET) return { value: hexOctet(octet) };
  return { value: hexOctet(octet), error: say('frame.right', { right: hexOctet(START_OCTET) }) };
}

function lengthText(length: number, present: number): FieldText {
  const value = String(length);
  if (length < LENGTH_FIELD.least || length > LENGTH_FIELD.most) {
    return { value, error: say('frame.right_range', LENGTH_FIELD) };
  }
  if (length === present) return { value: say('frame.octets_behind', { count: length }) };
  return { value, error: say('frame.octets_follow', { count: present }) };
}
