/** Explains IEC 104 frames for the frame log: APCI and ASDU octet by octet, from the same codecs that run. */
import { english } from '#shared/messages/index.ts';
import { hexText } from '../../../protocol-kit/bytes.ts';
import type { ExplainContext, Explanation } from '../../spi/index.ts';
import { u16le } from '../codec/octets.ts';
import type { AsduSizes } from '../codec/sizes.ts';
import { APCI_LENGTH, type Apdu, type ApduFault, decodeApdu, hexOctet, LENGTH_FIELD, START_OCTET } from '../link/apci.ts';
import { explainAsdu } from './explain-asdu.ts';
import { type FieldText, NodeWriter } from './explain-nodes.ts';

/** Explains one APDU, or octets that were none, under the sizes of the channel. Never throws; the nodes cover every octet. */
export function explainApdu(bytes: Uint8Array, context: Pick<ExplainContext, 'kind'>, sizes: AsduSizes): Explanation {
  if (bytes.length === 0) return { summary: '', nodes: [], secrets: [] };
  const writer = new NodeWriter(bytes);
  if (context.kind === 'noise') return noise(writer);
  const item = decodeApdu(bytes);
  writeApci(writer, item);
  if (bytes.length < APCI_LENGTH) return { summary: `unfinished frame: ${hexText(bytes)}`, nodes: writer.nodes, secrets: [] };
  let summary = apciSummary(item);
  if (writer.left > 0 && ((bytes[2] ?? 0) & 1) === 0) summary = `${summary}: ${explainAsdu(writer, sizes)}`;
  writer.finish();
  return { summary, nodes: writer.nodes, secrets: [] };
}

function noise(writer: NodeWriter): Explanation {
  const count = writer.left;
  writer.field('noise', count, (bytes) => ({ value: `${count} octets: ${hexText(bytes)}`, error: 'no frame' }));
  return { summary: `${count} octets that are no frame`, nodes: writer.nodes, secrets: [] };
}

/** `I N(S) 0, N(R) 3`, `S N(R) 3`, `STARTDT act`; what is wrong where it is none of them. */
function apciSummary(item: Apdu | ApduFault): string {
  if (item.kind === 'fault') return english(item.message);
  if (item.format === 'I') return `I N(S) ${item.ns}, N(R) ${item.nr}`;
  if (item.format === 'S') return `S N(R) ${item.nr}`;
  return functionText(item.function);
}

/** `STARTDT act`. */
function functionText(name: string): string {
  const [service = '', step = ''] = name.split('-');
  return `${service.toUpperCase()} ${step}`;
}

function writeApci(writer: NodeWriter, item: Apdu | ApduFault): void {
  const { bytes } = writer;
  writer.group('APCI', () => {
    writer.field('start octet', 1, (_, at) => startText(bytes[at] ?? 0));
    writer.field('length', 1, (_, at) => lengthText(bytes[at] ?? 0, bytes.length - 2));
    writeControl(writer, bytes[2] ?? 0, item);
    return { value: item.kind === 'fault' ? `${Math.min(bytes.length, APCI_LENGTH)} octets` : apciSummary(item) };
  });
}

function writeControl(writer: NodeWriter, control: number, item: Apdu | ApduFault): void {
  if ((control & 1) === 0) {
    writer.field('send sequence number N(S)', 2, (bytes, at) => ({ value: `${u16le(bytes, at) >> 1}, I format` }));
    writer.field('receive sequence number N(R)', 2, numberText);
    return;
  }
  if ((control & 2) === 0) {
    writer.field('control', 2, (bytes, at) => reserved('S format', u16le(bytes, at) === 1));
    writer.field('receive sequence number N(R)', 2, numberText);
    return;
  }
  writer.field('function', 1, () => {
    if (item.kind === 'frame' && item.format === 'U') return { value: `${functionText(item.function)}, U format` };
    return { value: hexOctet(control), error: 'exactly one function would be right' };
  });
  writer.field('control', 3, (bytes, at) => {
    const isZero = bytes.subarray(at, at + 3).every((octet) => octet === 0);
    return reserved(isZero ? '0' : hexText(bytes.subarray(at, at + 3)), isZero);
  });
}

function numberText(bytes: Uint8Array, at: number): FieldText {
  return reserved(`${u16le(bytes, at) >> 1}, everything below it arrived`, ((bytes[at] ?? 0) & 1) === 0);
}

function reserved(value: string, isRight: boolean): FieldText {
  return isRight ? { value } : { value, warning: 'reserved bits are set' };
}

function startText(octet: number): FieldText {
  return octet === START_OCTET ? { value: hexOctet(octet) } : { value: hexOctet(octet), error: `${hexOctet(START_OCTET)} would be right` };
}

function lengthText(length: number, present: number): FieldText {
  const value = String(length);
  if (length < LENGTH_FIELD.least || length > LENGTH_FIELD.most) {
    return { value, error: `${LENGTH_FIELD.least} to ${LENGTH_FIELD.most} would be right` };
  }
  return length === present ? { value: `${value} octets behind it` } : { value, error: `${present} octets follow` };
}
