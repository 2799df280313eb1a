import { say } from '#shared/messages/index.ts';
import { hexText, u16 } from '../../../protocol-kit/bytes.ts';
import type { ExplainedNode, FrameText } from '../../spi/index.ts';
import { group, leaf } from './nodes.ts';

/** What a field says, and whether it breaks a rule. */
export interface FieldText {
  readonly value: FrameText;
  /** What is wrong; shown behind the value. */
  readonly error?: FrameText;
  /** What is unusual but can be read; shown behind the value. */
  readonly warning?: FrameText;
}

/**
 * Walks over octets and writes a node for each field. Never throws: a field that reaches beyond the end is shown with the octets
 * that are there, and `finish` names what is left over, so that the nodes always cover every octet.
 */
export class NodeWriter {
  readonly nodes: ExplainedNode[] = [];
  readonly bytes: Uint8Array;
  /** True where no nodes are asked for: nothing is written, and only the place moves on. */
  readonly isMute: boolean;
  #at: number;

  constructor(bytes: Uint8Array, at = 0, isMute = false) {
    this.bytes = bytes;
    this.#at = at;
    this.isMute = isMute;
  }

  get at(): number {
    return this.#at;
  }

  /** Octets that are left. */
  get left(): number {
    return this.bytes.length - this.#at;
  }

  /** A field of `length` octets, which `text` reads at its place; false when they are not all there. Nothing for 0 octets. */
  field(name: FrameText, length: number, text: (bytes: Uint8Array, at: number) => FieldText): boolean {
    if (length === 0) return true;
    const isWhole = this.left >= length;
    const end = Math.min(this.bytes.length, this.#at + length);
    if (this.isMute) {
      this.#at = end;
      return isWhole;
    }
    const said: FieldText = isWhole
      ? text(this.bytes, this.#at)
      : { value: hexText(this.bytes.subarray(this.#at)) || say('frame.missing'), error: say('frame.ends_before') };
    this.nodes.push(leaf(name, fullText(said), this.#at, end, severityOf(said)));
    this.#at = end;
    return isWhole;
  }

  /** A field of one octet; false when there is none. */
  octet(name: FrameText, text: (value: number) => FieldText): boolean {
    return this.field(name, 1, (bytes, at) => text(bytes[at] ?? 0));
  }

  /** A field of two octets, high octet first; false when they are not all there. */
  word(name: FrameText, text: (value: number) => FieldText): boolean {
    return this.field(name, 2, (bytes, at) => text(u16(bytes, at)));
  }

  /** A node over what `write` writes, with its nodes as children; as severe as the worst of them. */
  group(name: FrameText, write: () => FieldText): void {
    const start = this.#at;
    const first = this.nodes.length;
    const said = write();
    if (this.isMute) return;
    const children = this.nodes.splice(first);
    this.nodes.push(group(name, fullText(said), start, this.#at, children, severityOf(said)));
  }

  /** The next octets as one node, shorter when there are fewer; `children` may explain parts of them. Left out, the value is hex. */
  block(name: FrameText, length: number, value?: FrameText, children: readonly ExplainedNode[] = []): void {
    const end = Math.min(this.bytes.length, this.#at + length);
    if (end > this.#at && !this.isMute) {
      this.nodes.push({ ...leaf(name, value ?? hexText(this.bytes.subarray(this.#at, end)), this.#at, end), children });
    }
    this.#at = end;
  }

  /** Everything that is left, if anything is, as an error. */
  finish(): void {
    const rest = this.bytes.subarray(this.#at);
    if (rest.length > 0)
      this.field(say('frame.surplus'), rest.length, () => ({ value: hexText(rest), error: say('frame.nothing_follows') }));
  }
}

function fullText({ value, error, warning }: FieldText): FrameText {
  const remark = error ?? warning;
  return remark === undefined ? value : say('frame.remark', { value, remark });
}

function severityOf({ error, warning }: FieldText): ExplainedNode['severity'] {
  if (error !== undefined) return 'error';
  return warning === undefined ? 'info' : 'warning';
}
