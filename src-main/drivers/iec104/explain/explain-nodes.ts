import type { ExplainNode } from '#shared/contract/frames.ts';
import { hexText } from '../../../protocol-kit/bytes.ts';

/** What a field says, and whether it breaks a rule. */
export interface FieldText {
  readonly value: string;
  /** What is wrong; shown behind the value. */
  readonly error?: string;
  /** What is unusual but can be read; shown behind the value. */
  readonly warning?: string;
}

/**
 * Walks over octets and writes a node for each field. Never throws: a field that reaches beyond the end is shown with the octets
 * that are there, and `finish` names what is left over, so that the nodes always cover every octet.
 */
export class NodeWriter {
  readonly nodes: ExplainNode[] = [];
  readonly bytes: Uint8Array;
  #at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.#at = at;
  }

  get at(): number {
    return this.#at;
  }

  /** Octets that are left. */
  get left(): number {
    return this.bytes.length - this.#at;
  }

  /** A field of `length` octets, which `text` reads at its place; false when they are not all there. Nothing for 0 octets. */
  field(name: string, length: number, text: (bytes: Uint8Array, at: number) => FieldText): boolean {
    if (length === 0) return true;
    const isWhole = this.left >= length;
    const end = Math.min(this.bytes.length, this.#at + length);
    const said: FieldText = isWhole
      ? text(this.bytes, this.#at)
      : { value: hexText(this.bytes.subarray(this.#at)) || 'missing', error: 'the frame ends before this field does' };
    this.nodes.push({ name, value: fullText(said), start: this.#at, end, severity: severityOf(said), children: [] });
    this.#at = end;
    return isWhole;
  }

  /** A node over what `write` writes, with its nodes as children; as severe as the worst of them. */
  group(name: string, write: () => FieldText): void {
    const start = this.#at;
    const first = this.nodes.length;
    const said = write();
    const children = this.nodes.splice(first);
    const severity = worst([severityOf(said), ...children.map((child) => child.severity)]);
    this.nodes.push({ name, value: fullText(said), start, end: this.#at, severity, children });
  }

  /** The next octets as one node; shorter when there are fewer. */
  block(name: string, length: number): void {
    const rest = this.bytes.subarray(this.#at, this.#at + length);
    if (rest.length > 0) this.field(name, rest.length, () => ({ value: hexText(rest) }));
  }

  /** Everything that is left, if anything is, as an error. */
  finish(): void {
    const rest = this.bytes.subarray(this.#at);
    if (rest.length > 0) this.field('surplus octets', rest.length, () => ({ value: hexText(rest), error: 'nothing may follow here' }));
  }
}

function fullText({ value, error, warning }: FieldText): string {
  const remark = error ?? warning;
  return remark === undefined ? value : `${value} — ${remark}`;
}

function severityOf({ error, warning }: FieldText): ExplainNode['severity'] {
  if (error !== undefined) return 'error';
  return warning === undefined ? 'info' : 'warning';
}

function worst(severities: readonly ExplainNode['severity'][]): ExplainNode['severity'] {
  if (severities.includes('error')) return 'error';
  return severities.includes('warning') ? 'warning' : 'info';
}
