/** Samples of one point as columns that grow. */
export class Samples {
  at: Float64Array<ArrayBuffer>;
  value: Float64Array<ArrayBuffer>;
  quality: Uint8Array<ArrayBuffer>;
  length = 0;

  constructor(capacity = 16) {
    this.at = new Float64Array(capacity);
    this.value = new Float64Array(capacity);
    this.quality = new Uint8Array(capacity);
  }

  push(at: number, value: number, quality: number): void {
    if (this.length === this.at.length) this.#grow();
    this.at[this.length] = at;
    this.value[this.length] = value;
    this.quality[this.length] = quality;
    this.length += 1;
  }

  #grow(): void {
    const { at, value, quality } = this;
    const capacity = 2 * at.length + 16;
    this.at = new Float64Array(capacity);
    this.value = new Float64Array(capacity);
    this.quality = new Uint8Array(capacity);
    this.at.set(at);
    this.value.set(value);
    this.quality.set(quality);
  }
}
