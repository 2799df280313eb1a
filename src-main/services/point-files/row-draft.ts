import { FrameType } from '#shared/domain/enums.ts';
import type { PointConfig, PointDraft } from '../../drivers/spi/index.ts';
import type { TableRow } from './read-rows.ts';

/**
 * The point a row describes. An empty cell is the default; what the file has no column for stays as in `base`, the stored point of this
 * code, or is the default where there is none.
 */
export function draftOfRow(row: TableRow, base: PointConfig | undefined): PointDraft {
  const kept = base?.frameType === row.frameType ? base : undefined;
  const has = (key: string) => row.layout.columns.has(key);
  /** `field` of the stored point stands in for a missing column, `otherwise` for an empty cell. */
  const pick = <Value>(key: string, field: Value | undefined, otherwise: Value): Value => {
    if (!has(key)) return field === undefined ? otherwise : field;
    const value = row.values.get(key);
    return value === undefined ? otherwise : (value as Value);
  };
  return {
    frameType: row.frameType,
    code: row.code,
    name: pick<string | undefined>('name', base?.name, undefined),
    address: pick<number | undefined>('address', kept?.address, undefined),
    slaveId: pick<number | undefined>('slave_id', kept?.slaveId, undefined),
    funcCode: pick<number | null | undefined>('func_code', kept?.funcCode, undefined),
    decode: pick<string | undefined>('decode', kept?.decode, undefined),
    mulCoe: pick('mul_coe', kept?.mulCoe, 1),
    addCoe: pick('add_coe', kept?.addCoe, 0),
    unit: pick('unit', base?.unit, ''),
    minLimit: pick<number | null>('min_limit', kept?.minLimit, null),
    maxLimit: pick<number | null>('max_limit', kept?.maxLimit, null),
    bit: pick<number | null>('bit', kept?.bit, null),
    reverse: pick('reverse', kept?.reverse, false),
    reference: pick('reference', base?.reference, ''),
    category: pick('category', base?.category, ''),
    item: pick('item', base?.item, ''),
    relatedCode: relatedOf(row) ?? kept?.relatedCode ?? '',
    commandType: pick('command_type', kept?.commandType, ''),
    note: row.note ?? base?.note ?? '',
    protocol: protocolOf(row, kept),
  };
}

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
function protocolOf(row: TableRow, base: PointConfig | undefined): Readonly<Record<string, unknown>> {
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
