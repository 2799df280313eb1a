import type { TableJob, TableJobRow, TableOutcome } from '#shared/contract/table-job.ts';
import type { AppError } from '#shared/domain/errors.ts';
import { english } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { PointConfig, PointReading, PointValue } from '../../../drivers/spi/index.ts';
import { engineeringText, engineeringValue, valueRuleOf } from '../../../runtime/values/engineering-value.ts';
import { detailRow } from '../job-record.ts';

/** What a device said to one point. */
export interface TableRecord {
  readonly point: PointConfig;
  /** Null: it was not asked yet. */
  outcome: TableOutcome | null;
  /** Why there is no value. */
  error: AppError | null;
  /** The last value that was read. */
  value: PointValue | null;
  /** Null: it was not watched. */
  changed: boolean | null;
  /** Another type would fit. */
  hint: Message | null;
}

/** Which rows are shown. */
export type RecordFilter = TableOutcome | 'changed' | 'constant' | 'hint';

/** The points of a table with what the device said to them, in the order of the table. */
export class TableRecords {
  readonly all: readonly TableRecord[];
  readonly #byId: ReadonlyMap<number, TableRecord>;

  constructor(points: readonly PointConfig[]) {
    this.all = points.map((point) => ({ point, outcome: null, error: null, value: null, changed: null, hint: null }));
    this.#byId = new Map(this.all.map((record) => [record.point.id, record]));
  }

  get(pointId: number): TableRecord | undefined {
    return this.#byId.get(pointId);
  }

  /** Points that the device has given a value for. */
  get answering(): TableRecord[] {
    return this.all.filter(({ outcome }) => outcome === 'answers');
  }

  /** Takes what the first question to a point has brought; `isUnread`: nothing that could be read. */
  take(reading: PointReading, isUnread = false): void {
    const record = this.#byId.get(reading.pointId);
    if (!record) return;
    const isValue = reading.kind === 'value';
    record.outcome = isValue ? 'answers' : outcomeOf(reading.error.code, isUnread);
    record.value = isValue ? reading : null;
    record.error = isValue ? null : reading.error;
  }

  /** Takes a further value of a point that is watched. */
  watch(reading: PointReading): void {
    const record = this.#byId.get(reading.pointId);
    if (!record?.value || reading.kind !== 'value') return;
    record.changed ||= signature(record.value) !== signature(reading);
    record.value = reading;
  }

  counts(): TableJob['counts'] {
    const counts = { answers: 0, refused: 0, silent: 0, missing: 0, not_asked: 0, changed: 0, constant: 0, hints: 0 };
    for (const { outcome, changed, hint } of this.all) {
      if (outcome !== null) counts[outcome] += 1;
      if (changed !== null) counts[changed ? 'changed' : 'constant'] += 1;
      if (hint !== null) counts.hints += 1;
    }
    return counts;
  }

  shown(filter: RecordFilter | undefined): readonly TableRecord[] {
    return filter === undefined ? this.all : this.all.filter((record) => fits(record, filter));
  }
}

function fits({ outcome, changed, hint }: TableRecord, filter: RecordFilter): boolean {
  if (filter === 'hint') return hint !== null;
  if (filter === 'changed' || filter === 'constant') return changed === (filter === 'changed');
  return outcome === filter;
}

/** How a failure counts. */
function outcomeOf(code: string, isUnread: boolean): Exclude<TableOutcome, 'answers'> {
  if (code.startsWith('DEVICE_')) return 'refused';
  if (code.startsWith('CONFIG_')) return 'not_asked';
  return code.startsWith('PROTOCOL_') && !isUnread ? 'missing' : 'silent';
}

/** Equal for two readings that say the same. */
function signature({ value, valueText, raw, quality }: PointValue): string {
  return `${quality} ${value} ${valueText} ${Buffer.from(raw).toString('hex')}`;
}

/** A value as the table shows it. */
export function shownValue(point: PointConfig, reading: PointValue): { readonly value: number; readonly text: string } {
  const rule = valueRuleOf(point);
  const value = engineeringValue(rule, reading);
  return { value: Number.isFinite(value) ? value : 0, text: engineeringText(rule, reading, value) };
}

/** A record in the names of the contract. */
export function recordRow({ point, outcome, error, value, changed, hint }: TableRecord): TableJobRow {
  const { id, frame_type, code, name, slave_id, address, reference } = point;
  const shown = value && shownValue(point, value);
  return {
    point_id: id,
    frame_type,
    code,
    name,
    slave_id,
    address,
    reference,
    outcome,
    ...detailRow(error?.said ?? null),
    value: shown?.value ?? null,
    value_text: shown?.text ?? '',
    raw_hex: value ? Buffer.from(value.raw).toString('hex').toUpperCase() : '',
    changed,
    hint: hint ? english(hint) : '',
    ...(hint && { hint_message: hint }),
  };
}
