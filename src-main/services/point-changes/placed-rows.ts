import { JsonText } from '../handlers.ts';
import type { RowTexts } from '../row-text.ts';
import type { DoneChanges, PointPlace } from './point-changer.ts';

/** Rows of one piece of an answer. */
const ROWS_A_PIECE = 100;

/** The rows of a request's points as its answer, in pieces: those of 100,000 have 35 million characters. */
export class PlacedRows {
  readonly #rows: RowTexts;

  constructor(rows: RowTexts) {
    this.#rows = rows;
  }

  /** `{"step_id": …, "items": […]}` in the order of the request, null for points that are gone; `begin` is what stands before: `{` or more members. */
  async answer(begin: string, { places, stepId, turns }: DoneChanges): Promise<JsonText> {
    const pieces = [`${begin}"step_id":${stepId},"items":[`];
    for (let from = 0; from < places.length; from += ROWS_A_PIECE) {
      const part = places.slice(from, from + ROWS_A_PIECE);
      pieces.push(`${from === 0 ? '' : ','}${this.#part(part)}`);
      await turns.breathe();
    }
    return new JsonText(...pieces, ']}');
  }

  /** Rows that lie in one channel behind each other are written together. */
  #part(places: readonly (PointPlace | null)[]): string {
    const texts: string[] = [];
    for (let from = 0; from < places.length; ) {
      const channel = places[from]?.channel;
      let to = from + 1;
      while (to < places.length && places[to]?.channel === channel) to += 1;
      const run = places.slice(from, to);
      const ids = run.flatMap((place) => place?.id ?? []);
      texts.push(channel ? this.#rows.list(channel.points, ids).slice(1, -1) : run.map(() => 'null').join(','));
      from = to;
    }
    return texts.join(',');
  }
}
