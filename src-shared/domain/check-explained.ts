/** What a record as HTML has beside its JSON: the meaning of its frames. */
import type { ExplainNode } from '../contract/frames.ts';
import type { Message } from '../messages/message.ts';

/** An `ExplainNode` in short: name, value, start, end, severity, and the nodes below it. A text is the same in every language. */
export type CompactNode = readonly [
  name: string | Message,
  value: string | Message,
  start: number,
  end: number,
  severity: ExplainNode['severity'],
  children?: readonly CompactNode[],
];

/** Last line of the explanations. */
export interface ExplainedIndex {
  /** By part, entry (from 0) and frame: the line of its explanation, from 0; null: it has none. */
  readonly parts: Readonly<Record<string, readonly (readonly (number | null)[] | null)[]>>;
  /** Frames whose explanation was left out, since there were too many. */
  readonly omitted: number;
}
