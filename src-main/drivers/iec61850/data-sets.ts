/** Data sets of a device by name: their values, leaf by leaf, and the points of the table among them. */

import { AppError, toAppError } from '#shared/domain/errors.ts';
import { firstOf, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { Clock } from '../../platform/clock.ts';
import type { DataSetAccess, DataSetReading, ExchangeContext, PointFailure } from '../spi/index.ts';
import type { MmsClient } from './association/mms-client.ts';
import { isTooMuch, isUnusable, refusalOf } from './association/refusals.ts';
import type { BoundTable } from './bound-table.ts';
import type { ChannelMemory } from './channel-memory.ts';

import {
  type DataSetLayout,
  type FailedMember,
  isSameOrder,
  isWholeMember,
  layoutOf,
  leavesOf,
  membersCount,
  memberType,
  otherMembers,
  readMembers,
} from './data-set-layout.ts';
import { halves, readInParts } from './data-set-parts.ts';
import { readDirectory } from './learn.ts';
import { suitAll } from './mms/type-check.ts';
import type { MmsResult } from './mms/types.ts';
import { describedMembers } from './model/differences.ts';
import type { DataSet } from './model/ied-model.ts';
import { dataSetName } from './model/references.ts';
import { dataSetObject } from './object-names.ts';
import type { ItemResult } from './reading.ts';
import { readList } from './reads.ts';
import { requireGoing } from './writing.ts';

/** Members without a value that the event log names. */
const MOST_TOLD = 5;

export interface DataSetsOptions {
  readonly client: Pick<MmsClient, 'request' | 'negotiated'>;
  readonly memory: ChannelMemory;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** Time limit of a directory, in milliseconds. */
  readonly timeoutMs: number;
  readonly table: BoundTable;
  /** Waits, bounded, while the model is learnt; throws why it is not known. */
  learnt(signal: AbortSignal): Promise<void>;
  /** Puts a data set into the model of its logical device; false where the model has no such device. */
  add(domain: string, set: DataSet): boolean;
  /** A line for the event log: members that have no value, once for the same ones. */
  notice(said: Message): void;
}

/** How a data set is read. */
interface Reader {
  readonly layout: DataSetLayout;
  /**
   * The members, and parts of them, in the requests that the device can answer; null while it gives the data set as a whole, and
   * all of them may be read so (`isWholeMember`).
   */
  readonly parts: readonly (readonly string[])[] | null;
  /** What the device told of the members. */
  readonly told: Members;
}

interface Members {
  /** `LD/LN$FC$DO[$DA]` in order. */
  readonly members: readonly string[];
  /** True for a data set that a client can make anew: its members are asked for with each read. Null where the device cannot tell them. */
  readonly isDeletable: boolean | null;
}

export class DeviceDataSets implements DataSetAccess {
  readonly #options: DataSetsOptions;
  #readers = new Map<string, Reader>();
  #revision = -1;
  /** Sets that were found by their names and have no place in the model. */
  readonly #found = new Set<string>();
  /** Sets that turned out to have other members than the model says; they are asked for. */
  #changedSets = new Set<string>();
  /** What was last told about members without a value, by data set. */
  readonly #told = new Map<string, string>();

  constructor(options: DataSetsOptions) {
    this.#options = options;
  }

  names(): readonly string[] {
    const listed = this.#options.memory.model.dataSets().map(({ name }) => name);
    return this.#found.size === 0 ? listed : [...new Set([...listed, ...this.#found])];
  }

  async find(asked: string, context: ExchangeContext): Promise<boolean> {
    const name = dataSetName(asked);
    if (name === null) return false;
    let told: Members & { readonly isDeletable: boolean };
    try {
      told = await this.#directory(name, context);
    } catch (thrown) {
      const error = toAppError(thrown);
      if (refusalOf(error) === null || isTooMuch(error)) throw error;
      return false;
    }
    const object = dataSetObject(name);
    const isListed = object.scope === 'domain' && this.#options.add(object.domain, { item: object.item, ...told });
    if (!isListed) this.#found.add(name);
    return true;
  }

  learnt(signal: AbortSignal): Promise<void> {
    return this.#options.learnt(signal);
  }

  pointIds(asked: string): readonly number[] {
    const reader = this.#readers.get(dataSetName(asked) ?? asked);
    return reader?.layout.slots.map(({ bound }) => bound.point.id) ?? [];
  }

  /** The point table or the model changed. */
  changed(): void {
    this.#readers = new Map();
  }

  read(asked: string, context: ExchangeContext): Promise<DataSetReading> {
    return this.#read(dataSetName(asked) ?? asked, context, null);
  }

  async #read(name: string, context: ExchangeContext, before: Reader | null): Promise<DataSetReading> {
    const { client, memory } = this.#options;
    const reader = await this.#reader(name, context);
    const { layout, parts, told } = reader;
    if (parts) {
      const other = before ? null : await this.#otherDirectory(name, told, context);
      if (other) return this.#readAnew(name, reader, other, context);
      return withoutLeft(before, reader, await this.#readParts(name, parts, context, reader));
    }
    let results: readonly MmsResult[];
    try {
      results = await readList(client, dataSetObject(name), memory.limits, context);
    } catch (thrown) {
      const error = toAppError(thrown);
      if ((!isTooMuch(error) && !isUnusable(error)) || layout.members.length === 0 || context.isStopping()) throw error;
      return withoutLeft(before, reader, await this.#readParts(name, halves(layout.members), context, reader));
    }
    const other = await this.#otherMembers(name, reader, results, context);
    if (other === null) return withoutLeft(before, reader, this.#reading(name, layout, results));
    if (context.isStopping() || (before && layout.members.length === 0)) {
      this.#forget(name);
      throw other;
    }
    if (before === null) return this.#readAnew(name, reader, other, context);
    this.#forget(name);
    return withoutLeft(before, reader, await this.#readParts(name, halves(layout.members), context, reader));
  }

  /** With the members that the device tells now: those that are known are not what it has. */
  #readAnew(name: string, before: Reader, other: AppError, context: ExchangeContext): Promise<DataSetReading> {
    this.#forget(name);
    // of a data set that clients may make anew, each read is checked
    if (before.told.isDeletable !== true) this.#options.notice(other.said);
    return this.#read(name, context, before);
  }

  #forget(name: string): void {
    this.#readers.delete(name);
    this.#changedSets.add(name);
  }

  /**
   * Why these values are none of the members that are known: their number, their types, or what the device says behind them of its members. Then these
   * are asked for once; where they still do not fit, they are read by their names. Null where they are.
   */
  async #otherMembers(name: string, reader: Reader, results: readonly MmsResult[], context: ExchangeContext): Promise<AppError | null> {
    const { members, types } = reader.layout;
    if (results.length !== members.length) {
      return membersCount(name, members.length, results.length);
    }
    return suitAll(types, results) ? this.#otherDirectory(name, reader.told, context) : otherMembers(name);
  }

  /** The members as the device tells them now, where that is due: with each read of a data set that a client can make anew, now and then of another one. Null where they are the known ones. */
  async #otherDirectory(name: string, told: Members, context: ExchangeContext): Promise<AppError | null> {
    const { memory, clock } = this.#options;
    const { isDeletable } = told;
    if (isDeletable === null || (!isDeletable && !memory.setProofs.isDue(name, clock.monotonicMs()))) return null;
    requireGoing(context);
    const { members } = await this.#directory(name, context);
    return isSameOrder(members, told.members) ? null : new AppError('PROTOCOL_MISMATCH', say('iec61850.members_changed', { name }));
  }

  /** Members, or parts of members, as variables, when the device cannot give the data set in one PDU. How it can is remembered. */
  async #readParts(name: string, parts: readonly (readonly string[])[], context: ExchangeContext, known: Reader): Promise<DataSetReading> {
    const { client, memory, table } = this.#options;
    const readers = this.#readers;
    const done = await readInParts(parts, { client, memory }, context);
    const isSame = parts === known.parts && done.parts.length === parts.length && done.parts.every((part, place) => part === parts[place]);
    const bound = isSame ? null : await table.inTurns(context.signal);
    const layout = bound === null ? known.layout : layoutOf(done.parts.flat(), memory.model.index, bound);
    const reader = isSame ? known : { layout, parts: done.parts, told: known.told };
    // the table may have changed meanwhile: what was made of it before is not kept
    if (readers === this.#readers) readers.set(name, reader);
    return this.#reading(name, reader.layout, done.results);
  }

  #reading(name: string, layout: DataSetLayout, results: readonly ItemResult[]): DataSetReading {
    const { values, readings, failed } = readMembers(layout, results, this.#options.memory.model.index);
    this.#tell(name, failed);
    return { values, readings };
  }

  #tell(name: string, failed: readonly FailedMember[]): void {
    const [first] = failed;
    const text = failed.map(({ member, error }) => `${member} ${error.message}`).join();
    if (text === (this.#told.get(name) ?? '')) return;
    this.#told.set(name, text);
    if (!first) return;
    const names = firstOf(
      failed.map(({ member }) => member),
      MOST_TOLD,
    );
    this.#options.notice(say('iec61850.members_unread', { name, names, reason: first.error.said }));
  }

  /** Anew where table or model change meanwhile: places in one model are none in another. */
  async #reader(name: string, context: ExchangeContext): Promise<Reader> {
    const { memory, table } = this.#options;
    for (;;) {
      this.#lookAtModel();
      const readers = this.#readers;
      const known = readers.get(name);
      if (known) return known;
      const told = await this.#members(name, context);
      const bound = await table.inTurns(context.signal);
      if (readers !== this.#readers || memory.model.revision !== this.#revision) continue;
      const { index } = memory.model;
      // by name until it is known that the places are right
      const members = told.members.flatMap((member) => (memory.isProven(member) ? [member] : leavesOf(member, memberType(index, member))));
      const isWhole = members.length === told.members.length && members.every((member) => isWholeMember(member, index));
      const made = { layout: layoutOf(members, index, bound), parts: isWhole ? null : [members], told };
      readers.set(name, made);
      return made;
    }
  }

  /** Of another model than before nothing is known. */
  #lookAtModel(): void {
    const { revision } = this.#options.memory.model;
    if (revision === this.#revision) return;
    this.changed();
    this.#changedSets = new Set();
    this.#revision = revision;
  }

  /** Members from the model; a data set that it does not have is asked for, and taken from the file where they do not fit an answer. */
  async #members(name: string, context: ExchangeContext): Promise<Members> {
    const { client, memory } = this.#options;
    const { device } = memory.model;
    const isTrusted = device !== null && !this.#changedSets.has(name);
    const known = isTrusted ? memory.model.index.dataSet(name) : null;
    if (known && known.members.length > 0) return known;
    try {
      return await this.#directory(name, context);
    } catch (thrown) {
      const error = toAppError(thrown);
      const object = dataSetObject(name);
      const isListed = isTooMuch(error) && object.scope === 'domain';
      const described = isListed ? describedMembers(memory.model.index, object.domain, object.item) : null;
      if (described) return { members: described, isDeletable: null };
      throw isTooMuch(error) ? unlistable(name, client.negotiated?.maxPduOctets ?? 0, error) : error;
    }
  }

  async #directory(name: string, { signal }: ExchangeContext): Promise<Members & { readonly isDeletable: boolean }> {
    const { client, timeoutMs, memory, clock } = this.#options;
    const told = await readDirectory(client, dataSetObject(name), { timeoutMs, signal });
    memory.setProofs.told(name, clock.monotonicMs());
    return told;
  }
}

/** With a word for the points that were read from the data set before and are no members any more: what they have may be of another one. */
function withoutLeft(before: Reader | null, { layout }: Reader, reading: DataSetReading): DataSetReading {
  if (before === null) return reading;
  const still = new Set(layout.slots.map(({ bound }) => bound.point.id));
  const error = new AppError('PROTOCOL_MISMATCH', say('iec61850.member_left'));
  const left = before.layout.slots.flatMap(({ bound: { point } }): PointFailure[] =>
    still.has(point.id) ? [] : [{ kind: 'failure', pointId: point.id, error }],
  );
  return left.length === 0 ? reading : { ...reading, readings: [...reading.readings, ...left] };
}

/** The names of the members are too long for an answer, and MMS has no way to ask for a part of them. */
function unlistable(name: string, octets: number, cause: AppError): AppError {
  const said = say('iec61850.set_unlistable', { name, octets, reason: cause.said });
  return new AppError(cause.code, said, { cause, ...(cause.data === undefined ? {} : { data: cause.data }) });
}
