/** Control codes of both editions, and the words of their errors. */

import { say } from '#shared/messages/index.ts';
import { type Message, type Names, names } from '#shared/messages/message.ts';

export type Edition = 2007 | 1997;

/** Bit 7: from the meter. */
export const FROM_METER = 0x80;
/** Bit 6: the meter refuses. */
export const REFUSED = 0x40;
/** Bit 5: more frames follow. */
export const MORE = 0x20;
const FUNCTION_BITS = 0x1f;

/** Functions of DL/T 645-2007, clause 7. */
export const Function2007 = {
  authenticate: 0x03,
  setTime: 0x08,
  read: 0x11,
  readNext: 0x12,
  readAddress: 0x13,
  write: 0x14,
  writeAddress: 0x15,
  freeze: 0x16,
  changeRate: 0x17,
  changePassword: 0x18,
  clearDemand: 0x19,
  clearMeter: 0x1a,
  clearEvents: 0x1b,
  control: 0x1c,
  outputPort: 0x1d,
} as const;

/** Functions of DL/T 645-1997. */
export const Function1997 = {
  read: 0x01,
  readNext: 0x02,
  repeat: 0x03,
  write: 0x04,
  setTime: 0x08,
  writeAddress: 0x0a,
  changeRate: 0x0c,
  changePassword: 0x0f,
  clearDemand: 0x10,
} as const;

const NAMES: Readonly<Record<number, Names>> = {
  [Function2007.setTime]: names('set clock', '广播校时'),
  [Function2007.read]: names('read', '读数据'),
  [Function2007.readNext]: names('read following data', '读后续数据'),
  [Function2007.readAddress]: names('read address', '读通信地址'),
  [Function2007.write]: names('write', '写数据'),
  [Function2007.writeAddress]: names('write address', '写通信地址'),
  [Function2007.freeze]: names('freeze', '冻结'),
  [Function2007.changeRate]: names('change baud rate', '更改通信速率'),
  [Function2007.changePassword]: names('change password', '修改密码'),
  [Function2007.clearDemand]: names('clear maximum demand', '最大需量清零'),
  [Function2007.clearMeter]: names('clear meter', '电表清零'),
  [Function2007.clearEvents]: names('clear events', '事件清零'),
  [Function2007.control]: names('relay control', '跳合闸、报警、保电'),
  [Function2007.outputPort]: names('multi-function output', '多功能端子输出控制'),
  [Function1997.read]: names('read (1997)', '读数据（1997）'),
  [Function1997.readNext]: names('read following data (1997)', '读后续数据（1997）'),
  [Function1997.repeat]: names('security authentication, or repeat (1997)', '安全认证，或重读数据（1997）'),
  [Function1997.write]: names('write (1997)', '写数据（1997）'),
  [Function1997.writeAddress]: names('write address (1997)', '写设备地址（1997）'),
  [Function1997.changeRate]: names('change baud rate (1997)', '更改通信速率（1997）'),
  [Function1997.changePassword]: names('change password (1997)', '修改密码（1997）'),
  [Function1997.clearDemand]: names('clear maximum demand (1997)', '最大需量清零（1997）'),
};

/** The function of a control code, without direction, error and more bits. */
export function functionOf(control: number): number {
  return control & FUNCTION_BITS;
}

/** Name of a function; null for one that neither edition has. */
export function functionNames(code: number): Names | null {
  return NAMES[code] ?? null;
}

/** Which edition a function belongs to; null where both have it or none. */
export function editionOf(functionCode: number): Edition | null {
  if (functionCode === Function2007.setTime) return null;
  if (functionCode >= Function2007.read) return 2007;
  return functionCode === Function1997.repeat || functionNames(functionCode) === null ? null : 1997;
}

/** Functions whose frames carry a password, or what a security module makes of one. */
const WITH_PASSWORD: ReadonlySet<number> = new Set([0x03, 0x04, 0x0f, 0x10, 0x14, 0x18, 0x19, 0x1a, 0x1b, 0x1c]);

/** True for functions whose frames carry a password. */
export function carriesSecret(functionCode: number): boolean {
  return WITH_PASSWORD.has(functionCode);
}

/** Functions that read, by edition. */
export function readFunctions(edition: Edition): { readonly read: number; readonly readNext: number } {
  return edition === 2007 ? Function2007 : Function1997;
}

/** Bit of the error word for what has no word of its own; 1997: illegal data. */
export const OTHER_ERROR = 0x01;
/** Bit of the error word that says that the baud rate cannot change. */
export const RATE_ERROR = 0x08;
/** Bit of the error word that says that a password is wrong or the level is not enough. */
export const PASSWORD_ERROR = 0x04;
/** Bit of the error word that says that the meter has no such data. */
export const NO_SUCH_DATA = 0x02;

const PASSWORD_WRONG = names('password wrong', '密码错');
const YEAR_ZONES = names('number of year zones exceeded', '年时区数超');
const DAY_SLOTS = names('number of day slots exceeded', '日时段数超');
const RATES_EXCEEDED = names('number of rates exceeded', '费率数超');
const RESERVED_3 = names('reserved bit 3', '保留位 3');
const RESERVED_7 = names('reserved bit 7', '保留位 7');

const ERROR_BITS: Readonly<Record<Edition, readonly Names[]>> = {
  2007: [
    names('other error', '其他错误'),
    names('no requested data', '无请求数据'),
    names('password wrong or not authorised', '密码错误或未授权'),
    names('baud rate cannot change', '通信速率不能更改'),
    YEAR_ZONES,
    DAY_SLOTS,
    RATES_EXCEEDED,
    RESERVED_7,
  ],
  1997: [
    names('illegal data', '非法数据'),
    names('identifier error', '数据标识错'),
    PASSWORD_WRONG,
    RESERVED_3,
    YEAR_ZONES,
    DAY_SLOTS,
    RATES_EXCEEDED,
    RESERVED_7,
  ],
};

/** What the bits of an error word say. */
function errorNames(word: number, edition: Edition): readonly Names[] {
  return ERROR_BITS[edition].filter((_, bit) => ((word >> bit) & 1) === 1);
}

/** A refusal: its error word, and further octets that cost-control meters append. */
export function refusalMessage(data: Uint8Array, edition: Edition): Message {
  const error = errorWordMessage(data[0] ?? null, edition);
  const more = [...data.subarray(1)].map((octet) => octet.toString(16).toUpperCase().padStart(2, '0'));
  return more.length > 0 ? say('dlt645.error_and', { error, octets: more.join(' ') }) : error;
}

/** An error word in words: `02 (no requested data)`; bits may be combined. `null` for an error answer without a word. */
export function errorWordMessage(word: number | null, edition: Edition): Message {
  if (word === null) return say('dlt645.error_wordless');
  const said = errorNames(word, edition);
  const hex = word.toString(16).toUpperCase().padStart(2, '0');
  return say('dlt645.error_word', { word: hex, names: said.length > 0 ? said : [say('dlt645.error_no_bit')] });
}
