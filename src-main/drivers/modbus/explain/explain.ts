/** Explains Modbus TCP frames for the frame log: MBAP header and PDU, from the codecs that run. */
import { say } from '#shared/messages/index.ts';
import { hexText, u8, u16 } from '../../../protocol-kit/bytes.ts';
import { type FieldText, NodeWriter } from '../../kit/explain/node-writer.ts';
import { explainNoise, group, NOTHING_TO_EXPLAIN, numbered, octetCount } from '../../kit/explain/nodes.ts';
import type { ExplainContext, ExplainedNode, Explanation } from '../../spi/index.ts';
import { LENGTH_FIELD, MBAP_LENGTH } from '../link/mbap.ts';
import { explainPdu, pduNode } from './explain-pdu.ts';

/** Explains one frame, or octets that were none. Never throws; the nodes cover every octet. */
export function explainMbap(bytes: Uint8Array, context: ExplainContext): Explanation {
  if (bytes.length === 0) return NOTHING_TO_EXPLAIN;
  if (context.kind === 'noise') return explainNoise(bytes);
  const { request, isRequest, settings, isSummaryOnly } = context;
  const header = () => headerNode(bytes, isRequest ? null : request);
  if (bytes.length <= MBAP_LENGTH) {
    return { summary: say('frame.unfinished_hex', { octets: hexText(bytes) }), nodes: [header()], secrets: [] };
  }
  const asked = request !== null && request.length > MBAP_LENGTH ? request.subarray(MBAP_LENGTH) : null;
  const pdu = explainPdu(bytes, MBAP_LENGTH, isRequest, asked, settings.addressBase, isSummaryOnly);
  const summary = say('modbusframe.unit', { unit: u8(bytes, 6), text: pdu.summary });
  const nodes = isSummaryOnly ? [] : [header(), pduNode(pdu, isRequest, MBAP_LENGTH, bytes.length)];
  return { summary, nodes, secrets: [] };
}

function headerNode(bytes: Uint8Array, request: Uint8Array | null): ExplainedNode {
  const end = Math.min(MBAP_LENGTH, bytes.length);
  const writer = new NodeWriter(bytes.subarray(0, end));
  writer.word(say('modbusframe.transaction_id'), (value) =>
    request === null || u16(request, 0) === value
      ? { value: String(value) }
      : { value: String(value), error: say('modbusframe.transaction_asked', { id: u16(request, 0) }) },
  );
  writer.word(say('modbusframe.protocol_id'), (value) =>
    value === 0 ? { value: numbered(0, 'Modbus') } : { value: String(value), error: say('frame.right', { right: 0 }) },
  );
  writer.word(say('frame.length'), (value) => lengthText(value, bytes.length));
  writer.octet(say('modbusframe.unit_id'), (value) =>
    request === null || u8(request, 6) === value
      ? { value: String(value) }
      : { value: String(value), error: say('modbusframe.unit_asked', { unit: u8(request, 6) }) },
  );
  return group(say('modbusframe.header'), octetCount(end), 0, end, writer.nodes);
}

function lengthText(value: number, frameLength: number): FieldText {
  const present = frameLength - 6;
  if (value < LENGTH_FIELD.least || value > LENGTH_FIELD.most) {
    return { value: String(value), error: say('frame.right_range', LENGTH_FIELD) };
  }
  if (value === present) return { value: say('frame.octets_behind', { count: value }) };
  return { value: String(value), error: say('frame.octets_follow', { count: present }) };
}
