/** Explains the frames of IEC 61850 for the frame log: a TPKT layer by layer down to the service of MMS, by the codecs that run. */
import { say } from '#shared/messages/index.ts';
import { hexText } from '../../protocol-kit/bytes.ts';
import { explainNoise, group, leaf, NOTHING_TO_EXPLAIN } from '../kit/explain/nodes.ts';
import type { ExplainContext, ExplainedNode, Explanation, FrameText } from '../spi/index.ts';
import { hiddenPassword } from './explain/hidden-password.ts';
import { cotpNode, SPDUS, sessionNodes, tpktNode } from './explain/lower-layers.ts';
import { mmsShapes } from './explain/mms-shapes.ts';
import { presentationShapes } from './explain/osi-shapes.ts';
import { mmsSummary, requestedNames } from './explain/summary.ts';
import { ExplainTree, octetText } from './explain/tree.ts';
import { decodeMms } from './mms/codec.ts';
import type { MmsPdu } from './mms/pdu.ts';
import { TPKT_HEADER } from './osi/tpkt.ts';

/** Shortest frame that holds data: header, DT, an octet. */
const DATA_AT = TPKT_HEADER + 3;

/**
 * Explains one TPKT, or octets that were none. A TPKT that is one segment of a longer PDU is explained as far as it goes: the first one by
 * its begin, a later one as octets. Never throws; the layers cover every octet. The password of an association is secret.
 */
export function explainTpkt(bytes: Uint8Array, context: Pick<ExplainContext, 'kind' | 'request'>): Explanation {
  if (bytes.length === 0) return NOTHING_TO_EXPLAIN;
  if (context.kind === 'noise') return explainNoise(bytes);
  const isCut = isSegment(bytes);
  const tree = new ExplainTree(bytes, isCut);
  const nodes: ExplainedNode[] = [tpktNode(tree)];
  if (bytes.length <= TPKT_HEADER) return { summary: say('frame.unfinished_hex', { octets: hexText(bytes) }), nodes, secrets: [] };
  const cotp = cotpNode(tree);
  nodes.push(cotp.node);
  let summary = cotp.summary;
  if (bytes.length > cotp.dataAt) {
    summary = explainData(tree, nodes, cotp.dataAt, isCut, namesOf(context.request ?? bytes));
  }
  const isPart = isCut || (bytes.length > cotp.dataAt && !beginsSpdu(bytes, cotp.dataAt));
  return { summary, nodes, secrets: isPart ? [...tree.secrets, ...hiddenPassword(bytes, cotp.dataAt)] : tree.secrets };
}

/** True for a DT that others follow. */
function isSegment(bytes: Uint8Array): boolean {
  return bytes[5] === 0xf0 && ((bytes[6] ?? 0x80) & 0x80) === 0;
}

function explainData(tree: ExplainTree, nodes: ExplainedNode[], at: number, isCut: boolean, names: readonly FrameText[]): FrameText {
  const { bytes } = tree;
  if (bytes[TPKT_HEADER + 1] !== 0xf0) {
    nodes.push(leaf(say('frame.surplus'), octetText(bytes.subarray(at)), at, bytes.length, 'error'));
    return say('mmsframe.octets_behind_tpdu');
  }
  if (!beginsSpdu(bytes, at)) {
    const which = say(isCut ? 'mmsframe.segment_middle' : 'mmsframe.segment_last', { count: bytes.length - at });
    nodes.push(
      leaf(say('mmsframe.segment'), say('frame.labelled', { label: which, text: octetText(bytes.subarray(at)) }), at, bytes.length),
    );
    return which;
  }
  const session = sessionNodes(tree, at, isCut);
  nodes.push(group(say('mmsframe.session'), session.name, at, session.dataAt, session.nodes));
  if (session.dataAt >= session.dataEnd) return session.name;
  tree.layer(say('mmsframe.presentation'), session.dataAt, session.dataEnd, presentationShapes(mmsShapes(names)));
  nodes.push(...tree.layers);
  if (session.dataEnd < bytes.length) {
    nodes.push(leaf(say('frame.surplus'), octetText(bytes.subarray(session.dataEnd)), session.dataEnd, bytes.length, 'error'));
  }
  return dataSummary(tree, session.name, isCut);
}

/** `associate request (AARQ)` or the PDU of MMS; with the SPDU before it where that is not just data. */
function dataSummary(tree: ExplainTree, spdu: string, isCut: boolean): FrameText {
  const last = tree.layers.at(-1);
  const head = last?.children[0];
  const isMms = last?.name === 'MMS';
  const within = (text: FrameText) => (spdu === 'DATA TRANSFER' ? text : say('frame.labelled', { label: spdu, text }));
  if (isCut) return within(say('mmsframe.first_segment', { text: isMms && head ? beginOf(head) : say('mmsframe.longer_pdu') }));
  if (!last || !head) return spdu;
  return within(isMms ? mmsSummary(tree.bytes.subarray(last.start, last.end)) : head.name);
}

/** `confirmed response 5, GetNameList` of a PDU whose rest is missing. */
function beginOf(pdu: ExplainedNode): FrameText {
  const [id, service] = pdu.children;
  if (id?.name !== 'invokeID') return pdu.name;
  const said = { pdu: pdu.name, id: id.value };
  return service ? say('mmsframe.begin_of_service', { ...said, service: service.name }) : say('mmsframe.begin_of', said);
}

/** Whether the data of a DT begins an SPDU: one that is known, with a length that may be. A later segment seldom looks like that. */
function beginsSpdu(bytes: Uint8Array, at: number): boolean {
  const type = bytes[at] ?? 0;
  if (type === 1) return bytes[at + 1] === 0 && bytes[at + 2] === 1 && bytes[at + 3] === 0;
  if (SPDUS[type] === undefined) return false;
  const length = bytes[at + 1] === 0xff ? 3 + (((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)) : 1 + (bytes[at + 1] ?? 0);
  return isSegment(bytes) ? at + 1 + length > bytes.length : at + 1 + length === bytes.length;
}

/** What a request, or a report, names: one text a value. Empty for other frames and those that are cut. */
function namesOf(request: Uint8Array): readonly FrameText[] {
  const pdu = pduOf(request);
  return pdu ? requestedNames(pdu) : [];
}

/** The MMS PDU of one TPKT; null for other frames, those that are cut, and octets that are none. */
export function pduOf(bytes: Uint8Array): MmsPdu | null {
  if (bytes.length <= DATA_AT || isSegment(bytes) || !beginsSpdu(bytes, DATA_AT)) return null;
  const tree = new ExplainTree(bytes, false);
  const session = sessionNodes(tree, DATA_AT, false);
  tree.layer(say('mmsframe.presentation'), session.dataAt, session.dataEnd, presentationShapes(mmsShapes([])));
  const mms = tree.layers.at(-1);
  try {
    return mms?.name === 'MMS' ? decodeMms(bytes.subarray(mms.start, mms.end)) : null;
  } catch {
    return null;
  }
}
