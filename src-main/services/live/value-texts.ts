import { english } from '#shared/messages/index.ts';
import type { PointState, PointStore } from '../../runtime/values/point-table.ts';
import { JsonTime } from '../json-time.ts';
import { alarmOf, NEVER_READ, type PointTexts, pointTextsOf, valueTextOf } from '../rows.ts';

/** Points whose settings are kept as text, about 10 MiB. */
const KEPT = 50_000;

/** What the settings of a point say in an item, for one revision of its table. */
interface Head {
  readonly revision: number;
  readonly text: string;
  readonly min_limit: number | null;
  readonly max_limit: number | null;
  readonly texts: PointTexts | null;
}

/** Writes points as items of the stream (`StreamValue`). */
export class ValueTexts {
  #heads = new WeakMap<PointStore, Map<number, Head>>();
  #kept = 0;
  readonly #time = new JsonTime();

  /** An item as JSON; null for a point that is not there any more. */
  item(points: PointStore, id: number): string | null {
    const head = this.#head(points, id);
    return head && `${head.text}${this.#state(head, points.state(id) ?? NEVER_READ)}}`;
  }

  #state(head: Head, state: PointState): string {
    const said = valueTextOf(state, head.texts);
    const alarm = alarmOf(head, state);
    return (
      `,"value":${Number.isFinite(state.value) ? state.value : null},"quality":"${state.quality}","updated_at":${this.#time.of(state.updatedAt)}` +
      (said === '' ? '' : `,"value_text":${JSON.stringify(said)}`) +
      (state.flags.length === 0 ? '' : `,"flags":${JSON.stringify(state.flags)}`) +
      (state.sourceTime === null ? '' : `,"source_time":${this.#time.of(state.sourceTime)}`) +
      (alarm === '' ? '' : `,"alarm":"${alarm}"`) +
      (state.error === null ? '' : `,"error":${JSON.stringify(english(state.error))},"error_message":${JSON.stringify(state.error)}`)
    );
  }

  #head(points: PointStore, id: number): Head | null {
    let heads = this.#heads.get(points);
    const kept = heads?.get(id);
    if (kept?.revision === points.configRevision) return kept;
    const point = points.config(id);
    if (!point) return null;
    if (this.#kept >= KEPT) {
      this.#heads = new WeakMap();
      this.#kept = 0;
      heads = undefined;
    }
    if (!heads) {
      heads = new Map();
      this.#heads.set(points, heads);
    }
    if (!kept) this.#kept += 1;
    const { frame_type, code, min_limit, max_limit } = point;
    const text = JSON.stringify({ id, frame_type, code }).slice(0, -1);
    const head: Head = { revision: points.configRevision, text, min_limit, max_limit, texts: pointTextsOf(point) };
    heads.set(id, head);
    return head;
  }
}
