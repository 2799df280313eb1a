/** Wire types of protobuf: Protocol Buffers, Encoding. */
const WIRE = { varint: 0, eight: 1, sized: 2, four: 5 } as const;
/** A varint has ten octets at most. */
const MOST_VARINT = 10;

const utf8 = new TextEncoder();

/** Writes the fields of one message, in the order they are given. */
export class ProtoWriter {
  #octets = new Uint8Array(64);
  #view = new DataView(this.#octets.buffer);
  #length = 0;

  /** What was written, as octets of its own. */
  finish(): Uint8Array {
    return this.#octets.slice(0, this.#length);
  }

  /** uint32, uint64 and enumerations: a whole number from 0 to 2^53 - 1. */
  uint(field: number, value: number): this {
    this.#tag(field, WIRE.varint);
    return this.#varint(value);
  }

  bool(field: number, value: boolean): this {
    return this.uint(field, value ? 1 : 0);
  }

  double(field: number, value: number): this {
    this.#tag(field, WIRE.eight);
    this.#room(8);
    this.#view.setFloat64(this.#length, value, true);
    this.#length += 8;
    return this;
  }

  text(field: number, value: string): this {
    return this.sized(field, utf8.encode(value));
  }

  /** Octets, or a message that was written. */
  sized(field: number, octets: Uint8Array): this {
    this.#tag(field, WIRE.sized);
    this.#varint(octets.length);
    this.#room(octets.length);
    this.#octets.set(octets, this.#length);
    this.#length += octets.length;
    return this;
  }

  #tag(field: number, wire: number): void {
    this.#varint(field * 8 + wire);
  }

  #varint(value: number): this {
    this.#room(MOST_VARINT);
    let left = value;
    while (left >= 0x80) {
      this.#octets[this.#length++] = (left % 0x80) | 0x80;
      left = Math.floor(left / 0x80);
    }
    this.#octets[this.#length++] = left;
    return this;
  }

  #room(more: number): void {
    if (this.#length + more <= this.#octets.length) return;
    const larger = new Uint8Array(Math.max(this.#octets.length * 2, this.#length + more));
    larger.set(this.#octets);
    this.#octets = larger;
    this.#view = new DataView(larger.buffer);
  }
}

/** A field of a message: the number of a varint (exact below 2^53), or the octets of any other. */
export interface ProtoField {
  readonly field: number;
  readonly value: number | Uint8Array;
}

/** The fields of a message in order; null where it is none. */
export function readFields(octets: Uint8Array): ProtoField[] | null {
  const fields: ProtoField[] = [];
  let at = 0;
  const varint = (): number | null => {
    let value = 0;
    for (let count = 0; count < MOST_VARINT; count++) {
      const octet = octets[at];
      if (octet === undefined) return null;
      at += 1;
      value += (octet & 0x7f) * 0x80 ** count;
      if (octet < 0x80) return value;
    }
    return null;
  };
  const take = (length: number | null): Uint8Array | null => {
    if (length === null || length > octets.length - at) return null;
    at += length;
    return octets.subarray(at - length, at);
  };
  const read = (wire: number): number | Uint8Array | null => {
    if (wire === WIRE.varint) return varint();
    if (wire === WIRE.eight) return take(8);
    if (wire === WIRE.four) return take(4);
    return wire === WIRE.sized ? take(varint()) : null;
  };
  while (at < octets.length) {
    const tag = varint();
    const field = tag === null ? 0 : Math.floor(tag / 8);
    const value = tag === null || field === 0 ? null : read(tag % 8);
    if (value === null) return null;
    fields.push({ field, value });
  }
  return fields;
}
