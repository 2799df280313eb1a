import { english, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';

/** Control codes of both editions, and the words of their errors. */

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

const NAMES: Readonly<Record<number, string>> = {
  [Function2007.setTime]: 'set clock',
  [Function2007.read]: 'read',
  [Function2007.readNext]: 'read following data',
  [Function2007.readAddress]: 'read address',
  [Function2007.write]: 'write',
  [Function2007.writeAddress]: 'write address',
  [Function2007.freeze]: 'freeze',
  [Function2007.changeRate]: 'change baud rate',
  [Function2007.changePassword]: 'change password',
  [Function2007.clearDemand]: 'clear maximum demand',
  [Function2007.clearMeter]: 'clear meter',
  [Function2007.clearEvents]: 'clear events',
  [Function2007.control]: 'relay control',
  [Function2007.outputPort]: 'multi-function output',
  [Function1997.read]: 'read (1997)',
  [Function1997.readNext]: 'read following data (1997)',
  [Function1997.repeat]: 'security authentication, or repeat (1997)',
  [Function1997.write]: 'write (1997)',
  [Function1997.writeAddress]: 'write address (1997)',
  [Function1997.changeRate]: 'change baud rate (1997)',
  [Function1997.changePassword]: 'change password (1997)',
  [Function1997.clearDemand]: 'clear maximum demand (1997)',
};

/** The function of a control code, without direction, error and more bits. */
export function functionOf(control: number): number {
  return control & FUNCTION_BITS;
}

/** Name of a function; null for one that neither edition has. */
export function functionName(code: number): string | null {
  return NAMES[code] ?? null;
}

/** Which edition a function belongs to; null where both have it or none. */
export function editionOf(functionCode: number): Edition | null {
  if (functionCode === Function2007.setTime) return null;
  if (functionCode >= Function2007.read) return 2007;
  return functionCode === Function1997.repeat || functionName(functionCode) === null ? null : 1997;
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

const ERROR_BITS_ZH: Readonly<Record<Edition, readonly string[]>> = {
  2007: ['其他错误', '无请求数据', '密码错误或未授权', '通信速率不能更改', '年时区数超', '日时段数超', '费率数超', '保留位 7'],
  1997: ['非法数据', '数据标识错', '密码错', '保留位 3', '年时区数超', '日时段数超', '费率数超', '保留位 7'],
};

/** A refusal: its error word, and further octets that cost-control meters append. */
export function refusalMessage(data: Uint8Array, edition: Edition): Message {
  const error = errorWordMessage(data[0] ?? null, edition);
  const more = [...data.subarray(1)].map((octet) => octet.toString(16).toUpperCase().padStart(2, '0'));
  return more.length > 0 ? say('dlt645.error_and', { error, octets: more.join(' ') }) : error;
}

/** An error word in words: `02 (no requested data)`; bits may be combined. `null` for an error answer without a word. */
export function describeErrorWord(word: number | null, edition: Edition): string {
  return english(errorWordMessage(word, edition));
}

/** An error word as a message, with the name of each bit. */
export function errorWordMessage(word: number | null, edition: Edition): Message {
  if (word === null) return say('dlt645.error_wordless');
  const bits = [0, 1, 2, 3, 4, 5, 6, 7].filter((bit) => ((word >> bit) & 1) === 1);
  const names = bits.map((bit) => ({ id: `dlt645.error_${edition}_${bit}`, params: {} }));
  const hex = word.toString(16).toUpperCase().padStart(2, '0');
  return say('dlt645.error_word', { word: hex, names: names.length > 0 ? names : [say('dlt645.error_no_bit')] });
}

/** The same in Chinese: `错误信息字 02（无请求数据）`. */
export function describeErrorWordZh(word: number | null, edition: Edition): string {
  if (word === null) return '不带错误信息字的异常应答';
  const words = ERROR_BITS_ZH[edition].filter((_, bit) => ((word >> bit) & 1) === 1);
  return `错误信息字 ${word.toString(16).toUpperCase().padStart(2, '0')}（${words.join('、') || '无置位'}）`;
}
