import { FrameType } from '#shared/domain/enums.ts';
import { POINT_FIELD_KEYS, pointField } from '#shared/domain/point-fields.ts';
import type { NormalPoint, PointDraft } from '../../drivers/spi/index.ts';
import type { TableRow } from './read-rows.ts';

/**
 * The point a row describes. An empty cell is the default; what the file has no column for stays as in `base`, the stored point of this
 * code, or is the default where there is none.
 */
export function draftOfRow(row: TableRow, base: NormalPoint | undefined): PointDraft {
  const kept = base?.frame_type === row.frameType ? base : undefined;
  const draft: Record<string, unknown> = {};
  for (const [key, field] of POINT_FIELD_ENTRIES) {
    const stored = (field.goesWith === 'type' ? kept : base)?.[key];
    const start = typeof field.start === 'object' ? field.start.value : undefined;
    const hasColumn = row.layout.columns.has(key);
    // the stored point stands in for a missing column, the start for an empty cell
    draft[key] = hasColumn ? (row.values.get(key) ?? start) : stored === undefined ? start : stored;
  }
  return {
    ...(draft as unknown as PointDraft),
    frame_type: row.frameType,
    code: row.code,
    related_code: relatedOf(row) ?? kept?.related_code ?? '',
    note: row.note ?? base?.note ?? '',
    protocol: protocolOf(row, kept),
  };
}

const POINT_FIELD_ENTRIES = POINT_FIELD_KEYS.map((key) => [key, pointField(key)] as const);

/** The columns that may name the related point, the one of the own type first; a type without one takes whichever is filled. */
const RELATED: Readonly<Record<FrameType, readonly string[]>> = {
  [FrameType.yc]: ['related_code', 'related_yc', 'related_yx'],
  [FrameType.yx]: ['related_code', 'related_yx', 'related_yc'],
  [FrameType.yk]: ['related_yx', 'related_code', 'related_yc'],
  [FrameType.yt]: ['related_yc', 'related_code', 'related_yx'],
};

/** Key of the column a row names its related point in; undefined when the file has no such column. */
export function relatedKey(row: TableRow): string | undefined {
  const keys = RELATED[row.frameType].filter((key) => row.layout.columns.has(key));
  return keys.find((key) => row.values.has(key)) ?? keys[0];
}

function relatedOf(row: TableRow): string | undefined {
  const key = relatedKey(row);
  return key === undefined ? undefined : ((row.values.get(key) as string | undefined) ?? '');
}

/** Settings of the protocol: the JSON column, then the columns of single settings over it. */
function protocolOf(row: TableRow, base: NormalPoint | undefined): Readonly<Record<string, unknown>> {
  const { columns } = row.layout;
  const written = row.values.get('protocol') as Record<string, unknown> | undefined;
  const settings: Record<string, unknown> = { ...(columns.has('protocol') ? written : base?.protocol) };
  for (const key of columns.keys()) {
    if (!key.startsWith('protocol.')) continue;
    const name = key.slice('protocol.'.length);
    if (row.values.has(key)) settings[name] = row.values.get(key);
    else if (!(written && name in written)) delete settings[name];
  }
  return settings;
}
