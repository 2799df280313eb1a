/** Explains RTU frames for the frame log: unit id, PDU and checksum, from the codecs that run. */
import type { ExplainNode } from '#shared/contract/frames.ts';
import { hexText, u8 } from '../../../protocol-kit/bytes.ts';
import { crc16 } from '../../../protocol-kit/crc.ts';
import type { ExplainContext, Explanation } from '../../spi/index.ts';
import { explainNoise } from '../explain/explain.ts';
import { explainPdu, type PduExplanation } from '../explain/explain-pdu.ts';
import { LEAST_FRAME } from './lengths.ts';

/** Explains one frame, or octets that were none. Never throws; the nodes cover every octet. */
export function explainRtu(bytes: Uint8Array, context: ExplainContext): Explanation {
  if (bytes.length === 0) return { summary: '', nodes: [], secrets: [] };
  if (context.kind === 'noise') return explainNoise(bytes);
  const { request, settings } = context;
  if (bytes.length < LEAST_FRAME) {
    const summary = `unfinished frame: ${hexText(bytes)}`;
    return { summary, nodes: [leaf('unfinished frame', hexText(bytes), 0, bytes.length, 'error')], secrets: [] };
  }
  const asked = request !== null && request.length >= LEAST_FRAME ? request.subarray(1, -2) : null;
  const body = bytes.subarray(0, -2);
  const { pdu, isRequest } = readable(body, context.isRequest, asked, settings.addressBase);
  const crc = crcNode(bytes);
  const isAskedUnit = context.isRequest || request === null || u8(request, 0) === u8(bytes, 0);
  const unit = leaf(
    'unit id',
    `${unitText(u8(bytes, 0))}${isAskedUnit ? '' : ` — unit ${u8(request, 0)} was asked`}`,
    0,
    1,
    isAskedUnit ? 'info' : 'error',
  );
  const node: ExplainNode = {
    name: 'PDU',
    value: pdu.problem === '' ? `${isRequest ? 'request' : 'answer'}, ${body.length - 1} octets` : pdu.problem,
    start: 1,
    end: body.length,
    severity: pdu.problem === '' ? 'info' : 'error',
    children: pdu.nodes,
  };
  const damaged = crc.severity === 'error' ? 'wrong checksum: ' : '';
  return { summary: `${damaged}unit ${u8(bytes, 0)}, ${pdu.summary}`, nodes: [unit, node, crc], secrets: [] };
}

/** On a bus a slave also hears answers of others, and a master requests of others: what makes no sense one way is read the other way. */
function readable(
  body: Uint8Array,
  isRequest: boolean,
  asked: Uint8Array | null,
  addressBase: number,
): { readonly pdu: PduExplanation; readonly isRequest: boolean } {
  const pdu = explainPdu(body, 1, isRequest, asked, addressBase);
  if (pdu.problem === '') return { pdu, isRequest };
  const other = explainPdu(body, 1, !isRequest, null, addressBase);
  return other.problem === '' ? { pdu: other, isRequest: !isRequest } : { pdu, isRequest };
}

function unitText(unitId: number): string {
  if (unitId === 0) return '0 (broadcast)';
  return unitId > 247 ? `${unitId} (reserved by the standard)` : String(unitId);
}

function crcNode(bytes: Uint8Array): ExplainNode {
  const at = bytes.length - 2;
  const expected = crc16(bytes, 0, at);
  const right = hexText(Uint8Array.of(expected & 0xff, expected >> 8));
  const given = hexText(bytes.subarray(at));
  const isRight = right === given;
  return leaf('CRC', isRight ? `${given}, right` : `${given} — ${right} would be right`, at, bytes.length, isRight ? 'info' : 'error');
}

function leaf(name: string, value: string, start: number, end: number, severity: ExplainNode['severity']): ExplainNode {
  return { name, value, start, end, severity, children: [] };
}
