/** Explains frames of RTU and ASCII for the frame log: unit id, PDU and checksum, from the codecs that run. */
import { say } from '#shared/messages/index.ts';
import { hexText, u8 } from '../../../protocol-kit/bytes.ts';
import { crc16 } from '../../../protocol-kit/crc.ts';
import { explainNoise, leaf, NOTHING_TO_EXPLAIN, numbered, remarked } from '../../kit/explain/nodes.ts';
import type { ExplainContext, ExplainedNode, Explanation, FrameText } from '../../spi/index.ts';
import { explainPdu, type PduExplanation, pduNode } from '../explain/explain-pdu.ts';
import { asciiContent, asciiFraming, lrcOf } from './ascii.ts';
import { rtuFraming } from './framing.ts';
import type { LineFraming } from './line-framing.ts';

/** Explains one frame of RTU, or octets that were none. Never throws; the nodes cover every octet. */
export function explainRtu(bytes: Uint8Array, context: ExplainContext): Explanation {
  if (bytes.length === 0) return NOTHING_TO_EXPLAIN;
  if (context.kind === 'noise') return explainNoise(bytes);
  const body = rtuFraming.bodyOf(bytes);
  if (body === null) return unfinished(bytes, say('frame.unfinished_hex', { octets: hexText(bytes) }), hexText(bytes));
  return explained(body, crcNode(bytes), context, rtuFraming);
}

/** Explains one frame of ASCII, or characters that were none. Never throws; the nodes cover every character. */
export function explainAscii(bytes: Uint8Array, context: ExplainContext): Explanation {
  if (bytes.length === 0) return NOTHING_TO_EXPLAIN;
  const text = characters(bytes);
  if (context.kind === 'noise') {
    const noise = explainNoise(bytes);
    return { ...noise, nodes: [leaf(say('frame.noise'), text, 0, bytes.length, 'error')] };
  }
  const content = asciiContent(bytes);
  if (content === null) return unfinished(bytes, say('modbusframe.ascii_unfinished', { text }), text);
  const body = content.subarray(0, -1);
  const { summary, nodes, secrets } = explained(body, lrcNode(content), context, asciiFraming);
  if (nodes.length === 0) return { summary, nodes, secrets };
  const end = bytes.length - 2;
  const start = leaf(say('modbusframe.ascii_start'), ':', 0, 1);
  return { summary, nodes: [start, ...nodes.map(spread), leaf(say('modbusframe.ascii_end'), 'CR LF', end, bytes.length)], secrets };
}

function unfinished(bytes: Uint8Array, summary: FrameText, value: FrameText): Explanation {
  return { summary, nodes: [leaf(say('frame.unfinished'), value, 0, bytes.length, 'error')], secrets: [] };
}

/** A frame by its unit and PDU, which begin at octet 0, and the node of its checksum. */
function explained(body: Uint8Array, check: ExplainedNode, context: ExplainContext, framing: LineFraming): Explanation {
  const { request, isSummaryOnly } = context;
  const asked = request && framing.bodyOf(request);
  const { pdu, isRequest } = readable(body, context, asked?.subarray(1) ?? null);
  const text = say('modbusframe.unit', { unit: u8(body, 0), text: pdu.summary });
  const summary = check.severity === 'error' ? say('modbusframe.checksum_wrong', { text }) : text;
  if (isSummaryOnly) return { summary, nodes: [], secrets: [] };
  const unit = unitNode(body, context.isRequest ? null : asked);
  return { summary, nodes: [unit, pduNode(pdu, isRequest, 1, body.length), check], secrets: [] };
}

/** A node about octets that stand as two characters each behind the colon. */
function spread(node: ExplainedNode): ExplainedNode {
  return { ...node, start: 1 + 2 * node.start, end: 1 + 2 * node.end, children: node.children.map(spread) };
}

/** Characters as they are, the invisible ones as numbers. */
function characters(bytes: Uint8Array): string {
  return Array.from(bytes, (octet) =>
    octet > 0x20 && octet < 0x7f ? String.fromCharCode(octet) : `<${hexText(Uint8Array.of(octet))}>`,
  ).join('');
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
  return checkNode('CRC', bytes, at, Uint8Array.of(expected & 0xff, expected >> 8));
}

function lrcNode(content: Uint8Array): ExplainedNode {
  const at = content.length - 1;
  return checkNode('LRC', content, at, Uint8Array.of(lrcOf(content.subarray(0, at))));
}

function checkNode(name: string, bytes: Uint8Array, at: number, expected: Uint8Array): ExplainedNode {
  const right = hexText(expected);
  const given = hexText(bytes.subarray(at));
  if (right === given) return leaf(name, say('modbusframe.checksum_right', { octets: given }), at, bytes.length);
  return leaf(name, remarked(given, say('frame.right', { right })), at, bytes.length, 'error');
}
