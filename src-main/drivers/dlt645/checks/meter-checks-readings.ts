/** Reads of the meter checks: numbers of items and blocks, and why there are none. */

import { AppError, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { type Message, names } from '#shared/messages/message.ts';
import type { ExchangeContext } from '../../spi/index.ts';
import { BadValue, bcdDigits, isAllFf } from '../codec/bcd.ts';
import { errorWordMessage } from '../codec/control.ts';
import { decodeElement, type ItemFormat } from '../codec/format.ts';
import { formatFor, splitElements } from '../codec/items.ts';
import { diText, findItem } from '../dictionary/dictionary.ts';
import type { MeterTarget } from '../meter-request.ts';
import { isReason } from './meter-checks-rows.ts';

/** The answer of a meter to a read: its data without the identifier, or its error word. */
export type ReadEnd = { readonly kind: 'data'; readonly data: Uint8Array } | { readonly kind: 'refused'; readonly word: number | null };

/** Reads one identifier with all its frames. Throws what failed. */
export type ReadItem = (target: MeterTarget, di: number, context: ExchangeContext) => Promise<ReadEnd>;

/** What was read: elements in order, null where the meter has no such phase or rate; or why there is nothing, in words. */
export type Numbers =
  | { readonly kind: 'numbers'; readonly values: readonly (number | null)[] }
  | { readonly kind: 'none'; readonly reason: Message };

/** A meter that leaves so many reads unanswered, and has answered none, is not asked further. */
const MOST_SILENT = 2;

/** Reads of one meter; it gives up a meter that does not answer. */
export class CheckReader {
  readonly #target: MeterTarget;
  readonly #read: ReadItem;
  readonly #context: ExchangeContext;
  #answers = 0;
  #silent = 0;

  constructor(target: MeterTarget, read: ReadItem, context: ExchangeContext) {
    this.#target = target;
    this.#read = read;
    this.#context = context;
  }

  /** True once the meter has answered anything. */
  get hasAnswered(): boolean {
    return this.#answers > 0;
  }

  /** First parts of the elements of an identifier, as numbers. */
  async numbers(di: number): Promise<Numbers> {
    const values = await this.#each(di, (bytes, format) => decodeElement(bytes, format)[0]?.value ?? null);
    return isReason(values) ? { kind: 'none', reason: values } : { kind: 'numbers', values };
  }

  /** The number of an item of one element; null where the meter has no value, a reason where there is none. */
  async number(di: number): Promise<number | null | Message> {
    const read = await this.numbers(di);
    return read.kind === 'none' ? read.reason : (read.values[0] ?? null);
  }

  /** The digits of a date or time in the order of its format; a reason where there are none. */
  async digits(di: number): Promise<{ readonly digits: string } | Message> {
    const texts = await this.#each(di, (bytes) => (isAllFf(bytes) ? null : bcdDigits(bytes)));
    if (isReason(texts)) return texts;
    const [digits] = texts;
    return digits ? { digits } : say('dlt645.check_no_value', { item: this.#item(di) });
  }

  /** A block in one read, or its items one by one where the meter has no block. */
  async block(blockDi: number | null, items: readonly number[]): Promise<Numbers> {
    const whole = blockDi === null ? null : await this.numbers(blockDi);
    if (whole?.kind === 'numbers') return whole;
    const values: (number | null)[] = [];
    for (const di of items) {
      const read = await this.number(di);
      if (isReason(read)) return { kind: 'none', reason: read };
      values.push(read);
    }
    return { kind: 'numbers', values };
  }

  #item(di: number): Message {
    const { edition } = this.#target;
    const item = findItem(edition, di);
    return say('dlt645.item', { di: diText(di, edition), name: item ? names(item.nameEn, item.nameZh) : names('unknown', '未知') });
  }

  /** What `take` makes of each element of an identifier; a reason where there is none. */
  async #each<T>(di: number, take: (bytes: Uint8Array, format: ItemFormat) => T): Promise<readonly T[] | Message> {
    const { edition, address } = this.#target;
    const item = findItem(edition, di);
    if (!item) throw new AppError('INTERNAL', say('dlt645.not_in_dictionary', { di: diText(di, edition) }));
    if (this.#silent >= MOST_SILENT && this.#answers === 0) return say('dlt645.check_silent', { meter: address });
    if (this.#context.isStopping()) throw new AppError('CANCELLED', say('dlt645.checks_stopped'));
    try {
      const end = await this.#read(this.#target, di, this.#context);
      this.#answers += 1;
      if (end.kind === 'refused') {
        return say('dlt645.check_refused', { error: errorWordMessage(end.word, edition), item: this.#item(di) });
      }
      const format = item.elements === 1 ? formatFor(end.data.length, item.format, edition) : item.format;
      return splitElements(end.data, format, item.elements === 1 ? 1 : null).map((bytes) => take(bytes, format));
    } catch (thrown) {
      if (thrown instanceof BadValue) {
        return say('dlt645.check_no_number', { item: this.#item(di), reason: thrown.said });
      }
      const error = toAppError(thrown);
      if (error.code !== 'TIMEOUT_RESPONSE' && !error.code.startsWith('FRAME_')) throw error;
      this.#silent += 1;
      return error.said;
    }
  }
}
