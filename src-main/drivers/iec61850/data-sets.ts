/** Data sets of a device by name: their values, leaf by leaf, and the points of the table among them. */

import { AppError, toAppError } from '#shared/domain/errors.ts';
import { firstOf, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { DataSetAccess, DataSetReading, ExchangeContext, PointConfig } from '../spi/index.ts';
import type { MmsClient } from './association/mms-client.ts';
import { isTooMuch, isUnusable } from './association/refusals.ts';
import { type BoundPoint, bindPoints } from './binding.ts';
import type { ChannelMemory } from './channel-memory.ts';

import { type DataSetLayout, type FailedMember, isWholeMember, layoutOf, otherMembers, readMembers } from './data-set-layout.ts';
import { halves, readInParts } from './data-set-parts.ts';
import { readDirectory } from './learn.ts';
import { suitAll } from './mms/type-check.ts';
import type { MmsResult } from './mms/types.ts';
import { describedMembers } from './model/differences.ts';
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
  /** Time limit of a directory, in milliseconds. */
  readonly timeoutMs: number;
  points(): readonly PointConfig[];
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
  /** False for a data set that a client can make anew with other members: these are asked for with each read. */
  readonly isFixed: boolean;
}

/** Members of a data set, and whether they stay as they are. */
type Members = Pick<Reader, 'isFixed'> & { readonly members: readonly string[] };

export class DeviceDataSets implements DataSetAccess {
  readonly #options: DataSetsOptions;
  #readers = new Map<string, Reader>();
  #bound: readonly BoundPoint[] | null = null;
  #revision = -1;
  /** Sets that turned out to have other members than the model says; they are asked for. */
  #changedSets = new Set<string>();
  /** What was last told about members without a value, by data set. */
  readonly #told = new Map<string, string>();

  constructor(options: DataSetsOptions) {
    this.#options = options;
  }

  names(): readonly string[] {
    return this.#options.memory.model.dataSets().map(({ name }) => name);
  }

  /** The point table or the model changed. */
  changed(): void {
    this.#readers = new Map();
    this.#bound = null;
  }

  read(asked: string, context: ExchangeContext): Promise<DataSetReading> {
    return this.#read(dataSetName(asked) ?? asked, context, false);
  }

  async #read(name: string, context: ExchangeContext, isAgain: boolean): Promise<DataSetReading> {
    const { client, memory } = this.#options;
    const reader = await this.#reader(name, context);
    const { layout, parts } = reader;
    if (parts) return this.#readParts(name, parts, context, reader);
    let results: readonly MmsResult[];
    try {
      results = await readList(client, dataSetObject(name), memory.limits, context);
    } catch (thrown) {
      const error = toAppError(thrown);
      if ((!isTooMuch(error) && !isUnusable(error)) || layout.members.length === 0 || context.isStopping()) throw error;
      return this.#readParts(name, halves(layout.members), context);
    }
    const other = await this.#otherMembers(name, reader, results, context);
    if (other === null) return this.#reading(name, layout, results);
    this.#readers.delete(name);
    this.#changedSets.add(name);
    if (context.isStopping() || (isAgain && layout.members.length === 0)) throw other;
    return isAgain ? this.#readParts(name, halves(layout.members), context) : this.#read(name, context, true);
  }

  /**
   * Why these values are none of the members that are known: their number, their types, or what the device says behind them of a data set that is not
   * part of its configuration. Then the members are asked for once; where they still do not fit, they are read by their names. Null where they are.
   */
  async #otherMembers(name: string, reader: Reader, results: readonly MmsResult[], context: ExchangeContext): Promise<AppError | null> {
    const { members, types } = reader.layout;
    if (results.length !== members.length) {
      return new AppError('PROTOCOL_MISMATCH', say('iec61850.members_count', { name, members: members.length, count: results.length }));
    }
    if (!suitAll(types, results)) return otherMembers(name);
    if (reader.isFixed) return null;
    requireGoing(context);
    const now = await this.#directory(name, context);
    return now.members.length === members.length && now.members.every((member, place) => member === members[place])
      ? null
      : otherMembers(name);
  }

  /** Members, or parts of members, as variables, when the device cannot give the data set in one PDU. How it can is remembered. */
  async #readParts(
    name: string,
    parts: readonly (readonly string[])[],
    context: ExchangeContext,
    known: Reader | null = null,
  ): Promise<DataSetReading> {
    const { client, memory } = this.#options;
    const done = await readInParts(parts, { client, memory }, context);
    const isSame = known !== null && done.parts.length === parts.length && done.parts.every((part, place) => part === parts[place]);
    const reader = isSame ? known : { layout: this.#layout(done.parts.flat()), parts: done.parts, isFixed: true };
    this.#readers.set(name, reader);
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

  async #reader(name: string, context: ExchangeContext): Promise<Reader> {
    const { memory } = this.#options;
    if (memory.model.revision !== this.#revision) {
      this.changed();
      this.#changedSets = new Set();
      this.#revision = memory.model.revision;
    }
    const known = this.#readers.get(name);
    if (known) return known;
    const { members, isFixed } = await this.#members(name, context);
    const isWhole = members.every((member) => isWholeMember(member, memory.model.index));
    const made = { layout: this.#layout(members), parts: isWhole ? null : [members], isFixed };
    this.#readers.set(name, made);
    return made;
  }

  /** Members from the model; a data set that it does not have is asked for, and taken from the file where they do not fit an answer. */
  async #members(name: string, context: ExchangeContext): Promise<Members> {
    const { client, memory } = this.#options;
    const { device } = memory.model;
    const isTrusted = device !== null && !this.#changedSets.has(name);
    const known = isTrusted ? memory.model.dataSets().find((set) => set.name === name) : undefined;
    // where the device could not tell whether it is deletable it cannot tell the members either
    if (known && known.members.length > 0) return { members: known.members, isFixed: known.isDeletable !== true };
    try {
      return await this.#directory(name, context);
    } catch (thrown) {
      const error = toAppError(thrown);
      const object = dataSetObject(name);
      const isListed = isTooMuch(error) && object.scope === 'domain';
      const described = isListed ? describedMembers(memory.model.index, object.domain, object.item) : null;
      if (described) return { members: described, isFixed: true };
      throw isTooMuch(error) ? unlistable(name, client.negotiated?.maxPduOctets ?? 0, error) : error;
    }
  }

  async #directory(name: string, { signal }: ExchangeContext): Promise<Members> {
    const { client, timeoutMs } = this.#options;
    const { members, isDeletable } = await readDirectory(client, dataSetObject(name), { timeoutMs, signal });
    return { members, isFixed: !isDeletable };
  }

  #layout(members: readonly string[]): DataSetLayout {
    const { memory, points } = this.#options;
    const { index } = memory.model;
    this.#bound ??= bindPoints(points(), index.model.devices.length > 0 ? index : null).bound;
    return layoutOf(members, index, this.#bound);
  }
}

/** The names of the members are too long for an answer, and MMS has no way to ask for a part of them. */
function unlistable(name: string, octets: number, cause: AppError): AppError {
  const said = say('iec61850.set_unlistable', { name, octets, reason: cause.said });
  return new AppError(cause.code, said, { cause, ...(cause.data === undefined ? {} : { data: cause.data }) });
}
