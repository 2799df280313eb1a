/** What a tree states once for all lists below it: the order of octets, the table of the registers, the unit. */
import type { Cell } from '../table-file.ts';
import { headerKey, headerScores } from './header-words.ts';
import { type Branch, isBranch, type Tree } from './tree.ts';

type SettingRole = 'order' | 'function' | 'slave_id';
const ROLES: readonly SettingRole[] = ['order', 'function', 'slave_id'];

/** A setting as the cells of a column of its own would have it. */
interface TreeSetting {
  readonly header: string;
  readonly text: string;
}

/** What holds for the things of a list; the nearest statement of each kind. */
export type TreeSettings = Partial<Readonly<Record<SettingRole, TreeSetting>>>;

export const NO_SETTINGS: TreeSettings = {};

/** A thing of a list, with what was stated above it. */
export interface TreeRecord {
  readonly cells: Map<string, Cell>;
  readonly settings: TreeSettings;
}

const SURE = 0.9;
/** Members whose own members are settings of the branch they stand in. */
const OF_SETTINGS = /^(settings?|config(uration)?|defaults?|modbus|protocol|connection|communication|meta(data)?|encoding|format)$/i;
/** A key that names a table of registers, which then is no longer what was said further up. */
const OF_TABLE = /coil|discrete|holding|input[ _-]?reg|\bfc_?\d|function_?\d/i;
/** A key that is the number of a unit: `Unit_1`, `slave 12`. */
const OF_UNIT = /^(?:unit|slave)[ _-]?(?:id)?[ _-]?(\d{1,3})$/i;
/** MODBUS over serial line V1.02, 2.2. */
const LAST_UNIT = 247;
const FUNCTION = /holding|input|coil|discrete|寄存器|线圈|离散|^[0134]x+$|^(fc|0x)?0?[1-4]$/i;

/** The settings that hold for what stands under `key`. */
export function settingsUnder(key: string, settings: TreeSettings): TreeSettings {
  const unit = OF_UNIT.exec(key)?.[1];
  if (unit !== undefined && Number(unit) <= LAST_UNIT) return { ...settings, slave_id: { header: 'unit id', text: unit } };
  if (!OF_TABLE.test(key)) return settings;
  const { function: _, ...rest } = settings;
  return rest;
}

/** What a branch states for all that stands in it. */
export function settingsOf(branch: Branch): TreeSettings {
  const inner = Object.entries(branch).flatMap(([key, value]) =>
    OF_SETTINGS.test(key) && isBranch(value) && Object.values(value).every(isSingle) ? Object.entries(value) : [],
  );
  const single = [...inner, ...Object.entries(branch)]
    .filter(([, value]) => isSingle(value))
    .map(([key, value]) => [key, String(value)] as const);
  const ofRole = (role: SettingRole) => single.filter(([key]) => (headerScores(key).get(role) ?? 0) >= SURE);
  const order = orderOf(ofRole('order'));
  const area = ofRole('function').findLast(([, text]) => FUNCTION.test(text.trim()));
  return { ...(order ? { order } : {}), ...(area ? { function: { header: area[0], text: area[1] } } : {}) };
}

const isSingle = (value: Tree): boolean => typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** The order by settings that may name it in one, or that of octets and of words apart. */
function orderOf(stated: readonly (readonly [string, string])[]): TreeSetting | null {
  const first = stated.at(-1);
  if (!first) return null;
  const of = (part: RegExp) => endOf(stated.findLast(([key]) => part.test(headerKey(key)))?.[1] ?? '');
  const words = of(/word|register/);
  const octets = of(/byte|octet/);
  // octets of one register go the way of the protocol where nothing else is said: MODBUS Application Protocol V1.1b3, 4.2
  if (words !== null) return { header: first[0], text: LETTERS[octets ?? 'big'][words] };
  const [header, text] = first;
  const end = endOf(text);
  return { header, text: end === null ? text : `${end} endian` };
}

type End = 'big' | 'little';
const LETTERS: Readonly<Record<End, Readonly<Record<End, string>>>> = {
  big: { big: 'ABCD', little: 'CDAB' },
  little: { big: 'BADC', little: 'DCBA' },
};

/** The end that comes first; null for a text that says more or something else. */
function endOf(text: string): End | null {
  const word = text
    .replace(/^.*\bendian\./i, '')
    .replace(/[\s_-]*endian$/i, '')
    .trim()
    .toLowerCase();
  if (['big', 'high', 'msb', 'msw', 'be', '>'].includes(word)) return 'big';
  return ['little', 'low', 'lsb', 'lsw', 'le', '<'].includes(word) ? 'little' : null;
}

/** Puts the settings into the rows that do not say it themselves, in their own column where they have one. */
export function settleRecords(records: readonly TreeRecord[]): ReadonlyMap<string, Cell>[] {
  const keys = new Set(records.flatMap(({ cells }) => [...cells.keys()]));
  const own = (role: SettingRole) => [...keys].find((key) => (headerScores(key).get(role) ?? 0) >= SURE);
  const columns = { order: own('order'), function: own('function'), slave_id: own('slave_id') };
  return records.map(({ cells, settings }) => {
    for (const role of ROLES) {
      const setting = settings[role];
      const header = columns[role] ?? setting?.header;
      if (setting && header !== undefined && !cells.has(header)) cells.set(header, setting.text);
    }
    return cells;
  });
}
