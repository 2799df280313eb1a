/**
 * A file of a form over the octets as they arrived. A `File` of the platform copies them when it is made and again, piece by piece, when it is read:
 * 20 MB hold the thread for a tenth of a second.
 */
export class ReceivedFile extends File {
  readonly #octets: Uint8Array<ArrayBuffer>;

  /** Takes the octets over; they must not be changed afterwards. */
  constructor(octets: Uint8Array<ArrayBuffer>, name: string) {
    super([], name);
    const { buffer, byteOffset, length } = octets;
    this.#octets = new Uint8Array(buffer, byteOffset, length);
    Object.defineProperty(this, 'size', { value: length, enumerable: true });
  }

  override async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#octets;
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    const { buffer, byteOffset, length } = this.#octets;
    // small ones lie in a buffer that others share
    return length === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + length);
  }

  override text(): Promise<string> {
    return this.#copy().text();
  }

  override stream(): ReturnType<File['stream']> {
    return this.#copy().stream();
  }

  override slice(...range: Parameters<File['slice']>): Blob {
    return this.#copy().slice(...range);
  }

  #copy(): File {
    return new File([this.#octets], this.name);
  }
}
