/** Explains RTU frames for the frame log: unit id, PDU and checksum, from the codecs that run. */
import { say } from '#shared/messages/index.ts';
import { hexText, u8 } from '../../../protocol-kit/bytes.ts';
import { crc16 } from '../../../protocol-kit/crc.ts';
import { explainNoise, leaf, NOTHING_TO_EXPLAIN, numbered, remarked } from '../../kit/explain/nodes.ts';
import type { ExplainContext, ExplainedNode, Explanation, FrameText } from '../../spi/index.ts';
import { explainPdu, type PduExplanation, pduNode } from '../explain/explain-pdu.ts';
import { LEAST_FRAME } from './lengths.ts';

/** Explains one frame, or octets that were none. Never throws; the nodes cover every octet. */
export function explainRtu(bytes: Uint8Array, context: ExplainContext): Explanation {
  if (bytes.length === 0) return NOTHING_TO_EXPLAIN;
  if (context.kind === 'noise') return explainNoise(bytes);
  const { request, isSummaryOnly } = context;
  if (bytes.length < LEAST_FRAME) {
    const summary = say('frame.unfinished_hex', { octets: hexText(bytes) });
    return { summary, nodes: [leaf(say('frame.unfinished'), hexText(bytes), 0, bytes.length, 'error')], secrets: [] };
  }
  const asked = request !== null && request.length >= LEAST_FRAME ? request.subarray(1, -2) : null;
  const body = bytes.subarray(0, -2);
  const { pdu, isRequest } = readable(body, context, asked);
  const crc = crcNode(bytes);
  const text = say('modbusframe.unit', { unit: u8(bytes, 0), text: pdu.summary });
  const summary = crc.severity === 'error' ? say('modbusframe.checksum_wrong', { text }) : text;
  if (isSummaryOnly) return { summary, nodes: [], secrets: [] };
  const unit = unitNode(bytes, context.isRequest ? null : request);
  return { summary, nodes: [unit, pduNode(pdu, isRequest, 1, body.length), crc], secrets: [] };
}

function unitNode(bytes: Uint8Array, request: Uint8Array | null): ExplainedNode {
  const text = unitText(u8(bytes, 0));
  const name = say('modbusframe.unit_id');
  if (request === null || u8(request, 0) === u8(bytes, 0)) return leaf(name, text, 0, 1);
  return leaf(name, remarked(text, say('modbusframe.unit_asked', { unit: u8(request, 0) })), 0, 1, 'error');
}

/** On a bus a slave also hears answers of others, and a master requests of others: what makes no sense one way is read the other way. */
function readable(
  body: Uint8Array,
  { isRequest, isSummaryOnly, settings }: ExplainContext,
  asked: Uint8Array | null,
): { readonly pdu: PduExplanation; readonly isRequest: boolean } {
  const pdu = explainPdu(body, 1, isRequest, asked, settings.addressBase, isSummaryOnly);
  if (pdu.problem === null) return { pdu, isRequest };
  const other = explainPdu(body, 1, !isRequest, null, settings.addressBase, isSummaryOnly);
  return other.problem === null ? { pdu: other, isRequest: !isRequest } : { pdu, isRequest };
}

const BROADCAST = say('modbusframe.broadcast');
const RESERVED = say('modbusframe.unit_reserved');

function unitText(unitId: number): FrameText {
  if (unitId === 0) return numbered(0, BROADCAST);
  return unitId > 247 ? numbered(unitId, RESERVED) : String(unitId);
}

function crcNode(bytes: Uint8Array): ExplainedNode {
  const at = bytes.length - 2;
  const expected = crc16(bytes, 0, at);
  const right = hexText(Uint8Array.of(expected & 0xff, expected >> 8));
  const given = hexText(bytes.subarray(at));
  if (right === given) return leaf('CRC', say('modbusframe.checksum_right', { octets: given }), at, bytes.length);
  return leaf('CRC', remarked(given, say('frame.right', { right })), at, bytes.length, 'error');
}
