/**
 * The settings of a point, once. Contract, drafts, project file, store, comparison, import, export and forms are made from this table, and the
 * names are the same in all of them. The order is that of the contract and of the project file.
 */
import type { FrameType } from './enums.ts';

/** What a field holds. */
export type PointFieldKind =
  | { readonly is: 'type' }
  /** Plain text; `trim`: without the blanks around it. `needed`: not empty. `lines`: of one line or of many. */
  | { readonly is: 'text'; readonly max: number; readonly lines: 'one' | 'many'; readonly trim?: true; readonly needed?: true }
  /** A code of the decode table; empty where the protocol has none. */
  | { readonly is: 'decode'; readonly max: number }
  | { readonly is: 'whole'; readonly min: number; readonly max: number }
  | { readonly is: 'number' }
  | { readonly is: 'yesNo' }
  /** Settings of the protocol, by name. */
  | { readonly is: 'settings' };

/** What the program knows of one field. */
export interface PointField {
  readonly kind: PointFieldKind;
  /** Null is a value: there is none. */
  readonly isNullable?: true;
  /** What a new point has where nothing is said: a value, or what its protocol says. Left out: the field is needed. */
  readonly start?: { readonly value: unknown } | 'protocol';
  /** For readers of the API; `aboutNew` where a new point is described. */
  readonly about?: string;
  readonly aboutNew?: string;
  /** Its column in a table file: place from the left, header as it is written, headers it is found by as well. */
  readonly column: { readonly place: number; readonly zh: string; readonly en: string; readonly also?: readonly string[] };
  /** How two points are compared: by the value, by the settings whatever their order, or not at all because it is what they are found by. */
  readonly diff: 'value' | 'settings' | 'none';
  /** True where the value of a point is another one when the field changes. */
  readonly isRead: boolean;
  /** `type`: means something only for one type; a point of the same code and another type does not take it over in an import. */
  readonly goesWith: 'type' | 'code';
  /** How the store keeps it: in a column of numbers, once for all points with the same text or settings, or as text of its own. */
  readonly kept: 'number' | 'shared' | 'own';
  /** Part of the form, and width; null: the form has a control of its own for it. */
  readonly form: { readonly section: PointSection; readonly width?: 'full' | 'half' | 'third' | 'quarter' } | null;
}

export type PointSection = 'identity' | 'access' | 'scaling' | 'filing';

const text = <const Max extends number>(max: Max) => ({ is: 'text', max, lines: 'one' }) as const;
const EMPTY = { value: '' } as const;
const NONE = { value: null } as const;

export const POINT_FIELDS = {
  frame_type: {
    kind: { is: 'type' },
    column: { place: 1, zh: '测点类型', en: 'point type', also: ['类型', '帧类型', 'type'] },
    diff: 'value',
    isRead: true,
    goesWith: 'type',
    kept: 'number',
    form: null,
  },
  code: {
    kind: { ...text(100), trim: true, needed: true },
    about: 'point code, unique in its channel',
    column: { place: 2, zh: '测点编码', en: 'point code', also: ['编码'] },
    diff: 'none',
    isRead: false,
    goesWith: 'code',
    kept: 'own',
    form: { section: 'identity' },
  },
  name: {
    kind: { ...text(200), trim: true },
    start: 'protocol',
    aboutNew: 'default: the code',
    column: { place: 3, zh: '测点名称', en: 'point name', also: ['名称'] },
    diff: 'value',
    isRead: false,
    goesWith: 'code',
    kept: 'own',
    form: { section: 'identity' },
  },
  address: {
    kind: { is: 'whole', min: 0, max: 0xffff_ffff },
    start: 'protocol',
    about: 'register, coil, information object or data identifier',
    aboutNew: 'needed, except for IEC 61850',
    column: {
      place: 5,
      zh: '寄存器地址',
      en: 'register address',
      also: ['地址', '信息体地址', '信息对象地址', '数据标识', 'register', 'ioa', 'di'],
    },
    diff: 'value',
    isRead: true,
    goesWith: 'type',
    kept: 'number',
    form: { section: 'access', width: 'quarter' },
  },
  slave_id: {
    kind: { is: 'whole', min: 0, max: 999_999_999_999 },
    start: 'protocol',
    about: 'unit id, common address, or meter number as an integer',
    aboutNew: 'default 1',
    column: {
      place: 4,
      zh: '从机地址',
      en: 'slave address',
      also: ['公共地址', '站地址', 'slave', 'unit id', 'common address', 'common addr', 'common addr.', 'ca', 'asdu address', 'coa'],
    },
    diff: 'value',
    isRead: true,
    goesWith: 'type',
    kept: 'number',
    form: { section: 'access', width: 'quarter' },
  },
  func_code: {
    kind: { is: 'whole', min: 0, max: 255 },
    isNullable: true,
    start: 'protocol',
    about: 'Modbus function code; null where the protocol has none',
    aboutNew: 'default YC 3, YX 1, YK 5, YT 6 for one register and 16 for more',
    column: { place: 6, zh: '功能码', en: 'function code', also: ['function'] },
    diff: 'value',
    isRead: true,
    goesWith: 'type',
    kept: 'number',
    form: { section: 'access', width: 'half' },
  },
  decode: {
    kind: { is: 'decode', max: 16 },
    start: 'protocol',
    about: 'how registers become a number, e.g. 0x42; empty for other protocols',
    aboutNew: 'default 0x41 for YC and YT, 0x20 for YX and YK; empty for other protocols',
    column: { place: 7, zh: '解析码', en: 'decode code' },
    diff: 'value',
    isRead: true,
    goesWith: 'type',
    kept: 'shared',
    form: { section: 'access', width: 'half' },
  },
  mul_coe: {
    kind: { is: 'number' },
    start: { value: 1 },
    column: { place: 8, zh: '乘系数', en: 'factor', also: ['乘法系数', '乘积系数'] },
    diff: 'value',
    isRead: true,
    goesWith: 'type',
    kept: 'number',
    form: { section: 'scaling', width: 'third' },
  },
  add_coe: {
    kind: { is: 'number' },
    start: { value: 0 },
    column: { place: 9, zh: '加系数', en: 'offset', also: ['加法系数'] },
    diff: 'value',
    isRead: true,
    goesWith: 'type',
    kept: 'number',
    form: { section: 'scaling', width: 'third' },
  },
  unit: {
    kind: text(32),
    start: EMPTY,
    column: { place: 18, zh: '单位', en: 'unit' },
    diff: 'value',
    isRead: false,
    goesWith: 'code',
    kept: 'shared',
    form: { section: 'scaling', width: 'third' },
  },
  min_limit: {
    kind: { is: 'number' },
    isNullable: true,
    start: NONE,
    about: 'engineering value below which `alarm` is set; null: no limit',
    column: { place: 11, zh: '下限值', en: 'lower limit', also: ['下限'] },
    diff: 'value',
    isRead: false,
    goesWith: 'type',
    kept: 'number',
    form: { section: 'scaling', width: 'third' },
  },
  max_limit: {
    kind: { is: 'number' },
    isNullable: true,
    start: NONE,
    column: { place: 10, zh: '上限值', en: 'upper limit', also: ['上限'] },
    diff: 'value',
    isRead: false,
    goesWith: 'type',
    kept: 'number',
    form: { section: 'scaling', width: 'third' },
  },
  bit: {
    kind: { is: 'whole', min: 0, max: 63 },
    isNullable: true,
    start: NONE,
    about: 'bit of the register for YX and YK, 0 is the lowest',
    column: { place: 12, zh: '位偏移', en: 'bit offset', also: ['位'] },
    diff: 'value',
    isRead: true,
    goesWith: 'type',
    kept: 'number',
    form: { section: 'access', width: 'half' },
  },
  reverse: {
    kind: { is: 'yesNo' },
    start: { value: false },
    about: 'invert a YX',
    column: { place: 13, zh: '是否反转', en: 'invert', also: ['取反'] },
    diff: 'value',
    isRead: true,
    goesWith: 'type',
    kept: 'number',
    form: { section: 'scaling' },
  },
  reference: {
    kind: text(255),
    start: EMPTY,
    about: 'IEC 61850 object reference',
    column: { place: 19, zh: '对象引用', en: 'object reference', also: ['引用'] },
    diff: 'value',
    isRead: true,
    goesWith: 'code',
    kept: 'own',
    form: { section: 'access', width: 'full' },
  },
  category: {
    kind: text(100),
    start: EMPTY,
    column: { place: 20, zh: '分类', en: 'category' },
    diff: 'value',
    isRead: false,
    goesWith: 'code',
    kept: 'shared',
    form: { section: 'filing', width: 'half' },
  },
  item: {
    kind: text(100),
    start: EMPTY,
    column: { place: 21, zh: '项目', en: 'item' },
    diff: 'value',
    isRead: false,
    goesWith: 'code',
    kept: 'shared',
    form: { section: 'filing', width: 'half' },
  },
  related_code: {
    kind: text(100),
    start: EMPTY,
    about: 'code of the point that shows the effect of this command',
    column: { place: 17, zh: '关联测点编码', en: 'related point', also: ['关联测点'] },
    diff: 'value',
    isRead: false,
    goesWith: 'type',
    kept: 'own',
    form: { section: 'scaling', width: 'third' },
  },
  command_type: {
    kind: text(32),
    start: EMPTY,
    about: "the plant's own word for the command, e.g. pulse; whoever sends it is shown it, and nothing else follows from it",
    column: { place: 14, zh: '命令类型', en: 'command type' },
    diff: 'value',
    isRead: false,
    goesWith: 'type',
    kept: 'shared',
    form: { section: 'scaling', width: 'third' },
  },
  note: {
    kind: { is: 'text', max: 4000, lines: 'many' },
    start: EMPTY,
    column: { place: 22, zh: '备注', en: 'remark' },
    diff: 'value',
    isRead: false,
    goesWith: 'code',
    kept: 'own',
    form: { section: 'filing' },
  },
  protocol: {
    kind: { is: 'settings' },
    start: { value: {} },
    about: 'settings of the protocol for this point',
    column: { place: 23, zh: '规约参数', en: 'protocol settings' },
    diff: 'settings',
    isRead: true,
    goesWith: 'type',
    kept: 'shared',
    form: null,
  },
} as const satisfies Readonly<Record<string, PointField>>;

export type PointFieldKey = keyof typeof POINT_FIELDS;

/** The keys in the order of the contract. */
export const POINT_FIELD_KEYS = Object.keys(POINT_FIELDS) as readonly PointFieldKey[];

/** True for the key of a field. */
export function isPointField(key: string): key is PointFieldKey {
  return Object.hasOwn(POINT_FIELDS, key);
}

/** A field by its key, as what all fields are. */
export function pointField(key: PointFieldKey): PointField {
  return POINT_FIELDS[key];
}

/** The keys of the fields of which `predicate` is true, in the order of the contract. */
export function pointFieldsWhere(predicate: (field: PointField) => boolean): readonly PointFieldKey[] {
  return POINT_FIELD_KEYS.filter((key) => predicate(POINT_FIELDS[key]));
}

type Fields = typeof POINT_FIELDS;
type KindOf<Key extends PointFieldKey> = Fields[Key]['kind']['is'];
type Held<Kind> = Kind extends 'type'
  ? FrameType
  : Kind extends 'text' | 'decode'
    ? string
    : Kind extends 'whole' | 'number'
      ? number
      : Kind extends 'yesNo'
        ? boolean
        : Record<string, unknown>;

/** What a field holds, as a type. */
export type PointFieldValue<Key extends PointFieldKey> =
  | Held<KindOf<Key>>
  | (Fields[Key] extends { readonly isNullable: true } ? null : never);

/** The settings of a point as they are stored. */
export type PointSettings = { [Key in PointFieldKey]: PointFieldValue<Key> };

/** Fields that a protocol fills in where nothing is said. */
export type FilledByProtocol = { [Key in PointFieldKey]: Fields[Key] extends { readonly start: 'protocol' } ? Key : never }[PointFieldKey];

/** Fields that have the same value in every new point that says nothing of them. */
export type FilledByTable = {
  [Key in PointFieldKey]: Fields[Key] extends { readonly start: { readonly value: unknown } } ? Key : never;
}[PointFieldKey];

/** Fields the store keeps in a certain way. */
export type PointFieldsKept<Way extends PointField['kept']> = {
  [Key in PointFieldKey]: Fields[Key] extends { readonly kept: Way } ? Key : never;
}[PointFieldKey];
