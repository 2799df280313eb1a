import { z } from 'zod';
import { FrameType } from '#shared/domain/enums.ts';
import { POINT_FIELD_KEYS, type PointField, pointField } from '#shared/domain/point-fields.ts';
import type { DriverDescriptor } from '../../drivers/spi/index.ts';

/** How the cells of a column are read and written. */
export type ColumnKind =
  | { readonly is: 'text'; readonly max: number; readonly isProse: boolean }
  | { readonly is: 'integer'; readonly min: number; readonly max: number }
  | { readonly is: 'meter' }
  | { readonly is: 'number' }
  | { readonly is: 'yesNo' }
  | { readonly is: 'decode' }
  | { readonly is: 'type' }
  | { readonly is: 'enumTexts' }
  | { readonly is: 'settings' }
  | { readonly is: 'any' };

/** A column that a point table may have. */
export interface TableColumn {
  /** Contract name of the point field, `protocol.<setting>`, `frame_type`, `related_yx` or `related_yc`. */
  readonly key: string;
  /** Header as it is written. */
  readonly header: string;
  /** Other headers it is found by. */
  readonly also: readonly string[];
  readonly kind: ColumnKind;
}

const text = (max: number): ColumnKind => ({ is: 'text', max, isProse: false });

function fieldKind({ kind }: PointField): ColumnKind {
  if (kind.is === 'text') return { is: 'text', max: kind.max, isProse: kind.lines === 'many' };
  if (kind.is === 'whole') return { is: 'integer', min: kind.min, max: kind.max };
  return { is: kind.is };
}

/** Columns that name the related point by its type, as the sheets of the field have them, and where they stand. */
const RELATED_COLUMNS = [
  { place: 15, key: 'related_yx', zh: '关联遥信编码' },
  { place: 16, key: 'related_yc', zh: '关联遥测编码' },
] as const;

/** Columns of every protocol, in the order in which they are written. The bounds are those of the contract's `NewPoint`. */
export const COMMON_COLUMNS: readonly TableColumn[] = [
  ...POINT_FIELD_KEYS.map((key) => {
    const field = pointField(key);
    const { place, zh, en, also = [] } = field.column;
    return { place, column: { key, header: zh, also: [key, en, ...also], kind: fieldKind(field) } };
  }),
  ...RELATED_COLUMNS.map(({ place, key, zh }) => ({
    place,
    column: { key, header: zh, also: [key], kind: fieldKind(pointField('related_code')) },
  })),
]
  .sort((a, b) => a.place - b.place)
  .map(({ column }) => column);

/** Headers of protocol settings that files in the field have a name for; any other setting is found by its own name. */
const SETTING_HEADERS: Readonly<Record<string, readonly [header: string, ...also: string[]]>> = {
  type_id: ['类型标识', 'type identification', 'asdu type'],
  select_before_operate: ['先选择后执行', '选择后执行', '选控', 'sbo'],
  qualifier: ['限定词'],
  edition: ['规约版本', '版本'],
  format: ['数据格式'],
  meter_address: ['表号', '电表表号', '表地址', 'meter number'],
  control_model: ['控制模型'],
  enum_texts: ['枚举文本', '状态描述', 'enum texts', 'states'],
  bit_texts: ['位文本', '位描述', 'bit texts'],
  kind: ['数值种类', '值种类', 'kind of value'],
  registers: ['寄存器数', '寄存器个数', 'register count'],
  encoding: ['字符编码', '字符集', 'character set'],
  width: ['位宽', '位数', 'bit width'],
  scale_address: ['比例因子地址', '比例寄存器', 'scale register', 'sunssf'],
  absent: ['未实现值', '无效值', 'not implemented value'],
};

/** Headers of what a point had when another program wrote the file: no settings. */
const LIVE_HEADERS = ['16进制地址', '测点值', '16进制测点值', '寄存器值', '真实值'];

/** A sheet of the workbook: the point type and its columns as the field writes them. */
export interface SheetKind {
  readonly frameType: FrameType;
  readonly name: string;
  readonly also: readonly string[];
  readonly keys: readonly string[];
}

const IDENTITY = ['code', 'name', 'slave_id', 'address', 'func_code', 'decode'] as const;

/** The four sheets with exactly the columns of the field, in this order. */
export const SHEETS: readonly SheetKind[] = [
  {
    frameType: FrameType.yc,
    name: '遥测',
    also: ['yc', 'telemetry', 'measurement', 'measurements', '0'],
    keys: [...IDENTITY, 'mul_coe', 'add_coe', 'max_limit', 'min_limit'],
  },
  {
    frameType: FrameType.yx,
    name: '遥信',
    also: ['yx', 'signalling', 'signal', 'signals', 'state', 'states', '1'],
    keys: [...IDENTITY, 'bit', 'reverse'],
  },
  {
    frameType: FrameType.yk,
    name: '遥控',
    also: ['yk', 'control', 'controls', '2'],
    keys: [...IDENTITY, 'bit', 'command_type', 'related_yx'],
  },
  {
    frameType: FrameType.yt,
    name: '遥调',
    also: ['yt', 'setpoint', 'setpoints', 'adjustment', '3'],
    keys: [...IDENTITY, 'mul_coe', 'add_coe', 'max_limit', 'min_limit', 'related_yc'],
  },
];

/** The sheet of a point type. */
export function sheetOf(frameType: FrameType): SheetKind {
  const found = SHEETS.find((sheet) => sheet.frameType === frameType);
  if (!found) throw new RangeError(`frame_type ${frameType} is unknown`);
  return found;
}

/** A header, sheet name or word as it is compared: full width is half width, letter case, spaces and marks do not count. */
export function wordKey(word: string): string {
  return word
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_*:.\-"']/g, '');
}

/** The point type a sheet name or a cell of the type column names; null for another word. */
export function typeOf(word: string): FrameType | null {
  const key = wordKey(word);
  return SHEETS.find((sheet) => wordKey(sheet.name) === key || sheet.also.includes(key))?.frameType ?? null;
}

/** True where a setting of the point says its slave as text, which has more digits than a spreadsheet keeps in a number. */
export function hasWrittenSlaves({ notation }: Pick<DriverDescriptor, 'notation'>): boolean {
  return (notation?.slave?.setting ?? '') !== '';
}

/** The columns a file for one protocol may have. */
export class ColumnSet {
  /** Settings of the protocol that are a column of their own. */
  readonly settings: readonly TableColumn[];
  readonly #common: readonly TableColumn[];
  readonly #byHeader = new Map<string, TableColumn>();
  readonly #foreign = new Set<string>();
  readonly #live = new Set(LIVE_HEADERS.map(wordKey));

  constructor(descriptor: Pick<DriverDescriptor, 'pointSettings' | 'notation'>) {
    this.settings = settingColumns(descriptor.pointSettings);
    const hasMeters = hasWrittenSlaves(descriptor);
    this.#common = COMMON_COLUMNS.map((item) => (hasMeters && item.key === 'slave_id' ? { ...item, kind: { is: 'meter' } } : item));
    for (const item of [...this.#common, ...this.settings]) {
      for (const header of [item.header, ...item.also]) this.#byHeader.set(wordKey(header), item);
    }
    for (const [key, headers] of Object.entries(SETTING_HEADERS)) {
      for (const header of [key, ...headers]) if (!this.#byHeader.has(wordKey(header))) this.#foreign.add(wordKey(header));
    }
  }

  /** The column with this header, also when a unit or remark in brackets follows it; undefined for an unknown one. */
  find(header: string): TableColumn | undefined {
    const key = wordKey(header);
    return this.#byHeader.get(key) ?? this.#byHeader.get(key.replace(/\(.*\)$/, ''));
  }

  /** True for a setting that other protocols have. */
  isForeign(header: string): boolean {
    return this.#foreign.has(wordKey(header));
  }

  /** True for a value of the moment, or what another column says already. */
  isLive(header: string): boolean {
    return this.#live.has(wordKey(header).replace(/\(.*\)$/, ''));
  }

  /** The column of a key. */
  get(key: string): TableColumn {
    const found = [...this.#common, ...this.settings].find((item) => item.key === key);
    if (!found) throw new RangeError(`There is no column ${key}.`);
    return found;
  }
}

function settingColumns(schema: z.ZodObject): TableColumn[] {
  const properties = z.toJSONSchema(schema, { io: 'input' }).properties ?? {};
  return Object.entries(properties).map(([key, property]) => {
    const [header = key, ...also] = SETTING_HEADERS[key] ?? [];
    return { key: `protocol.${key}`, header, also: [key, ...also], kind: kindOf(key, property) };
  });
}

function kindOf(key: string, property: unknown): ColumnKind {
  if (key === 'enum_texts' || key === 'bit_texts') return { is: 'enumTexts' };
  const type = typeof property === 'object' && property !== null && 'type' in property ? property.type : undefined;
  if (type === 'string') return text(1000);
  if (type === 'boolean') return { is: 'yesNo' };
  return { is: 'any' };
}
