/** Function codes and tables in the words that lists use. */
import { AREAS, type Area } from './written-address.ts';

/** What a text says of the function a point is read or written with. */
export interface WrittenFunction {
  /** Null where several tables are named. */
  readonly area: Area | null;
  readonly isRead: boolean;
  readonly isWritten: boolean;
}

/** Function codes of MODBUS Application Protocol V1.1b3, 6, by the table they work on. */
const CODES: Readonly<Record<number, { readonly area: Area; readonly isWrite: boolean }>> = {
  1: { area: AREAS.coil, isWrite: false },
  2: { area: AREAS.discrete, isWrite: false },
  3: { area: AREAS.holding, isWrite: false },
  4: { area: AREAS.input, isWrite: false },
  5: { area: AREAS.coil, isWrite: true },
  6: { area: AREAS.holding, isWrite: true },
  15: { area: AREAS.coil, isWrite: true },
  16: { area: AREAS.holding, isWrite: true },
  22: { area: AREAS.holding, isWrite: true },
  23: { area: AREAS.holding, isWrite: true },
};

const NAMES: readonly (readonly [RegExp, Area])[] = [
  [/holding|hold ?reg|\bhold\b|保持(型)?寄存器|\b4x+\b|\bhreg|\bhr\b/, AREAS.holding],
  [/input ?(status|discrete)|discrete|离散(量)?输入|输入状态|\b1x+\b|\bdi\b/, AREAS.discrete],
  [/input|输入寄存器|\b3x+\b|\bireg|\bir\b/, AREAS.input],
  [/coil|线圈|\b0x+\b(?!\d)/, AREAS.coil],
];

/** Words that stand beside function codes. */
const BESIDE =
  /function|func?|fn|fc|code|codes|modbus|read|write|registers?|reg|multiple|single|preset|and|or|rw?|w|功能码|读|写|多个?|单个?|寄存器|状态|或|和|[\s/,;:|()[\]&+.=、，；：（）_-]/g;

/**
 * Reads a cell of a column of functions, or a title; null for what says nothing of a table. `03`, `0x03`, `FC03`, `3/6/16`, `04 (Read Input Registers)`, `Holding
 * register`, `保持寄存器`.
 */
export function parseFunction(text: string): WrittenFunction | null {
  const lower = text.normalize('NFKC').trim().toLowerCase();
  if (lower === '' || /\d\.\d/.test(lower)) return null;
  return byName(lower) ?? byCodes(lower);
}

function byName(lower: string): WrittenFunction | null {
  const named = NAMES.filter(([pattern]) => pattern.test(lower)).map(([, area]) => area);
  // "discrete input" is no input register
  const areas = new Set(
    named.includes(AREAS.discrete) && !/input reg|输入寄存器/.test(lower) ? named.filter((area) => area !== AREAS.input) : named,
  );
  if (areas.size === 0) return null;
  const codes = codesIn(lower);
  const isWritten = codes.some(({ isWrite }) => isWrite);
  const isRead = !isWritten || codes.some(({ isWrite }) => !isWrite);
  return { area: areas.size === 1 ? ([...areas][0] ?? null) : null, isRead, isWritten };
}

function byCodes(lower: string): WrittenFunction | null {
  if (!/^[\dxfh]*$/.test(lower.replace(BESIDE, ''))) return null;
  const codes = codesIn(lower);
  if (codes.length === 0) return null;
  const areas = new Set(codes.map(({ area }) => area));
  const reads = codes.filter(({ isWrite }) => !isWrite);
  return { area: areas.size === 1 ? (codes[0]?.area ?? null) : null, isRead: reads.length > 0, isWritten: reads.length < codes.length };
}

function codesIn(lower: string): { readonly area: Area; readonly isWrite: boolean }[] {
  return [...lower.matchAll(/(?<![0-9a-z])(?:fc|f|0x|fn)?0*([0-9]{1,2}|f)(h?)(?![0-9a-z])/g)].flatMap(([whole, digits = '', suffix]) => {
    const isHex = whole.startsWith('0x') || suffix === 'h' || digits === 'f';
    const code = isHex ? Number.parseInt(digits, 16) : Number(digits);
    return CODES[code] ?? [];
  });
}

const IN_TITLE = /(?:\bfc|\bfunc(?:tion)?(?: ?code)?|功能码)\s*[:：=#]?\s*(?:0x)?0*([1-4])(?!\d)/i;
const OF_TABLES = /regist|寄存器|coil|线圈|discrete|离散|^[0134]x+$|^(holding|input|hr|ir|di)s?$/i;

const TOGETHER = /(holding|input)[ _-]?regist|(保持|输入)(型)?寄存器|\bcoils?\b|线圈|discrete input|离散(量)?输入/i;
const LONGEST_TITLE = 40;

/** The table that a title, the name of a sheet or a sentence names; null for none. `Input power` is a group of values, `Input registers` a table. */
export function functionInTitle(title: string): WrittenFunction | null {
  const text = title.normalize('NFKC').trim();
  const code = IN_TITLE.exec(text)?.[1];
  if (code !== undefined) return { area: CODES[Number(code)]?.area ?? null, isRead: true, isWritten: false };
  // in a sentence the words have to stand together
  const named = (text.length > LONGEST_TITLE ? TOGETHER : OF_TABLES).test(text) ? byName(text.toLowerCase()) : null;
  return named?.area == null ? null : { ...named, isRead: true, isWritten: false };
}
