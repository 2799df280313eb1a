/** Points of a list as rows of a table of ours, so that everything behind the reading of a file is the same for both. */
import type { ListRole } from '#shared/domain/list-mapping.ts';
import type { ColumnSet } from '../columns.ts';
import type { PlacedColumn, SheetLayout } from '../layout.ts';
import type { TableRow } from '../read-rows.ts';
import { makeCodes } from './codes.ts';
import type { ListTableAt } from './list-tables.ts';
import { isState, type UncodedPoint } from './row-points.ts';

/** A row of the list with its points. */
export interface PlacedRow {
  readonly table: ListTableAt;
  /** Row of the sheet, from 0. */
  readonly index: number;
  readonly points: readonly UncodedPoint[];
}

/** What a field of a point is taken from. */
const FROM: Readonly<Record<string, readonly ListRole[]>> = {
  name: ['name', 'code'],
  slave_id: ['slave_id', 'address'],
  address: ['address', 'address_part'],
  func_code: ['function', 'address'],
  decode: ['type', 'length', 'address'],
  mul_coe: ['factor', 'decimals', 'unit', 'raw_high'],
  add_coe: ['offset', 'factor', 'raw_high'],
  unit: ['unit', 'factor', 'name'],
  min_limit: ['min_limit'],
  max_limit: ['max_limit'],
  bit: ['bit', 'address'],
  'protocol.enum_texts': ['texts', 'note'],
  'protocol.type_id': ['type'],
  'protocol.format': ['format'],
};

export interface CodedRows {
  readonly rows: readonly TableRow[];
  readonly twice: readonly string[];
  readonly made: number;
}

/** Gives every point its code. */
export function codedRows(placed: readonly PlacedRow[], columns: ColumnSet, slaveId: number | undefined): CodedRows {
  const points = placed.flatMap((row) => row.points);
  const { codes, twice, made } = makeCodes(points.map(({ source }) => source));
  const layouts = new Map<ListTableAt, SheetLayout>();
  const keys = keysOf(placed, columns, slaveId);
  const rows: TableRow[] = [];
  let at = 0;
  for (const { table, index, points: own } of placed) {
    const layout = layouts.get(table) ?? layoutOf(table, keys, columns);
    layouts.set(table, layout);
    const start = at;
    for (const point of own) {
      const code = codes[at] ?? '';
      const related = point.shownBy === null ? undefined : codes[start + point.shownBy];
      rows.push({
        layout,
        row: index + 1,
        frameType: point.point.frame_type,
        code,
        values: valuesOf(point, columns, slaveId, related),
        note: point.facts.note,
      });
      at += 1;
    }
  }
  return { rows, twice, made };
}

/** Fields that the list, or for the slave the person, says of some point; what is said of none stays as it is when it is merged. */
function keysOf(placed: readonly PlacedRow[], columns: ColumnSet, slaveId: number | undefined): ReadonlySet<string> {
  const keys = new Set(['code', 'name', 'address', 'mul_coe', 'add_coe', 'unit', 'bit', 'func_code', 'decode']);
  for (const { points } of placed) {
    for (const point of points) {
      for (const key of valuesOf(point, columns, slaveId, undefined).keys()) keys.add(key);
      if (point.shownBy !== null) keys.add('related_code');
    }
  }
  return keys;
}

function valuesOf(
  { point, facts, texts }: UncodedPoint,
  columns: ColumnSet,
  slaveId: number | undefined,
  related: string | undefined,
): Map<string, unknown> {
  const { protocol, frame_type: _, ...fields } = point;
  const values = new Map<string, unknown>();
  const put = (key: string, value: unknown) => {
    if (value !== undefined && value !== null && value !== '') values.set(key, value);
  };
  put('name', facts.name);
  if (slaveId !== undefined) put('slave_id', slaveId);
  for (const [key, value] of Object.entries(fields)) put(key, value);
  if (!isState(point)) {
    put('mul_coe', facts.factor === 1 ? undefined : facts.factor);
    put('add_coe', facts.offset === 0 ? undefined : facts.offset);
    put('unit', facts.unit);
    put('min_limit', facts.min);
    put('max_limit', facts.max);
  }
  put('category', facts.category);
  put('related_code', related);
  for (const [key, value] of Object.entries(protocol ?? {})) put(`protocol.${key}`, value);
  if (texts && columns.settings.some(({ key }) => key === 'protocol.enum_texts')) put('protocol.enum_texts', texts);
  return values;
}

function layoutOf({ sheet, table, roles }: ListTableAt, keys: ReadonlySet<string>, columns: ColumnSet): SheetLayout {
  const placed = [...keys].map((key) => {
    const index =
      (FROM[key] ?? []).map((role) => roles.find((item) => item.role === role)?.index).find((found) => found !== undefined) ?? table.left;
    const column: PlacedColumn = { header: table.headers.get(index) ?? '', index };
    return [key, { ...column, column: columns.get(key) }] as const;
  });
  return { sheet, headerRow: table.headerRow, endRow: table.endRow, frameType: null, columns: new Map(placed), noted: [] };
}
