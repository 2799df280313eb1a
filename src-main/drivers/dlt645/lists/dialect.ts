/** How people write the data identifiers of DL/T 645 in lists. */
import { FrameType } from '#shared/domain/enums.ts';
import type { ListRole } from '#shared/domain/list-mapping.ts';
import type { ListContext, ListDialect, ListPlacing, ListRow } from '../../spi/lists.ts';
import { parseFormat } from '../codec/format.ts';
import { findItem } from '../dictionary/dictionary.ts';

const ROLES: readonly ListRole[] = ['address', 'address_part', 'format', 'slave_id', 'bit'];

interface Identifier {
  readonly di: number;
  readonly edition: 1997 | 2007;
  /** A spreadsheet has taken a zero away. */
  readonly isShort: boolean;
}

export const dlt645Lists: ListDialect = {
  roles: ROLES,
  fits(role, text) {
    if (role === 'address') return identifierOf(text) !== null;
    if (role === 'address_part') return /^(0x)?[0-9a-f]{1,2}h?$/i.test(text);
    if (role === 'format') return formatOf(text) !== null;
    if (role === 'slave_id') return /^\d{1,12}$/.test(text);
    return role === 'bit' ? /^\d{1,2}$/.test(text) : undefined;
  },
  survey(rows, context) {
    const short = rows.filter((row) => identifierOf(row.texts.address ?? '')?.isShort).length;
    return {
      told: short === 0 ? [] : [{ rule: 'list_leading_zero', params: { count: short } }],
      questions: [],
      place: (row) => placeItem(row, context),
    };
  },
};

/**
 * `02010100`, `0x02010100`, `02 01 01 00` from DI3 to DI0 (DL/T 645-2007, annex A), `9010` (DL/T 645-1997). Digits are hexadecimal. Null for anything else, also for a
 * family of identifiers (`0201FF00` is one identifier, `02XX0100` is none).
 */
function identifierOf(text: string): Identifier | null {
  const written = text.normalize('NFKC').trim().replace(/^0x/i, '').replace(/h$/i, '');
  const parts = written.split(/[\s,.:-]+/);
  const digits = parts.length === 4 || parts.length === 2 ? parts.map((part) => part.padStart(2, '0')).join('') : parts.join('');
  if (!/^[0-9a-f]+$/i.test(digits) || parts.some((part) => part.length > 2 && parts.length > 1)) return null;
  if (digits.length === 4) return { di: Number.parseInt(digits, 16), edition: 1997, isShort: false };
  if (digits.length < 6 || digits.length > 8) return null;
  return { di: Number.parseInt(digits, 16), edition: 2007, isShort: digits.length < 8 };
}

/** A format as the standard writes it, whatever stands around it; null for none. */
function formatOf(text: string): string | null {
  const written = text.normalize('NFKC').trim();
  return written !== '' && parseFormat(written) ? written : null;
}

function placeItem(row: ListRow, { add, makesCommands }: ListContext): ListPlacing {
  const text = (row.texts.address ?? '').trim();
  const found = identifierOf(text);
  if (!found) return { kind: 'out', rule: text === '' ? 'row_no_address' : 'row_address', params: text === '' ? {} : { value: text } };
  const { di, edition } = found;
  const written = row.texts.format ?? '';
  const format = findItem(edition, di) ? null : formatOf(written);
  if (!findItem(edition, di) && format === null) return { kind: 'out', rule: 'row_type', params: { value: written.trim() || text } };
  const meter = /^\d{1,12}$/.exec((row.texts.slave_id ?? '').trim())?.[0];
  const bit = row.bit ?? (/^\d{1,2}$/.test(row.texts.bit ?? '') ? Number(row.texts.bit) : null);
  const frameType = row.frameType ?? (bit === null ? FrameType.yc : FrameType.yx);
  const common = {
    address: di + add,
    ...(meter === undefined ? {} : { slave_id: Number(meter) }),
    protocol: { ...(edition === 1997 ? { edition } : {}), ...(format === null ? {} : { format }) },
  };
  const isRead = row.access?.isRead ?? true;
  if (!isRead && !makesCommands) return { kind: 'out', rule: 'row_write_only', params: {} };
  const points = [
    ...(isRead ? [{ frame_type: frameType, ...common, ...(bit === null ? {} : { bit }) }] : []),
    ...(row.access?.isWritten && makesCommands && frameType === FrameType.yc ? [{ frame_type: FrameType.yt, ...common }] : []),
  ];
  return { kind: 'points', points };
}
