/** Explains Modbus TCP frames for the frame log: MBAP header and PDU, from the codecs that run. */
import type { ExplainNode } from '#shared/contract/frames.ts';
import { hexText, u8, u16 } from '../../../protocol-kit/bytes.ts';
import type { ExplainContext, Explanation } from '../../spi/index.ts';
import { LENGTH_FIELD, MBAP_LENGTH } from '../link/mbap.ts';
import { NodeWriter } from './explain-nodes.ts';
import { explainPdu } from './explain-pdu.ts';

/** Explains one frame, or octets that were none. Never throws; the nodes cover every octet. */
export function explainMbap(bytes: Uint8Array, context: ExplainContext): Explanation {
  if (bytes.length === 0) return { summary: '', nodes: [], secrets: [] };
  if (context.kind === 'noise') return explainNoise(bytes);
  const { request, isRequest, settings } = context;
  const header = headerNode(bytes, isRequest ? null : request);
  if (bytes.length <= MBAP_LENGTH) return { summary: `unfinished frame: ${hexText(bytes)}`, nodes: [header], secrets: [] };
  const asked = request !== null && request.length > MBAP_LENGTH ? request.subarray(MBAP_LENGTH) : null;
  const pdu = explainPdu(bytes, MBAP_LENGTH, isRequest, asked, settings.addressBase);
  const node: ExplainNode = {
    name: 'PDU',
    value: pdu.problem === '' ? `${isRequest ? 'request' : 'answer'}, ${bytes.length - MBAP_LENGTH} octets` : pdu.problem,
    start: MBAP_LENGTH,
    end: bytes.length,
    severity: pdu.problem === '' ? 'info' : 'error',
    children: pdu.nodes,
  };
  return { summary: `unit ${u8(bytes, 6)}, ${pdu.summary}`, nodes: [header, node], secrets: [] };
}

/** Octets that belong to no frame. */
export function explainNoise(bytes: Uint8Array): Explanation {
  const value = `${bytes.length} octets that are no frame: ${hexText(bytes)}`;
  const node: ExplainNode = { name: 'noise', value, start: 0, end: bytes.length, severity: 'error', children: [] };
  return { summary: `${bytes.length} octets that are no frame`, nodes: [node], secrets: [] };
}

function headerNode(bytes: Uint8Array, request: Uint8Array | null): ExplainNode {
  const end = Math.min(MBAP_LENGTH, bytes.length);
  const writer = new NodeWriter(bytes.subarray(0, end));
  writer.word('transaction id', (value) =>
    request === null || u16(request, 0) === value
      ? { value: String(value) }
      : { value: String(value), error: `the request has ${u16(request, 0)}` },
  );
  writer.word('protocol id', (value) => (value === 0 ? { value: '0 (Modbus)' } : { value: String(value), error: '0 would be right' }));
  writer.word('length', (value) => lengthText(value, bytes.length));
  writer.octet('unit id', (value) =>
    request === null || u8(request, 6) === value
      ? { value: String(value) }
      : { value: String(value), error: `unit ${u8(request, 6)} was asked` },
  );
  const severity = writer.nodes.some((node) => node.severity === 'error') ? 'error' : 'info';
  return { name: 'MBAP header', value: `${end} octets`, start: 0, end, severity, children: writer.nodes };
}

function lengthText(value: number, frameLength: number): { value: string; error?: string } {
  const present = frameLength - 6;
  if (value < LENGTH_FIELD.least || value > LENGTH_FIELD.most) {
    return { value: String(value), error: `${LENGTH_FIELD.least} to ${LENGTH_FIELD.most} would be right` };
  }
  return value === present ? { value: `${value} octets behind it` } : { value: String(value), error: `${present} octets follow` };
}
