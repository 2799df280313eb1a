import { english } from '#shared/messages/index.ts';
import type { PointConfig } from '../drivers/spi/index.ts';
import type { PointState, PointStore } from '../runtime/values/point-table.ts';
import { alarmOf, detailFields, type EnumTexts, enumTextsOf, isoTime, NEVER_READ, valueTextOf } from './rows.ts';

/** Rows whose settings are kept as text: what a few screens look at, about a mebibyte. */
const KEPT_ROWS = 1500;
/** Larger pages are exports, which would push out what the screens look at. */
const KEPT_PAGE = 500;

/** Settings of a row as the beginning of its JSON text, for one revision of its table. */
interface RowHead {
  /** Number of the table; a reference would keep the points of a closed project in memory. */
  readonly table: number;
  readonly revision: number;
  readonly text: string;
  readonly minLimit: number | null;
  readonly maxLimit: number | null;
  readonly texts: EnumTexts | null;
}

/** Text that stands in JSON as it is: no quote, no backslash, no control character, no half of a surrogate pair. */
const PLAIN = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/;

function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** Settings of a row as JSON text without its closing brace: what `pointRow` and `JSON.stringify` make, at a fraction of the cost. */
function settingsText(point: PointConfig): string {
  const protocol = Object.keys(point.protocol).length === 0 ? '{}' : JSON.stringify(point.protocol);
  return (
    `{"id":${point.id},"channel_id":${point.channelId},"frame_type":${point.frameType},"code":${quoted(point.code)},"name":${quoted(point.name)},` +
    `"address":${point.address},"slave_id":${point.slaveId},"func_code":${point.funcCode},"decode":${quoted(point.decode)},` +
    `"mul_coe":${number(point.mulCoe)},"add_coe":${number(point.addCoe)},"unit":${quoted(point.unit)},"min_limit":${number(point.minLimit)},` +
    `"max_limit":${number(point.maxLimit)},"bit":${point.bit},"reverse":${point.reverse},"reference":${quoted(point.reference)},` +
    `"category":${quoted(point.category)},"item":${quoted(point.item)},"related_code":${quoted(point.relatedCode)},` +
    `"command_type":${quoted(point.commandType)},"note":${quoted(point.note)},"protocol":${protocol}`
  );
}

/** What the protocol told beside the value, as further members; few rows have any. */
function detailText(detail: PointState['detail']): string {
  return detail === null ? '' : `,${JSON.stringify(detailFields(detail)).slice(1, -1)}`;
}

/** A number as JSON writes it; JSON has no NaN, no infinity and no negative zero. */
function number(value: number | null): string {
  return value === null || !Number.isFinite(value) ? 'null' : `${value}`;
}

/**
 * Writes pages of the point table as JSON text. A screen asks for the same page again and again while only values change, so the settings of
 * a row are turned into text once; the text equals what `pointRow` and `JSON.stringify` make.
 */
export class RowTexts {
  readonly #heads = new Map<number, RowHead>();
  /** Rows of the last page that were not kept: a second look in a row keeps them, leafing through a table does not. */
  #seen = new Set<number>();
  readonly #tables = new WeakMap<PointStore, number>();
  #lastTable = 0;
  #lastTime: number | null = null;
  #lastTimeText = 'null';

  /** The JSON list of these points; ids that are gone meanwhile are left out. */
  list(points: PointStore, ids: readonly number[]): string {
    const table = this.#tableOf(points);
    const seen = this.#seen;
    this.#seen = new Set();
    let text = '[';
    for (const id of ids) {
      const head = this.#head(points, table, id, ids.length <= KEPT_PAGE && seen);
      if (head) text += text === '[' ? this.#row(head, points, id) : `,${this.#row(head, points, id)}`;
    }
    return `${text}]`;
  }

  #row(head: RowHead, points: PointStore, id: number): string {
    const state = points.state(id) ?? NEVER_READ;
    const value = Number.isFinite(state.value) ? state.value : null;
    const said = valueTextOf(state, head.texts);
    const valueText = said === '' ? '""' : JSON.stringify(said);
    const flags = state.flags.length === 0 ? '[]' : JSON.stringify(state.flags);
    const error =
      state.error === null
        ? '"error":null'
        : `"error":${JSON.stringify(english(state.error))},"error_message":${JSON.stringify(state.error)}`;
    return (
      `${head.text},"value":${value},"raw_hex":"${state.rawHex}","value_text":${valueText},"quality":"${state.quality}","flags":${flags},` +
      `"source_time":${this.#time(state.sourceTime)},"updated_at":${this.#time(state.updatedAt)},"alarm":"${alarmOf(head, state)}",${error}${detailText(state.detail)}}`
    );
  }

  #tableOf(points: PointStore): number {
    const known = this.#tables.get(points);
    if (known !== undefined) return known;
    this.#lastTable += 1;
    this.#tables.set(points, this.#lastTable);
    return this.#lastTable;
  }

  #head(points: PointStore, table: number, id: number, seen: ReadonlySet<number> | false): RowHead | null {
    const kept = this.#heads.get(id);
    if (kept && kept.table === table && kept.revision === points.configRevision) return kept;
    const point = points.config(id);
    if (!point) return null;
    const { minLimit, maxLimit } = point;
    const head: RowHead = {
      table,
      revision: points.configRevision,
      text: settingsText(point),
      minLimit,
      maxLimit,
      texts: enumTextsOf(point),
    };
    if (seen && (kept || seen.has(id))) this.#keep(id, head);
    else if (seen) this.#seen.add(id);
    return head;
  }

  #keep(id: number, head: RowHead): void {
    this.#heads.delete(id);
    this.#heads.set(id, head);
    if (this.#heads.size <= KEPT_ROWS) return;
    const oldest = this.#heads.keys().next();
    if (!oldest.done) this.#heads.delete(oldest.value);
  }

  /** Points of one batch have one time, so the last one is kept as text. */
  #time(ms: number | null): string {
    if (ms === null) return 'null';
    if (ms !== this.#lastTime) {
      this.#lastTime = ms;
      this.#lastTimeText = `"${isoTime(ms)}"`;
    }
    return this.#lastTimeText;
  }
}
