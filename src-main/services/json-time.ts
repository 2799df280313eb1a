import { isoTime } from './rows.ts';

/** Times as JSON. Points of one batch have one time, so the last one is kept as text. */
export class JsonTime {
  #last: number | null = null;
  #text = 'null';

  of(ms: number | null): string {
    if (ms === null) return 'null';
    if (ms !== this.#last) {
      this.#last = ms;
      this.#text = `"${isoTime(ms)}"`;
    }
    return this.#text;
  }
}
