/**
 * Recognises events that a station sends again after a reconnect because their acknowledgement was lost (IEC 60870-5-104, 10): the same object,
 * type, time tag and value as one of the last events of the connection before. Bounded; nothing is allocated for an event.
 */

/** Events of a connection that are remembered. The k of a station bounds how many can come again; the default of k is 12. */
const REMEMBERED = 1024;
/** Events of a new connection that are compared at most. */
const COMPARED = 4 * REMEMBERED;
const FIELDS = 5;

export class EventMemory {
  readonly #ring = new Float64Array(REMEMBERED * FIELDS);
  #count = 0;
  /** Keys of the connection before that have not come again. */
  #before = new Set<string>();
  #left = 0;

  /** A new connection begins. */
  begin(): void {
    const before = new Set<string>();
    const kept = Math.min(this.#count, REMEMBERED);
    for (let index = 0; index < kept; index++) {
      const at = ((this.#count - kept + index) % REMEMBERED) * FIELDS;
      before.add(this.#ring.subarray(at, at + FIELDS).join(' '));
    }
    // a connection without an event tells nothing: what was open before it may still come
    if (kept > 0) this.#before = before;
    this.#count = 0;
    this.#left = COMPARED;
  }

  /** Takes note of an event with a time tag; true when it came over the connection before as well. */
  isRepeated(commonAddress: number, address: number, typeId: number, timeMs: number, value: number): boolean {
    const at = (this.#count % REMEMBERED) * FIELDS;
    const ring = this.#ring;
    ring[at] = commonAddress;
    ring[at + 1] = address;
    ring[at + 2] = typeId;
    ring[at + 3] = timeMs;
    ring[at + 4] = value;
    this.#count += 1;
    if (this.#before.size === 0) return false;
    this.#left -= 1;
    if (this.#left < 0) {
      this.#before.clear();
      return false;
    }
    return this.#before.delete(ring.subarray(at, at + FIELDS).join(' '));
  }
}
