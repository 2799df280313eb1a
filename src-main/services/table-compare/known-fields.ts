import { isPointField } from '#shared/domain/point-fields.ts';
import type { NormalPoint, ProtocolDriver } from '../../drivers/spi/index.ts';
import { plainText } from '../point-files/cells.ts';
import type { TableRow } from '../point-files/read-rows.ts';
import { relatedKey } from '../point-files/row-draft.ts';

type Descriptor = Pick<ProtocolDriver['descriptor'], 'notation'>;

/** True for a cell that holds something nobody could read. */
function isUnreadable({ layout, row, values }: TableRow, key: string): boolean {
  const placed = layout.columns.get(key);
  if (!placed || values.has(key)) return false;
  return plainText(layout.sheet.rows[row - 1]?.[placed.index] ?? null) !== '';
}

/** True where a row of a file says what a field is; what it does not say is no difference to another table. */
export function isSaid(row: TableRow, field: string, { notation }: Descriptor): boolean {
  const { columns } = row.layout;
  const says = (key: string) => columns.has(key) && !isUnreadable(row, key);
  if (field === 'frame_type') return true;
  if (field === 'related_code') return says(relatedKey(row) ?? field);
  // a meter is named by its number or by its address as text
  if (field === 'slave_id') return says('slave_id') || says(`protocol.${notation?.slave?.setting ?? ''}`);
  if (field.startsWith('protocol.')) return says(field) || (!columns.has(field) && says('protocol'));
  return says(field);
}

/** A row whose unreadable cells are as the point that it is compared with has them, so that they make no difference of their own. */
export function withReadable(row: TableRow, base: NormalPoint | undefined): TableRow {
  if (!base) return row;
  const unreadable = [...row.layout.columns.keys()].filter((key) => isUnreadable(row, key));
  if (unreadable.length === 0) return row;
  const values = new Map(row.values);
  for (const key of unreadable) {
    const value = isPointField(key) ? base[key] : base.protocol[key.replace(/^protocol\./, '')];
    if (value !== undefined && value !== null) values.set(key, value);
  }
  return { ...row, values };
}
