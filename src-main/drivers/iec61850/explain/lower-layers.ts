/** Nodes of TPKT, COTP and session, which are not BER. Never throws. */
import { say } from '#shared/messages/index.ts';
import { hexText, u16 } from '../../../protocol-kit/bytes.ts';
import { group, joined, leaf, octetCount, remarked } from '../../kit/explain/nodes.ts';
import type { ExplainedNode, FrameText } from '../../spi/index.ts';
import { disconnectNames } from '../osi/cotp.ts';
import { lengthValue } from '../osi/session.ts';
import { MOST_LENGTH, TPKT_HEADER } from '../osi/tpkt.ts';
import { type ExplainTree, octetText } from './tree.ts';

const CODES: Readonly<Record<number, string>> = { 224: 'CR', 208: 'CC', 128: 'DR', 240: 'DT', 112: 'ER' };
const PARAMETERS: Readonly<Record<number, FrameText>> = {
  192: say('mmsframe.tpdu_size'),
  193: say('mmsframe.calling_selector'),
  194: say('mmsframe.called_selector'),
};
/** SPDUs by their identifier (X.225, 8.3). */
export const SPDUS: Readonly<Record<number, string>> = {
  1: 'DATA TRANSFER',
  8: 'NOT FINISHED',
  9: 'FINISH',
  10: 'DISCONNECT',
  12: 'REFUSE',
  13: 'CONNECT',
  14: 'ACCEPT',
  25: 'ABORT',
  26: 'ABORT ACCEPT',
};
const SESSION_PARAMETERS: Readonly<Record<number, FrameText>> = {
  5: say('mmsframe.accept_item'),
  17: say('mmsframe.transport_disconnect'),
  19: say('mmsframe.protocol_options'),
  20: say('mmsframe.user_requirements'),
  22: say('mmsframe.version'),
  50: say('mmsframe.reason'),
  51: say('mmsframe.calling_selector'),
  52: say('mmsframe.called_selector'),
  193: say('mmsframe.user_data'),
  194: say('mmsframe.extended_user_data'),
};
const USER_DATA = 0xc1;
const EXTENDED_USER_DATA = 0xc2;

/** The header of the frame. */
export function tpktNode(tree: ExplainTree): ExplainedNode {
  const { bytes } = tree;
  const end = Math.min(bytes.length, TPKT_HEADER);
  const children: ExplainedNode[] = [];
  if (bytes.length > 0) {
    const isRight = bytes[0] === 3;
    children.push(
      leaf(
        say('mmsframe.version'),
        isRight ? '3' : remarked(String(bytes[0]), say('frame.right', { right: 3 })),
        0,
        1,
        isRight ? 'info' : 'error',
      ),
    );
  }
  if (bytes.length > 1) children.push(leaf(say('frame.reserved'), String(bytes[1]), 1, 2));
  if (bytes.length >= TPKT_HEADER) {
    const length = u16(bytes, 2);
    const isRight = length === bytes.length && length <= MOST_LENGTH;
    const value = isRight ? String(length) : remarked(String(length), say('mmsframe.frame_has', { count: bytes.length }));
    children.push(leaf(say('frame.length'), value, 2, 4, isRight ? 'info' : 'error'));
  } else if (bytes.length > 2) children.push(leaf(say('frame.length'), hexText(bytes.subarray(2)), 2, end, 'error'));
  return group('TPKT', octetCount(bytes.length), 0, end, children);
}

/** The TPDU; of a DT only its header, behind which the data begins. */
export function cotpNode(tree: ExplainTree): { readonly node: ExplainedNode; readonly summary: FrameText; readonly dataAt: number } {
  const { bytes } = tree;
  const start = TPKT_HEADER;
  const indicator = bytes[start] ?? 0;
  const code = bytes[start + 1] ?? 0;
  const name =
    CODES[code === 0x80 || code === 0xf0 || code === 0x70 ? code : code & 0xf0] ?? `TPDU ${hexText(bytes.subarray(start + 1, start + 2))}`;
  const end = Math.min(bytes.length, start + 1 + indicator);
  const isWhole = start + 1 + indicator <= bytes.length;
  const severity = isWhole ? 'info' : 'error';
  const length = isWhole ? String(indicator) : remarked(String(indicator), say('frame.octets_follow', { count: bytes.length - start - 1 }));
  const children = [leaf(say('mmsframe.length_indicator'), length, start, start + 1, severity)];
  if (end > start + 1) children.push(leaf(say('mmsframe.code'), name, start + 1, start + 2, CODES[code & 0xf0] ? 'info' : 'error'));
  const summary = name === 'DT' ? dtFields(tree, start + 2, end, children) : otherFields(tree, name, start + 2, end, children);
  return { node: group('COTP', summary, start, end, children), summary, dataAt: end };
}

function dtFields(tree: ExplainTree, at: number, end: number, children: ExplainedNode[]): FrameText {
  if (at >= end) return 'DT';
  const isLast = ((tree.bytes[at] ?? 0) & 0x80) !== 0;
  children.push(leaf(say('mmsframe.end_of_tsdu'), say(isLast ? 'frame.yes' : 'mmsframe.more_segments'), at, at + 1));
  if (end > at + 1)
    children.push(leaf(say('mmsframe.further_octets'), octetText(tree.bytes.subarray(at + 1, end)), at + 1, end, 'warning'));
  return isLast ? 'DT' : say('mmsframe.and_more_segments', { text: 'DT' });
}

function otherFields(tree: ExplainTree, name: string, from: number, end: number, children: ExplainedNode[]): FrameText {
  const { bytes } = tree;
  let at = from;
  const field = (title: FrameText, length: number, value: (at: number) => FrameText): FrameText => {
    if (at >= end) return '';
    const stop = Math.min(end, at + length);
    const isWhole = stop - at === length;
    const text = isWhole ? value(at) : remarked(hexText(bytes.subarray(at, stop)), say('mmsframe.too_short'));
    children.push(leaf(title, text, at, stop, isWhole ? 'info' : 'error'));
    at = stop;
    return text;
  };
  field(say('mmsframe.destination_reference'), 2, (place) => String(u16(bytes, place)));
  if (name === 'ER') {
    const parameter = say('mmsframe.cause');
    return joined([name, say('mmsframe.parameter_said', { parameter, value: field(parameter, 1, (place) => String(bytes[place])) })]);
  }
  field(say('mmsframe.source_reference'), 2, (place) => String(u16(bytes, place)));
  if (name === 'DR') return joined([name, field(say('mmsframe.reason'), 1, (place) => reasonText(bytes[place] ?? 0))]);
  field(say('mmsframe.class'), 1, (place) => String((bytes[place] ?? 0) >> 4));
  const said: FrameText[] = [name];
  while (at < end) {
    const code = bytes[at] ?? 0;
    const parameter = PARAMETERS[code] ?? say('mmsframe.parameter', { code: hexText(bytes.subarray(at, at + 1)) });
    const value = field(parameter, 2 + (bytes[at + 1] ?? 0), (place) => parameterText(bytes, place));
    said.push(say('mmsframe.parameter_said', { parameter, value }));
  }
  return joined(said);
}

function reasonText(reason: number): FrameText {
  const known = disconnectNames(reason);
  return known ? say('common.list', { parts: [known] }) : say('mmsframe.reason_number', { reason });
}

function parameterText(bytes: Uint8Array, at: number): FrameText {
  const value = bytes.subarray(at + 2, at + 2 + (bytes[at + 1] ?? 0));
  if (bytes[at] === 0xc0 && value.length === 1) return String(2 ** (value[0] ?? 0));
  return hexText(value) || say('frame.empty');
}

/** Where the user data of an SPDU lies; null where there is none. */
interface SessionNodes {
  readonly name: string;
  readonly nodes: readonly ExplainedNode[];
  /** First octet of the user data. */
  readonly dataAt: number;
  readonly dataEnd: number;
}

/** The SPDU down to its user data, which has no node here. `isCut`: its rest comes in further segments. */
export function sessionNodes(tree: ExplainTree, start: number, isCut: boolean): SessionNodes {
  const { bytes } = tree;
  const type = bytes[start] ?? 0;
  const name = SPDUS[type] ?? `SPDU ${hexText(bytes.subarray(start, start + 1))}`;
  if (type === 1) return dataNodes(tree, start);
  const head = lengthAt(bytes, start + 1);
  const wanted = head.value + head.length;
  const end = Math.min(wanted, bytes.length);
  const follow = say('frame.octets_follow', { count: Math.max(0, bytes.length - head.value) });
  const lengthText = wanted > bytes.length && !isCut ? remarked(String(head.length), follow) : String(head.length);
  const severity = wanted !== bytes.length && !isCut ? 'error' : 'info';
  const nodes = [
    leaf(say('mmsframe.identifier'), name, start, start + 1, SPDUS[type] ? 'info' : 'error'),
    ...(head.value <= bytes.length ? [leaf(say('frame.length'), lengthText, start + 1, head.value, severity)] : []),
  ];
  const data = parameters(tree, Math.min(head.value, bytes.length), end, isCut, nodes);
  if (end < bytes.length && !data) nodes.push(leaf(say('frame.surplus'), octetText(bytes.subarray(end)), end, bytes.length, 'error'));
  return { name, nodes, dataAt: data?.start ?? bytes.length, dataEnd: data?.end ?? bytes.length };
}

/** Parameters up to the user data, which stands last; where that lies. */
function parameters(
  tree: ExplainTree,
  from: number,
  end: number,
  isCut: boolean,
  nodes: ExplainedNode[],
): { start: number; end: number } | null {
  const { bytes } = tree;
  for (let at = from; at < end; ) {
    const type = bytes[at] ?? 0;
    const head = lengthAt(bytes, at + 1);
    const title = SESSION_PARAMETERS[type] ?? say('mmsframe.parameter', { code: hexText(bytes.subarray(at, at + 1)) });
    const stop = Math.min(end, head.value + head.length);
    const isWhole = head.value + head.length <= end;
    if ((type === USER_DATA || type === EXTENDED_USER_DATA) && head.value < end) {
      nodes.push(leaf(title, octetCount(head.length), at, head.value, isWhole || isCut ? 'info' : 'error'));
      return { start: head.value, end: stop };
    }
    const value = octetText(bytes.subarray(Math.min(head.value, stop), stop));
    nodes.push(
      leaf(title, isWhole ? value : remarked(value, say('mmsframe.cut')), at, Math.max(stop, at + 1), isWhole || isCut ? 'info' : 'error'),
    );
    at = Math.max(stop, at + 1);
  }
  return null;
}

function dataNodes(tree: ExplainTree, start: number): SessionNodes {
  const { bytes } = tree;
  const nodes: ExplainedNode[] = [];
  let at = start;
  for (const title of ['GIVE TOKENS', 'DATA TRANSFER']) {
    const head = lengthAt(bytes, at + 1);
    const end = Math.min(bytes.length, head.value + head.length);
    if (at < bytes.length)
      nodes.push(leaf(title, octetText(bytes.subarray(Math.min(head.value, end), end)), at, end, bytes[at] === 1 ? 'info' : 'error'));
    at = end;
  }
  return { name: 'DATA TRANSFER', nodes, dataAt: at, dataEnd: bytes.length };
}

/** A length of the session, which may reach beyond the octets. */
function lengthAt(bytes: Uint8Array, at: number): { readonly value: number; readonly length: number } {
  const { value, end } = lengthValue(bytes, at, Number.POSITIVE_INFINITY, '');
  return { value, length: end - value };
}
