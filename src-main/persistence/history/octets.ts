/** Octets that are written one behind the other. */
export class OctetWriter {
  #octets = Buffer.allocUnsafe(1024);
  length = 0;

  octet(value: number): void {
    this.#reserve(1);
    this.#octets[this.length++] = value;
  }

  /** A whole number from 0 to 2^53, seven bits an octet, the lowest first. */
  whole(value: number): void {
    this.#reserve(8);
    let rest = value;
    while (rest >= 128) {
      this.#octets[this.length++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    this.#octets[this.length++] = rest;
  }

  /** A whole number with a sign, up to 2^52 in size. */
  signed(value: number): void {
    this.whole(value < 0 ? -2 * value - 1 : 2 * value);
  }

  /** Room for so many octets, for the caller to write into. */
  room(count: number): Buffer {
    this.#reserve(count);
    this.length += count;
    return this.#octets.subarray(this.length - count, this.length);
  }

  take(): Buffer {
    return this.#octets.subarray(0, this.length);
  }

  #reserve(count: number): void {
    if (this.length + count <= this.#octets.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.length + count));
    this.#octets.copy(larger, 0, 0, this.length);
    this.#octets = larger;
  }
}

/** Reads what `OctetWriter` wrote. Throws `RangeError` at the end of the octets. */
export class OctetReader {
  readonly #octets: Uint8Array;
  #at = 0;

  constructor(octets: Uint8Array) {
    this.#octets = octets;
  }

  octet(): number {
    const value = this.#octets[this.#at];
    if (value === undefined) throw new RangeError('block ends early');
    this.#at += 1;
    return value;
  }

  whole(): number {
    let value = 0;
    for (let unit = 1; unit <= 2 ** 49; unit *= 128) {
      const octet = this.octet();
      value += (octet & 127) * unit;
      if (octet < 128) return value;
    }
    throw new RangeError('number is too long');
  }

  signed(): number {
    const value = this.whole();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  room(count: number): Uint8Array {
    if (this.#at + count > this.#octets.length) throw new RangeError('block ends early');
    this.#at += count;
    return this.#octets.subarray(this.#at - count, this.#at);
  }

  get isAtEnd(): boolean {
    return this.#at === this.#octets.length;
  }
}
