/** Nodes of explanations, and the texts that all protocols say alike. */
import { say } from '#shared/messages/index.ts';
import type { MessagePart } from '#shared/messages/message.ts';
import { hexText } from '../../../protocol-kit/bytes.ts';
import type { ExplainedNode, Explanation, FrameText } from '../../spi/index.ts';

type Severity = ExplainedNode['severity'];

/** A node without children. */
export function leaf(name: FrameText, value: FrameText, start: number, end: number, severity: Severity = 'info'): ExplainedNode {
  return { name, value, start, end, severity, children: [] };
}

/** A node over its children, as severe as the worst of them, and at least `own`. */
export function group(
  name: FrameText,
  value: FrameText,
  start: number,
  end: number,
  children: readonly ExplainedNode[],
  own: Severity = 'info',
): ExplainedNode {
  return { name, value, start, end, severity: worst(own, children), children };
}

/** As severe as the worst child. */
export function worst(own: Severity, children: readonly ExplainedNode[]): Severity {
  if (own === 'error' || children.some(({ severity }) => severity === 'error')) return 'error';
  return own === 'warning' || children.some(({ severity }) => severity === 'warning') ? 'warning' : 'info';
}

/** What there is to say of nothing. */
export const NOTHING_TO_EXPLAIN: Explanation = { summary: '', nodes: [], secrets: [] };

/** Octets that belong to no frame. */
export function explainNoise(bytes: Uint8Array): Explanation {
  const value = say('frame.none_hex', { count: bytes.length, octets: hexText(bytes) });
  return {
    summary: say('frame.none', { count: bytes.length }),
    nodes: [leaf(say('frame.noise'), value, 0, bytes.length, 'error')],
    secrets: [],
  };
}

/** `6 octets`. */
export function octetCount(count: number): FrameText {
  return say(count === 1 ? 'frame.octet' : 'frame.octets', { count });
}

/** `2 (ON)`. */
export function numbered(value: number | string | bigint, word: MessagePart): FrameText {
  return say('frame.numbered', { value: typeof value === 'bigint' ? String(value) : value, word });
}

/** A number as its shortest text; `text` where that has been made already. */
export function numberText(value: number, text = String(value)): FrameText {
  if (value === Number.POSITIVE_INFINITY) return say('frame.infinity');
  return value === Number.NEGATIVE_INFINITY ? say('frame.minus_infinity') : text;
}

/** `value — remark`. */
export function remarked(value: FrameText, remark: FrameText): FrameText {
  return say('frame.remark', { value, remark });
}

/** Texts that are not empty, one behind the other with commas. */
export function joined(texts: readonly MessagePart[]): FrameText {
  const parts = texts.filter((text) => text !== '');
  const [first] = parts;
  if (parts.length === 1 && isText(first)) return first;
  return parts.length === 0 ? '' : say('common.list', { parts });
}

function isText(part: MessagePart | undefined): part is FrameText {
  return typeof part === 'string' || (typeof part === 'object' && 'code' in part);
}
