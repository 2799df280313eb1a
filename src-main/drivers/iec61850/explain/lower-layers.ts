/** Nodes of TPKT, COTP and session, which are not BER. Never throws. */
import type { ExplainNode } from '#shared/contract/frames.ts';
import { hexText, u16 } from '../../../protocol-kit/bytes.ts';
import { disconnectReason } from '../osi/cotp.ts';
import { lengthValue } from '../osi/session.ts';
import { MOST_LENGTH, TPKT_HEADER } from '../osi/tpkt.ts';
import { type ExplainTree, octetText } from './tree.ts';

const CODES: Readonly<Record<number, string>> = { 224: 'CR', 208: 'CC', 128: 'DR', 240: 'DT', 112: 'ER' };
const PARAMETERS: Readonly<Record<number, string>> = { 192: 'TPDU size', 193: 'calling selector', 194: 'called selector' };
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
const SESSION_PARAMETERS: Readonly<Record<number, string>> = {
  5: 'connect and accept item',
  17: 'transport disconnect',
  19: 'protocol options',
  20: 'requirements of the user',
  22: 'version',
  50: 'reason',
  51: 'calling selector',
  52: 'called selector',
  193: 'user data',
  194: 'extended user data',
};
const USER_DATA = 0xc1;
const EXTENDED_USER_DATA = 0xc2;

/** The header of the frame. */
export function tpktNode(tree: ExplainTree): ExplainNode {
  const { bytes } = tree;
  const end = Math.min(bytes.length, TPKT_HEADER);
  const children: ExplainNode[] = [];
  if (bytes.length > 0) {
    const isRight = bytes[0] === 3;
    children.push(tree.leaf('version', isRight ? '3' : `${bytes[0]} — 3 would be right`, 0, 1, isRight ? 'info' : 'error'));
  }
  if (bytes.length > 1) children.push(tree.leaf('reserved', String(bytes[1]), 1, 2));
  if (bytes.length >= TPKT_HEADER) {
    const length = u16(bytes, 2);
    const isRight = length === bytes.length && length <= MOST_LENGTH;
    children.push(
      tree.leaf('length', isRight ? String(length) : `${length} — the frame has ${bytes.length} octets`, 2, 4, isRight ? 'info' : 'error'),
    );
  } else if (bytes.length > 2) children.push(tree.leaf('length', hexText(bytes.subarray(2)), 2, end, 'error'));
  return tree.group('TPKT', `${bytes.length} octets`, 0, end, children);
}

/** The TPDU; of a DT only its header, behind which the data begins. */
export function cotpNode(tree: ExplainTree): { readonly node: ExplainNode; readonly summary: string; readonly dataAt: number } {
  const { bytes } = tree;
  const start = TPKT_HEADER;
  const indicator = bytes[start] ?? 0;
  const code = bytes[start + 1] ?? 0;
  const name =
    CODES[code === 0x80 || code === 0xf0 || code === 0x70 ? code : code & 0xf0] ?? `TPDU ${hexText(bytes.subarray(start + 1, start + 2))}`;
  const end = Math.min(bytes.length, start + 1 + indicator);
  const isWhole = start + 1 + indicator <= bytes.length;
  const severity = isWhole ? 'info' : 'error';
  const remark = isWhole ? '' : ` — ${bytes.length - start - 1} octets follow`;
  const children = [tree.leaf('length indicator', `${indicator}${remark}`, start, start + 1, severity)];
  if (end > start + 1) children.push(tree.leaf('code', name, start + 1, start + 2, CODES[code & 0xf0] ? 'info' : 'error'));
  const said = name === 'DT' ? dtFields(tree, start + 2, end, children) : otherFields(tree, name, start + 2, end, children);
  return { node: tree.group('COTP', `${name}${said}`, start, end, children), summary: `${name}${said}`, dataAt: end };
}

function dtFields(tree: ExplainTree, at: number, end: number, children: ExplainNode[]): string {
  if (at >= end) return '';
  const isLast = ((tree.bytes[at] ?? 0) & 0x80) !== 0;
  children.push(tree.leaf('end of TSDU', isLast ? 'yes' : 'no, more segments follow', at, at + 1));
  if (end > at + 1) children.push(tree.leaf('further octets', octetText(tree.bytes.subarray(at + 1, end)), at + 1, end, 'warning'));
  return isLast ? '' : ', more segments follow';
}

function otherFields(tree: ExplainTree, name: string, from: number, end: number, children: ExplainNode[]): string {
  const { bytes } = tree;
  let at = from;
  const field = (title: string, length: number, value: (at: number) => string) => {
    if (at >= end) return '';
    const stop = Math.min(end, at + length);
    const isWhole = stop - at === length;
    const text = isWhole ? value(at) : `${hexText(bytes.subarray(at, stop))} — too short`;
    children.push(tree.leaf(title, text, at, stop, isWhole ? 'info' : 'error'));
    at = stop;
    return text;
  };
  field('destination reference', 2, (place) => String(u16(bytes, place)));
  if (name === 'ER') return `, cause ${field('cause', 1, (place) => String(bytes[place]))}`;
  field('source reference', 2, (place) => String(u16(bytes, place)));
  if (name === 'DR') return `, ${field('reason', 1, (place) => disconnectReason(bytes[place] ?? 0))}`;
  field('class', 1, (place) => String((bytes[place] ?? 0) >> 4));
  const said: string[] = [];
  while (at < end) {
    const code = bytes[at] ?? 0;
    const title = PARAMETERS[code] ?? `parameter ${hexText(bytes.subarray(at, at + 1))}`;
    said.push(`, ${title} ${field(title, 2 + (bytes[at + 1] ?? 0), (place) => parameterText(bytes, place))}`);
  }
  return said.join('');
}

function parameterText(bytes: Uint8Array, at: number): string {
  const value = bytes.subarray(at + 2, at + 2 + (bytes[at + 1] ?? 0));
  if (bytes[at] === 0xc0 && value.length === 1) return String(2 ** (value[0] ?? 0));
  return hexText(value) || 'empty';
}

/** Where the user data of an SPDU lies; null where there is none. */
interface SessionNodes {
  readonly name: string;
  readonly nodes: readonly ExplainNode[];
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
  const lengthText =
    wanted > bytes.length && !isCut ? `${head.length} — ${Math.max(0, bytes.length - head.value)} octets follow` : String(head.length);
  const severity = wanted !== bytes.length && !isCut ? 'error' : 'info';
  const nodes = [
    tree.leaf('identifier', name, start, start + 1, SPDUS[type] ? 'info' : 'error'),
    ...(head.value <= bytes.length ? [tree.leaf('length', lengthText, start + 1, head.value, severity)] : []),
  ];
  const data = parameters(tree, Math.min(head.value, bytes.length), end, isCut, nodes);
  if (end < bytes.length && !data) nodes.push(tree.leaf('surplus octets', octetText(bytes.subarray(end)), end, bytes.length, 'error'));
  return { name, nodes, dataAt: data?.start ?? bytes.length, dataEnd: data?.end ?? bytes.length };
}

/** Parameters up to the user data, which stands last; where that lies. */
function parameters(
  tree: ExplainTree,
  from: number,
  end: number,
  isCut: boolean,
  nodes: ExplainNode[],
): { start: number; end: number } | null {
  const { bytes } = tree;
  for (let at = from; at < end; ) {
    const type = bytes[at] ?? 0;
    const head = lengthAt(bytes, at + 1);
    const title = SESSION_PARAMETERS[type] ?? `parameter ${hexText(bytes.subarray(at, at + 1))}`;
    const stop = Math.min(end, head.value + head.length);
    const isWhole = head.value + head.length <= end;
    if ((type === USER_DATA || type === EXTENDED_USER_DATA) && head.value < end) {
      nodes.push(tree.leaf(title, `${head.length} octets`, at, head.value, isWhole || isCut ? 'info' : 'error'));
      return { start: head.value, end: stop };
    }
    const value = octetText(bytes.subarray(Math.min(head.value, stop), stop));
    nodes.push(tree.leaf(title, isWhole ? value : `${value} — cut`, at, Math.max(stop, at + 1), isWhole || isCut ? 'info' : 'error'));
    at = Math.max(stop, at + 1);
  }
  return null;
}

function dataNodes(tree: ExplainTree, start: number): SessionNodes {
  const { bytes } = tree;
  const nodes: ExplainNode[] = [];
  let at = start;
  for (const title of ['GIVE TOKENS', 'DATA TRANSFER']) {
    const head = lengthAt(bytes, at + 1);
    const end = Math.min(bytes.length, head.value + head.length);
    if (at < bytes.length)
      nodes.push(tree.leaf(title, octetText(bytes.subarray(Math.min(head.value, end), end)), at, end, bytes[at] === 1 ? 'info' : 'error'));
    at = end;
  }
  return { name: 'DATA TRANSFER', nodes, dataAt: at, dataEnd: bytes.length };
}

/** A length of the session, which may reach beyond the octets. */
function lengthAt(bytes: Uint8Array, at: number): { readonly value: number; readonly length: number } {
  const { value, end } = lengthValue(bytes, at, Number.POSITIVE_INFINITY, '');
  return { value, length: end - value };
}
