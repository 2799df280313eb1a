/**
 * Enabling and disabling of report control blocks (IEC 61850-7-2, 17.2.3 and 17.2.4): reserved first, only attributes that differ, EntryID last, then
 * RptEna. What is enabled, reserved or owned by another is left alone; what was changed is put back.
 */
import { AppError, toAppError } from '#shared/domain/errors.ts';
import { firstOf, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { ExchangeContext } from '../../spi/index.ts';
import type { MmsClient } from '../association/mms-client.ts';
import { isTooMuch } from '../association/refusals.ts';
import type { ChannelMemory } from '../channel-memory.ts';
import { memberType } from '../data-set-layout.ts';
import { readDirectory } from '../learn.ts';
import type { MmsType, MmsValue } from '../mms/types.ts';
import { dataSetName } from '../model/references.ts';
import { dataSetObject } from '../object-names.ts';
import { requireGoing } from '../writing.ts';
import { OPTION, TRIGGER, wordsOf } from './bits.ts';
import { changesOf, type WantedChange } from './changes.ts';
import { type BlockPlace, blockPlace, type ControlBlock, readBlock, writeAttribute } from './control-block.ts';
import { unsureMembers } from './member-order.ts';
import type { ReportBook } from './report-book.ts';
import type { LastEntry, ReportRequest } from './report-memory.ts';
import { Subscription } from './subscription.ts';

export interface EnablingOptions {
  readonly client: Pick<MmsClient, 'request'>;
  readonly memory: ChannelMemory;
  readonly book: ReportBook;
  /** Time limit of the directory of a data set, in milliseconds. */
  readonly timeoutMs: number;
  notice(message: Message): void;
  /** A last entry is none any more. */
  onForgotten(): void;
}

/** How it ended. */
export type Enabled =
  | { readonly kind: 'enabled'; readonly subscription: Subscription; readonly isResumed: boolean; readonly notes: readonly Message[] }
  /** The device refused something; what had been changed was put back as far as the device let it. */
  | { readonly kind: 'refused'; readonly reason: Message };

/** Long enough for the writes that put a block back. */
const RESERVE_TO_PUT_BACK_S = 10;
const NO_ENTRY: MmsValue = { kind: 'octet-string', octets: new Uint8Array(8) };
const TRUE: MmsValue = { kind: 'boolean', value: true };
const FALSE: MmsValue = { kind: 'boolean', value: false };

/**
 * Enables a block. Throws `STATE_CONFLICT` for one that is not free, `CONFIG_INVALID` for what it cannot be enabled with, before anything is
 * written; `DEVICE_*` and what the association says.
 */
export async function enableReport(options: EnablingOptions, request: ReportRequest, context: ExchangeContext): Promise<Enabled> {
  return new Enabling(options, request, context).run();
}

class Enabling {
  readonly #options: EnablingOptions;
  readonly #request: ReportRequest;
  readonly #context: ExchangeContext;
  readonly #place: BlockPlace;

  constructor(options: EnablingOptions, request: ReportRequest, context: ExchangeContext) {
    this.#options = options;
    this.#request = request;
    this.#context = context;
    this.#place = blockPlace(request.key);
  }

  async run(): Promise<Enabled> {
    const { book, memory } = this.#options;
    const block = await readBlock(this.#options, this.#place, this.#context);
    if (book.of(block.key)) throw conflict(say('report.enabled_here', { block: block.reference }));
    requireFree(block, memory);
    const changes = changesOf(block, this.#request);
    const dataSet = dataSetName(this.#request.dataSet || block.text('DatSet'));
    if (dataSet === null) throw new AppError('CONFIG_INVALID', say('report.no_data_set', { block: block.reference }));
    const members = await this.#members(dataSet);
    const unsure = await unsureMembers(members, this.#options, this.#context);
    await book.ready(this.#context.signal);
    book.requireApart(block, this.#request.reportId || block.reportId, dataSet);
    requireGoing(this.#context);
    try {
      const refusal =
        (await reserveBlock(this.#options, block, this.#request.reserveS, this.#context)) ?? (await this.#change(block, changes));
      return refusal ? await this.#undone(block, refusal) : await this.#enable(block, changes.length > 0, { dataSet, members, unsure });
    } catch (thrown) {
      await this.#giveUp(block);
      throw thrown;
    }
  }

  /** As far as the association lets it; what is left is put back when the block is disabled by hand. */
  async #giveUp(block: ControlBlock): Promise<void> {
    const { book, memory } = this.#options;
    const isEnabled = book.of(block.key) !== null;
    book.remove(block.key);
    memory.reports.wanted.delete(block.key);
    // what was begun is put back also when the wait for it has ended
    const context = { ...this.#context, signal: new AbortController().signal };
    try {
      if (isEnabled) await writeAttribute(this.#options, this.#place, 'RptEna', FALSE, context);
      await putBack(this.#options, block, context);
    } catch {
      // the error that brought us here is the one to tell
    }
  }

  /** Members of the data set as the device has them now. */
  async #members(dataSet: string): Promise<readonly string[]> {
    const { client, timeoutMs, memory } = this.#options;
    try {
      return (await readDirectory(client, dataSetObject(dataSet), { timeoutMs, signal: this.#context.signal })).members;
    } catch (thrown) {
      const known = memory.model.dataSets().find(({ name }) => name === dataSet)?.members ?? [];
      const error = toAppError(thrown);
      if (!isTooMuch(error)) throw thrown;
      if (known.length > 0) return known;
      throw new AppError(error.code, say('report.unlistable', { set: dataSet, reason: error.said }), { cause: error });
    }
  }

  async #change(block: ControlBlock, changes: readonly WantedChange[]): Promise<Message | null> {
    for (const { name, value, before } of changes) {
      const refusal = await this.#write(name, value);
      if (refusal) return notWritten(block, name, refusal);
      this.#options.memory.reports.noteChange(block.key, name, before);
    }
    return null;
  }

  async #enable(
    before: ControlBlock,
    isChanged: boolean,
    set: { readonly dataSet: string; readonly members: readonly string[]; readonly unsure: ReadonlySet<string> },
  ): Promise<Enabled> {
    const { book, memory } = this.#options;
    // ConfRev changes with DatSet
    const block = isChanged ? await readBlock(this.#options, this.#place, this.#context) : before;
    const types = typesOf(set.members, memory, set.unsure);
    const subscription = new Subscription(block, { ...set, revision: block.number('ConfRev'), types });
    const start = block.isBuffered ? await this.#begin(subscription) : 'now';
    if (typeof start === 'object') return this.#undone(block, start);
    subscription.start = start;
    // the first report may come before the answer
    book.add(subscription);
    const refusal = await this.#write('RptEna', TRUE);
    if (refusal) {
      book.remove(block.key);
      return this.#undone(block, notWritten(block, 'RptEna', refusal));
    }
    // what the buffer took in while the line was lost is wanted, whatever was asked for first
    memory.reports.wanted.set(block.key, { ...this.#request, from: 'last' });
    // what did not change while the line was lost is in no entry, and its points are stale
    const note = this.#request.interrogate ? await interrogateBlock(this.#options, block, this.#context) : null;
    const unsure = unsureText(subscription);
    const notes = [note, unsure].filter((each) => each !== null);
    return { kind: 'enabled', subscription, isResumed: start === 'last', notes };
  }

  /** Where a buffered block begins: what was asked for as far as the device lets it, or why it refused to empty its buffer. */
  async #begin({ block, dataSet, revision, membersMark }: Subscription): Promise<ReportRequest['from'] | Message> {
    const { from } = this.#request;
    if (from === 'now' && block.typeOf('PurgeBuf')) {
      const refusal = await this.#write('PurgeBuf', TRUE);
      return refusal ? notWritten(block, 'PurgeBuf', refusal) : 'now';
    }
    if (!block.typeOf('EntryID')) return 'oldest';
    const last = this.#options.memory.reports.entries.get(block.key);
    const isSame = last?.reportId === block.reportId && last.dataSet === dataSet && last.revision === revision;
    if (from === 'last' && last && isSame && last.members !== membersMark) {
      if (await this.#emptied(block, dataSet, last)) return 'now';
    } else if (from === 'last' && last && isSame) {
      const refusal = await this.#write('EntryID', { kind: 'octet-string', octets: last.entryId });
      if (!refusal) return 'last';
      this.#options.notice(say('report.entry_unknown', { block: block.reference, reason: refusal }));
    }
    // one that refuses this as well begins with its oldest entry all the same
    await this.#write('EntryID', NO_ENTRY);
    return 'oldest';
  }

  /**
   * The last entry is one of other members, and so may be what the buffer still has; no value of it may be taken for one of the members there are now. Reports that name their members are
   * told apart; where they do not, the buffer is emptied. True when it was.
   */
  async #emptied(block: ControlBlock, set: string, { members }: LastEntry): Promise<boolean> {
    const params = { block: block.reference, set };
    const tell = (said: Message) => this.#options.notice(said);
    if (members === '') tell(say('report.entry_without_members', params));
    else if (wordsOf(OPTION, block.octets('OptFlds')).includes('data_reference')) tell(say('report.entry_of_others', params));
    else {
      const refusal = block.typeOf('PurgeBuf') ? await this.#write('PurgeBuf', TRUE) : say('report.no_purge');
      if (refusal === null) {
        this.#options.memory.reports.entries.delete(block.key);
        this.#options.onForgotten();
      }
      tell(refusal ? say('report.entry_of_others_kept', { ...params, reason: refusal }) : say('report.entry_of_others_purged', params));
      return refusal === null;
    }
    return false;
  }

  async #undone(block: ControlBlock, reason: Message): Promise<Enabled> {
    const left = await putBack(this.#options, block, this.#context);
    const params = { reason, left };
    return { kind: 'refused', reason: left.length === 0 ? say('report.undone', params) : say('report.not_undone', params) };
  }

  #write(name: string, value: MmsValue): Promise<Message | null> {
    return writeAttribute(this.#options, this.#place, name, value, this.#context);
  }
}

/** Types of members; null for one whose type is not known, or not for sure. */
export function typesOf(
  members: readonly string[],
  { model }: Pick<ChannelMemory, 'model'>,
  unsure: ReadonlySet<string>,
): (MmsType | null)[] {
  return members.map((member) => (unsure.has(member) ? null : memberType(model.index, member)));
}

/** What is told of members whose values are not taken; null where there are none. */
export function unsureText({ block, unsure }: Subscription): Message | null {
  if (unsure.size === 0) return null;
  return say('report.order_unknown', { block: block.reference, count: unsure.size, members: firstOf([...unsure]) });
}

/** Asks an enabled block for all its members; why it does not send them, null where it does or has no such attribute. */
export async function interrogateBlock(
  options: Pick<EnablingOptions, 'client'>,
  block: ControlBlock,
  context: ExchangeContext,
): Promise<Message | null> {
  if (!block.typeOf('GI')) return null;
  if (!wordsOf(TRIGGER, block.octets('TrgOps')).includes('general_interrogation')) return say('report.no_interrogation');
  const refusal = await writeAttribute(options, block.place, 'GI', TRUE, context);
  return refusal && say('report.not_interrogated', { reason: refusal });
}

/**
 * Disables a block that is enabled here, and puts back what was changed; also of one that is not enabled any more, when it is free. Answers names
 * of what could not be put back, or the refusal of the device to disable it. Throws `STATE_CONFLICT`, and what the association says.
 */
export async function disableReport(
  options: EnablingOptions,
  key: string,
  context: ExchangeContext,
): Promise<readonly Message[] | Message> {
  const { book, memory } = options;
  const place = blockPlace(key);
  const subscription = book.of(key);
  if (!subscription && !memory.reports.changed.has(key)) {
    throw conflict(say('report.not_enabled_here', { block: key }));
  }
  memory.reports.wanted.delete(key);
  if (!subscription) {
    const block = await readBlock(options, place, context);
    requireFree(block, memory);
    const refused = await reserveBlock(options, block, RESERVE_TO_PUT_BACK_S, context);
    return refused ?? putBack(options, block, context);
  }
  const { block } = subscription;
  const refusal = await writeAttribute(options, place, 'RptEna', FALSE, context);
  if (refusal) return notWritten(block, 'RptEna', refusal);
  book.remove(key);
  return putBack(options, block, context);
}

/** Puts attributes back in the reverse order, then gives the block free; names of what the device did not take. */
async function putBack(options: EnablingOptions, block: ControlBlock, context: ExchangeContext): Promise<Message[]> {
  const { reports } = options.memory;
  const left: Message[] = [];
  const changed = [...(reports.changed.get(block.key) ?? [])].reverse();
  for (const [name, value] of changed) {
    const refusal = await writeAttribute(options, block.place, name, value, context);
    if (refusal) left.push(say('common.issue', { path: name, message: refusal }));
    else reports.notePutBack(block.key, name);
  }
  const refusal = await releaseBlock(options, block, context);
  if (refusal) left.push(refusal);
  return left;
}

/**
 * Reserves a free block; the refusal of the device, null when it took it. Devices of edition 2.1 insist on it, earlier ones reserve by the first
 * Write as well. A block without the attribute cannot be reserved.
 */
export async function reserveBlock(
  options: EnablingOptions,
  block: ControlBlock,
  seconds: number,
  context: ExchangeContext,
): Promise<Message | null> {
  const name = block.isBuffered ? 'ResvTms' : 'Resv';
  if (!block.typeOf(name)) return null;
  const value: MmsValue = block.isBuffered ? { kind: 'integer', value: seconds } : TRUE;
  const refusal = await writeAttribute(options, block.place, name, value, context);
  if (refusal) return notWritten(block, name, refusal);
  const { reserved } = options.memory.reports;
  reserved.set(block.key, '');
  if (block.isBuffered && block.typeOf('Owner')) reserved.set(block.key, (await readBlock(options, block.place, context)).owner);
  return null;
}

/** Gives a block free that was reserved here; the refusal of the device, null when it took it or nothing was reserved. */
export async function releaseBlock(options: EnablingOptions, block: ControlBlock, context: ExchangeContext): Promise<Message | null> {
  const { reserved } = options.memory.reports;
  if (!reserved.has(block.key)) return null;
  const [name, value] = block.isBuffered ? (['ResvTms', { kind: 'integer', value: 0 }] as const) : (['Resv', FALSE] as const);
  const refusal = await writeAttribute(options, block.place, name, value, context);
  if (refusal) return notWritten(block, name, refusal);
  reserved.delete(block.key);
  return null;
}

/** Throws `STATE_CONFLICT` for a block that another client has, or may have. */
export function requireFree(block: ControlBlock, { reports }: Pick<ChannelMemory, 'reports'>): void {
  const owner = block.owner === '' ? '' : say('report.owner', { owner: block.owner });
  const params = { block: block.reference, owner };
  if (block.is('RptEna')) throw conflict(say('report.taken_enabled', params));
  if (block.is('Resv')) throw conflict(say('report.taken_reserved', params));
  // a buffered block stays reserved for a while behind a lost connection
  if (block.isBuffered && reports.reserved.get(block.key) === block.owner) return;
  const seconds = block.number('ResvTms') ?? 0;
  if (seconds < 0) throw conflict(say('report.taken_configured', params));
  if (seconds > 0) throw conflict(say('report.taken_reserved', params));
  if (block.owner !== '') throw conflict(say('report.taken_owned', params));
}

function notWritten({ reference }: ControlBlock, name: string, reason: Message): Message {
  return say('report.nothing_on', { block: reference, name, reason });
}

function conflict(message: Message): AppError {
  return new AppError('STATE_CONFLICT', message);
}
