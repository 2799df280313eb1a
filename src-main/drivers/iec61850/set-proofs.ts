/** When the device last told the members of a data set over this association. A data set of its configuration may be another one without a word of the device. */

/** How long values are taken by places without asking for the members again. */
const PROOF_MS = 60_000;

export class SetProofs {
  readonly #told = new Map<string, number>();

  /** The association is another one. */
  clear(): void {
    this.#told.clear();
  }

  /** The device told the members of `LD/LN$name` at this time of a monotonic clock. */
  told(name: string, nowMs: number): void {
    this.#told.set(name, nowMs);
  }

  /** True where the members are to be asked for. */
  isDue(name: string, nowMs: number): boolean {
    const told = this.#told.get(name);
    return told === undefined || nowMs - told >= PROOF_MS;
  }
}
