import type { TFunction } from 'i18next';
import type { Point } from '#shared/contract/points.ts';
import { hexAddress, type Notation, slaveText } from '#shared/domain/notation.ts';
import { termsOf } from '../channels/protocol-facts.ts';
import { type ColumnId, columnName } from './columns.tsx';
import { decodeText, exactNumber, FRAME_TYPE_LETTERS, hasValue, rawText } from './point-text.ts';
import { clockFlags, shortMarks } from './reading-detail.ts';
import { type TsvCell, toTsv } from './tsv.ts';

type Copied = Exclude<ColumnId, 'select' | 'actions'>;

/** What a column gives to the clipboard: exact numbers, an empty cell for a value that was never read. */
function cellOf(point: Point, column: Copied, notation: Notation, t: TFunction<'points'>): TsvCell {
  switch (column) {
    case 'address':
      return { text: String(point.address) };
    case 'hex':
      return { text: hexAddress(point.address, notation) };
    case 'reference':
      return { text: point.reference };
    case 'slave_id':
      return { text: slaveText(point.slave_id, notation) };
    case 'bit':
      return { text: point.bit === null ? '' : String(point.bit) };
    case 'function':
      return { text: point.func_code === null ? '' : String(point.func_code) };
    case 'frame_type':
      return { text: FRAME_TYPE_LETTERS[point.frame_type] };
    case 'code':
    case 'name':
    case 'unit':
      return { text: point[column], isFreeText: true };
    case 'decode':
      return { text: decodeText(point) };
    case 'raw':
      return { text: rawText(point.raw_hex) };
    case 'value':
      return { text: hasValue(point) ? point.value_text || exactNumber(point.value) : '' };
    case 'quality':
      return {
        text: [
          t(`quality.${point.quality}`),
          ...shortMarks(point),
          ...clockFlags(point.flags),
          point.alarm ? t(`alarm.${point.alarm}`) : '',
        ]
          .filter(Boolean)
          .join(' '),
      };
    case 'updated_at':
      return { text: point.updated_at ?? '' };
  }
}

/** Rows as they go to the clipboard: the visible columns, the age as the time it counts from. */
export function rowsToTsv(points: readonly Point[], columns: readonly Copied[], notation: Notation, t: TFunction<'points'>): string {
  const header = columns.map((column) => columnName(column, t, termsOf(notation)));
  return toTsv(
    header,
    points.map((point) => columns.map((column) => cellOf(point, column, notation, t))),
  );
}
