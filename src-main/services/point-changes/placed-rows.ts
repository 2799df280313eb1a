import { JsonText } from '../handlers.ts';
import type { RowTexts } from '../row-text.ts';
import type { DoneChanges, PointPlace } from './point-changer.ts';

/** Rows of one piece of an answer. */
const ROWS_A_PIECE = 100;

/** The rows of a request's points as its answer, in pieces: those of 100,000 have 35 million characters. */
export class PlacedRows {
  readonly #rows: RowTexts;
  readonly #gone: 'null' | null;

  /** `gone`: what stands for a point that another change took away between two pieces of the answer; null: nothing, as the contract has rows alone. */
  constructor(rows: RowTexts, gone: 'null' | null = null) {
    this.#rows = rows;
    this.#gone = gone;
  }

  /** `{"step_id": …, "items": […]}` in the order of the request, null for what the request deleted; `begin` is what stands before: `{` or more members. */
  async answer(begin: string, { places, stepId, turns }: DoneChanges): Promise<JsonText> {
    const pieces = [`${begin}"step_id":${stepId},"items":[`];
    for (let from = 0; from < places.length; from += ROWS_A_PIECE) {
      const text = this.#part(places.slice(from, from + ROWS_A_PIECE));
      if (text !== '') pieces.push(pieces.length === 1 ? text : `,${text}`);
      await turns.breathe();
    }
    return new JsonText(...pieces, ']}');
  }

  #part(places: readonly (PointPlace | null)[]): string {
    const rows: string[] = [];
    for (const place of places) {
      const row = place ? (this.#rows.row(place.channel.points, place.id) ?? this.#gone) : 'null';
      if (row !== null) rows.push(row);
    }
    // put together once: a text that grows by each row keeps every piece of every row in memory
    return rows.join(',');
  }
}
