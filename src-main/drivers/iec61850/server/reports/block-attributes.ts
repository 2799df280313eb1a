/** Attributes of one report control block in the value image: read and set by name. */
import { binaryTimeOctets } from '../../mms/times.ts';
import type { MmsType, MmsValue } from '../../mms/types.ts';
import { sameOctets } from '../../reports/segments.ts';
import { componentOf, type ServedImage, type Variable, variableKey } from '../image.ts';

const NO_OCTETS = new Uint8Array(0);

export class BlockAttributes {
  readonly #image: ServedImage;
  readonly #block: Variable;

  constructor(image: ServedImage, block: Variable) {
    this.#image = image;
    this.#block = block;
  }

  /** Type of an attribute; null where the block has none of this name: editions differ. */
  typeOf(name: string): MmsType | null {
    return componentOf(this.#block, name)?.type ?? null;
  }

  text(name: string): string {
    const value = this.#value(name);
    return value?.kind === 'visible-string' || value?.kind === 'mms-string' ? value.text : '';
  }

  /** 0 where there is no such attribute. */
  number(name: string): number {
    const value = this.#value(name);
    return value?.kind === 'unsigned' || value?.kind === 'integer' ? Number(value.value) : 0;
  }

  /** False where there is no such attribute. */
  is(name: string): boolean {
    const value = this.#value(name);
    return value?.kind === 'boolean' && value.value;
  }

  /** Octets of a bit string; empty where there is none. */
  bits(name: string): Uint8Array {
    const value = this.#value(name);
    return value?.kind === 'bit-string' ? value.octets : NO_OCTETS;
  }

  /** True where an attribute has this value already. */
  has(name: string, value: MmsValue): boolean {
    if (value.kind === 'visible-string') return this.text(name) === value.text;
    if (value.kind === 'bit-string') return sameOctets(this.bits(name), value.octets);
    return (value.kind === 'unsigned' || value.kind === 'integer') && this.number(name) === Number(value.value);
  }

  /** Sets an attribute; answers its key, `LD/LN$FC$block$name`. Nothing where the block has none of this name. */
  put(name: string, value: MmsValue): string | null {
    const attribute = componentOf(this.#block, name);
    if (!attribute) return null;
    this.#image.set(attribute, value);
    return variableKey(attribute);
  }

  putBoolean(name: string, value: boolean): void {
    this.put(name, { kind: 'boolean', value });
  }

  /** Sets a whole number in the kind that the attribute has. */
  putNumber(name: string, value: number): string | null {
    const kind = this.typeOf(name)?.kind;
    return kind === 'integer' || kind === 'unsigned' ? this.put(name, { kind, value }) : null;
  }

  putOctets(name: string, octets: Uint8Array): void {
    this.put(name, { kind: 'octet-string', octets });
  }

  putTime(name: string, utcMs: number): void {
    this.put(name, { kind: 'binary-time', octets: binaryTimeOctets(utcMs) });
  }

  #value(name: string): MmsValue | null {
    const attribute = componentOf(this.#block, name);
    return attribute && this.#image.value(attribute);
  }
}
