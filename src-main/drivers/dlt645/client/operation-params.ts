/** Parameters that operations on meters share, and what becomes of them. */

import { z } from 'zod';
import { invalidField } from '#shared/domain/errors.ts';
import type { SettingMeta } from '#shared/domain/setting-meta.ts';
import { say } from '#shared/messages/index.ts';
import { type Message, names } from '#shared/messages/message.ts';
import { schemaWords } from '#shared/messages/schema-words.ts';
import type { Edition } from '../codec/control.ts';
import type { ItemFormat } from '../codec/format.ts';
import { parseFormat } from '../codec/format.ts';
import { type DataItem, diText, findItem } from '../dictionary/dictionary.ts';

/** Twelve digits of one meter; broadcasts and wildcards are none. */
export const meterNumber = z
  .string()
  .trim()
  .regex(/^(?!9{12})\d{12}$/, { error: schemaWords(say('dlt645.meter_digits')) });

/** Names meters of the line. */
export const SLAVE = { names: 'slave' } as const satisfies SettingMeta;

/** The meter that an operation is for; it stays the same from one operation to the next. */
export const meter = meterNumber.describe('meter number, 12 digits').meta({ ...SLAVE, stays: true } satisfies SettingMeta);

export const edition = z.literal([2007, 1997]).default(2007).describe('edition of the standard the meter speaks');

/** A level that is asked for by somebody; left out, the usual one of the operation. */
export const level = (usual: number) =>
  z.int().min(0).max(9).optional().describe(`level of the password; left out: 0${usual}, or the next smaller one whose password is set`);

/** A moment in the local time of the meters. */
export const localTime = z
  .string()
  .trim()
  .regex(/^20\d\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d$/, { error: schemaWords(say('dlt645.local_time')) });

/** Digits YYMMDDhhmmss of a written moment. Throws `CONFIG_INVALID` for a day or time that the calendar has not. */
export function timeDigits(text: string, path: string): string {
  const at = Date.parse(`${text.replace(' ', 'T')}Z`);
  const iso = Number.isNaN(at) ? '' : new Date(at).toISOString().slice(0, 19);
  if (iso !== text.replace(' ', 'T')) throw invalidField(`params.${path}`, say('dlt645.no_moment', { written: text }));
  return localDigits(at);
}

/** Local milliseconds as digits YYMMDDhhmmss. */
export function localDigits(localMs: number): string {
  return new Date(localMs).toISOString().slice(2, 19).replaceAll(/\D/g, '');
}

/** Digits YYMMDDhhmmss as people read them: `2026-03-05 14:40:00`. */
export function shownTime(digits: string): string {
  const [year, month, day, hour, minute, second] = digits.match(/../g) ?? [];
  return `20${year}-${month}-${day} ${hour}:${minute}:${second}`;
}

/** An identifier as people write it. */
export const identifier = z
  .string()
  .trim()
  .regex(/^(?:0x)?(?:[\dA-Fa-f]{8}|[\dA-Fa-f]{4})$/, { error: schemaWords(say('dlt645.identifier_form')) });

/** The number of a written identifier. Throws `CONFIG_INVALID` where its digits are those of the other edition. */
export function identifierOf(text: string, of: Edition): number {
  const digits = text.replace(/^0x/, '');
  if (digits.length === (of === 2007 ? 8 : 4)) return Number.parseInt(digits, 16);
  const asked = { edition: of, digits: of === 2007 ? 8 : 4, count: digits.length };
  throw invalidField('params.identifier', say('dlt645.identifier_digits', asked));
}

/** What is known of an item that is to be written, and its format. Throws `CONFIG_INVALID` for what cannot be written so. */
export function writableItem(
  di: number,
  of: Edition,
  written: string | undefined,
): { readonly item: DataItem | null; readonly format: ItemFormat } {
  const item = findItem(of, di);
  const refuse = (path: string, said: Message) => invalidField(`params.${path}`, said);
  if (item && !item.isReadable) throw refuse('identifier', say('dlt645.param_password'));
  const own = written === undefined || written.trim() === '' ? null : parseFormat(written);
  if (written !== undefined && written.trim() !== '' && !own) throw refuse('format', say('dlt645.param_format', { written }));
  if (own) return { item, format: own };
  if (!item) throw refuse('format', say('dlt645.param_no_format', { di: diText(di, of), edition: of }));
  if (!item.isWritable)
    throw refuse('identifier', say('dlt645.param_only_read', { di: diText(di, of), name: names(item.nameEn, item.nameZh) }));
  return { item, format: item.format };
}
