import type { ExplainNode } from '#shared/contract/frames.ts';
import { hexText, u16 } from '../../../protocol-kit/bytes.ts';

/** What a field says, and whether it breaks a rule. */
export interface FieldText {
  readonly value: string;
  /** What is wrong; shown behind the value. */
  readonly error?: string;
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

  /** A field of one octet; false when there is none. */
  octet(name: string, text: (value: number) => FieldText): boolean {
    return this.#field(name, 1, () => text(this.bytes[this.#at] ?? 0));
  }

  /** A field of two octets, high octet first; false when they are not all there. */
  word(name: string, text: (value: number) => FieldText): boolean {
    return this.#field(name, 2, () => text(u16(this.bytes, this.#at)));
  }

  /** The next octets as one node; `children` may explain parts of them. Shorter than `length` when there are fewer. */
  block(name: string, length: number, value: string, children: readonly ExplainNode[] = []): void {
    const end = Math.min(this.bytes.length, this.#at + length);
    if (end > this.#at) this.nodes.push({ name, value, start: this.#at, end, severity: 'info', children });
    this.#at = end;
  }

  /** Everything that is left, if anything is, as an error. */
  finish(): readonly ExplainNode[] {
    if (this.left > 0) {
      const rest = this.bytes.subarray(this.#at);
      const value = `${hexText(rest)} — nothing may follow here`;
      this.nodes.push({ name: 'surplus octets', value, start: this.#at, end: this.bytes.length, severity: 'error', children: [] });
      this.#at = this.bytes.length;
    }
    return this.nodes;
  }

  #field(name: string, length: number, text: () => FieldText): boolean {
    const isWhole = this.left >= length;
    const end = Math.min(this.bytes.length, this.#at + length);
    const { value, error } = isWhole
      ? text()
      : { value: hexText(this.bytes.subarray(this.#at)) || 'missing', error: 'the frame ends before this field does' };
    const severity = error === undefined ? 'info' : 'error';
    this.nodes.push({ name, value: error === undefined ? value : `${value} — ${error}`, start: this.#at, end, severity, children: [] });
    this.#at = end;
    return isWhole;
  }
}
