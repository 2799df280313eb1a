import type { NormalPoint, ProtocolDriver } from '../../drivers/spi/index.ts';
import type { IssueList } from './issues.ts';
import type { PlannedPoint } from './planned-point.ts';
import { placeOf, type TableRow } from './read-rows.ts';
import { relatedKey } from './row-draft.ts';

/** A point of the table that would come out; `row` is null for one that only stays. */
interface TablePoint {
  readonly point: NormalPoint;
  readonly row: TableRow | null;
}

/** A point with the addresses it covers, end excluded. */
interface Span extends TablePoint {
  readonly start: number;
  readonly end: number;
}

/** Looks at the table as a whole: relations into nothing, points on one address, points that share only part of their registers. */
export function checkTable(
  planned: readonly PlannedPoint[],
  staying: readonly NormalPoint[],
  driver: Pick<ProtocolDriver, 'descriptor' | 'addressSpan'>,
  warnings: IssueList,
): void {
  checkRelations(planned, staying, warnings);
  const table: TablePoint[] = [...staying.map((point) => ({ point, row: null })), ...planned];
  for (const spans of groupSpans(table, driver).values()) {
    checkTwins(spans, warnings);
    checkOverlaps(spans, warnings);
  }
}

/** A relation may point forward, and to a point that comes later, so a missing one is no error. */
function checkRelations(planned: readonly PlannedPoint[], staying: readonly NormalPoint[], warnings: IssueList): void {
  const codes = new Set([...planned, ...staying.map((point) => ({ point }))].map(({ point }) => point.code));
  for (const { row, point } of planned) {
    if (point.related_code === '' || codes.has(point.related_code)) continue;
    const column = row.layout.columns.get(relatedKey(row) ?? 'code');
    warnings.add('related_missing', { code: point.related_code }, placeOf(row.layout, row.row - 1, column));
  }
}

/** Points by the address space they lie in, in the order of their addresses. */
function groupSpans(table: readonly TablePoint[], driver: Pick<ProtocolDriver, 'descriptor' | 'addressSpan'>): Map<string, Span[]> {
  const spaces = new Map<string, Span[]>();
  for (const entry of table) {
    const { point } = entry;
    if (!hasPlace(driver, point)) continue;
    const { space, length } = driver.addressSpan?.(point) ?? { space: `type ${point.frame_type}`, length: 1 };
    const key = `${point.slave_id} ${space}`;
    const spans = spaces.get(key) ?? [];
    if (spans.length === 0) spaces.set(key, spans);
    spans.push({ ...entry, start: point.address, end: point.address + length });
  }
  for (const spans of spaces.values()) spans.sort((a, b) => a.start - b.start || b.end - a.end || order(a) - order(b));
  return spaces;
}

/** Points are found by their address, or by a reference that the driver makes an address space of. */
function hasPlace({ descriptor, addressSpan }: Pick<ProtocolDriver, 'descriptor' | 'addressSpan'>, point: NormalPoint): boolean {
  const fields = descriptor.pointFields[point.frame_type];
  return fields.includes('address') || (fields.includes('reference') && addressSpan !== undefined && point.reference !== '');
}

function order({ row }: TablePoint): number {
  return row?.row ?? 0;
}

/** The same type on the same address, and the same bit of it: probably written twice. */
function checkTwins(spans: readonly Span[], warnings: IssueList): void {
  const first = new Map<string, Span>();
  for (const span of spans) {
    const { point } = span;
    const key = `${span.start} ${span.end} ${point.frame_type} ${point.bit ?? ''}`;
    const twin = first.get(key);
    if (!twin) first.set(key, span);
    else tell(warnings, span, twin, 'same_address');
  }
}

/** Registers shared in part are probably an address that is off by one. Bits of a register, and points that cover the same, are meant. */
function checkOverlaps(spans: readonly Span[], warnings: IssueList): void {
  let reach: Span | null = null;
  for (const span of spans) {
    if (span.point.bit !== null) continue;
    const isShared = reach !== null && span.start < reach.end;
    if (reach && isShared && (span.start !== reach.start || span.end !== reach.end)) tell(warnings, span, reach, 'overlap');
    if (!reach || span.end > reach.end) reach = span;
  }
}

/** Names the two points at the one that stands in the file; nothing when neither does. */
function tell(warnings: IssueList, span: Span, other: Span, rule: 'same_address' | 'overlap'): void {
  const [named, at] = span.row ? [other, span] : [span, other];
  if (!at.row) return;
  const params = { code: named.point.code, ...(rule === 'overlap' ? { range: `${named.start}–${named.end - 1}` } : {}) };
  warnings.add(
    rule,
    params,
    placeOf(at.row.layout, at.row.row - 1, at.row.layout.columns.get(at.point.reference === '' ? 'address' : 'reference')),
  );
}
