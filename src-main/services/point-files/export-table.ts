import { z } from 'zod';
import { DECODE_CODES } from '#shared/domain/decode.ts';
import { FrameType } from '#shared/domain/enums.ts';
import { hexAddress, type Notation, PLAIN_NOTATION, slaveText } from '#shared/domain/notation.ts';
import { isPointField, pointField } from '#shared/domain/point-fields.ts';
import { writeValueTexts } from '#shared/domain/value-texts.ts';
import type { DriverDescriptor, NormalPoint, PointConfig } from '../../drivers/spi/index.ts';
import { COMMON_COLUMNS, ColumnSet, hasWrittenSlaves, SHEETS, type SheetKind, sheetOf, type TableColumn } from './columns.ts';
import { PROSE_SHEET } from './layout.ts';
import type { Cell, SheetDraft, TableFormat } from './table-file.ts';
import { templateProse } from './template-prose.ts';

type Descriptor = Pick<DriverDescriptor, 'pointSettings' | 'pointFields' | 'notation'>;

/** Optional columns a template has for every protocol. */
const OFFERED = ['unit', 'note'] as const;

/** The table of a channel as sheets: what the field expects always, further columns where a point needs them. */
export function tableSheets(points: readonly PointConfig[], descriptor: Descriptor, format: TableFormat): SheetDraft[] {
  const writer = new TableWriter(descriptor);
  if (format === 'csv') return [writer.sheet('', csvKeys(), points)];
  return SHEETS.map((kind) => {
    const own = points.filter((point) => point.frame_type === kind.frameType);
    return writer.sheet(kind.name, kind.keys, own);
  });
}

/** Keys of the columns that the export of one type has, or, for null, the CSV of all. */
export function exportKeys(points: readonly PointConfig[], descriptor: Descriptor, frameType: FrameType | null): string[] {
  const writer = new TableWriter(descriptor);
  if (frameType === null) return writer.columns(csvKeys(), points).map(({ key }) => key);
  const own = points.filter((point) => point.frame_type === frameType);
  return writer.columns(sheetOf(frameType).keys, own).map(({ key }) => key);
}

/** An empty table: the columns of the field, the optional ones that mean something, and in a workbook a sheet that explains them. */
export function templateSheets(descriptor: Descriptor | null, format: TableFormat): SheetDraft[] {
  const writer = new TableWriter(descriptor ?? ANY_PROTOCOL);
  const offered = (types: readonly FrameType[]) => [
    ...OFFERED,
    ...(descriptor && types.some((type) => descriptor.pointFields[type].includes('reference')) ? ['reference'] : []),
    ...writer.settingKeys,
  ];
  if (format === 'csv') return [writer.sheet('', [...csvKeys(), ...offered(Object.values(FrameType))], [])];
  const sheets = SHEETS.map((kind) => writer.sheet(kind.name, [...kind.keys, ...offered([kind.frameType])], []));
  return [...sheets, { name: PROSE_SHEET, ...templateProse(), choices: {}, textColumns: [], isTable: false }];
}

const ANY_PROTOCOL: Descriptor = {
  pointSettings: z.object({}),
  pointFields: { 0: [], 1: [], 2: [], 3: [] },
};

/** Every column of the four sheets, the type first. */
function csvKeys(): string[] {
  const used = new Set(SHEETS.flatMap((kind: SheetKind) => kind.keys));
  return COMMON_COLUMNS.map((column) => column.key).filter((key) => key === 'frame_type' || used.has(key));
}

/** Points as cells, as the files have them. */
export class TableWriter {
  readonly #columns: ColumnSet;
  readonly #notation: Notation;
  readonly #hasMeters: boolean;

  constructor(descriptor: Descriptor) {
    this.#columns = new ColumnSet(descriptor);
    this.#notation = descriptor.notation ?? PLAIN_NOTATION;
    this.#hasMeters = hasWrittenSlaves(descriptor);
  }

  get settingKeys(): string[] {
    return this.#columns.settings.map((column) => column.key);
  }

  /** The columns of `keys`, and every other column in which a point has something else than its default. */
  columns(keys: readonly string[], points: readonly NormalPoint[]): TableColumn[] {
    const possible = [
      ...COMMON_COLUMNS.filter((column) => column.key !== 'protocol'),
      ...this.#columns.settings,
      this.#columns.get('protocol'),
    ];
    const optional = possible.filter(
      ({ key }) => !keys.includes(key) && key !== 'frame_type' && points.some((point) => this.#isUsed(point, key)),
    );
    return [...keys.map((key) => this.#columns.get(key)), ...optional];
  }

  /** One sheet with these columns. */
  sheet(name: string, keys: readonly string[], points: readonly PointConfig[]): SheetDraft {
    const columns = this.columns(keys, points);
    return {
      name,
      header: columns.map((column) => column.header),
      rows: points.map((point) => columns.map((column) => this.cell(point, column))),
      choices: Object.fromEntries(columns.flatMap((column, index) => choicesOf(column).map((choices) => [index, choices]))),
      textColumns: columns.flatMap((column, index) => (this.#isText(column) ? [index] : [])),
      isTable: true,
    };
  }

  #isText({ key, kind }: TableColumn): boolean {
    return (
      kind.is === 'text' ||
      kind.is === 'decode' ||
      (key === 'slave_id' && this.#hasMeters) ||
      (key === 'address' && this.#notation.address.files === 'hexadecimal')
    );
  }

  /** True where the point says something else than every new point does. */
  #isUsed(point: NormalPoint, key: string): boolean {
    const start = isPointField(key) ? pointField(key).start : undefined;
    const isAtStart = isPointField(key) && typeof start === 'object' && point[key] === start.value;
    return !isAtStart && this.cell(point, this.#columns.get(key)) !== null;
  }

  /** A field of a point as its column writes it; null: the cell is empty. */
  cell(point: NormalPoint, column: TableColumn): Cell {
    const { key } = column;
    if (key.startsWith('protocol.')) return settingCell(point.protocol[key.slice('protocol.'.length)], column);
    if (key === 'protocol') return this.#otherSettings(point);
    if (key === 'slave_id') return this.#hasMeters ? slaveText(point.slave_id, this.#notation) : point.slave_id;
    if (key === 'address')
      return this.#notation.address.files === 'hexadecimal' ? hexAddress(point.address, this.#notation) : point.address;
    const value = fieldCell(point, key);
    return value === '' ? null : value;
  }

  /** Settings that no column of their own can hold, as JSON. */
  #otherSettings(point: NormalPoint): Cell {
    const others = Object.entries(point.protocol).filter(([name, value]) => {
      const column = this.#columns.settings.find((item) => item.key === `protocol.${name}`);
      return value !== undefined && (!column || settingCell(value, column) === null);
    });
    return others.length === 0 ? null : JSON.stringify(Object.fromEntries(others));
  }
}

const yesNo = (value: boolean): string => (value ? '是' : '否');
const related = (point: NormalPoint, types: readonly FrameType[]): string => (types.includes(point.frame_type) ? point.related_code : '');

/** Cells that are not just the value of the field. */
const CELLS: Readonly<Record<string, (point: NormalPoint) => Cell>> = {
  frame_type: (point) => sheetOf(point.frame_type).name,
  reverse: (point) => (point.frame_type === FrameType.yx || point.reverse ? yesNo(point.reverse) : ''),
  related_yx: (point) => related(point, [FrameType.yk]),
  related_yc: (point) => related(point, [FrameType.yt]),
  related_code: (point) => related(point, [FrameType.yc, FrameType.yx]),
};

function fieldCell(point: NormalPoint, key: string): Cell {
  const cellOf = CELLS[key];
  if (cellOf) return cellOf(point);
  const value = isPointField(key) ? point[key] : null;
  return typeof value === 'boolean' ? yesNo(value) : typeof value === 'object' ? null : value;
}

/** A setting as its column writes it; null when it is not set, or when only JSON can say it. */
function settingCell(value: unknown, { kind }: TableColumn): Cell {
  if (value === undefined || value === null) return null;
  if (kind.is === 'yesNo') return typeof value === 'boolean' ? yesNo(value) : null;
  if (kind.is === 'enumTexts') return writeValueTexts(value);
  if (kind.is === 'text') return typeof value === 'string' && value.trim() === value && value !== '' ? value : null;
  // Text of an open type could come back as a number or a word for yes.
  return typeof value === 'number' ? value : null;
}

function choicesOf({ kind }: TableColumn): (readonly string[])[] {
  if (kind.is === 'decode') return [DECODE_CODES.map((item) => item.code)];
  return kind.is === 'yesNo' ? [[yesNo(true), yesNo(false)]] : [];
}
