/** Data sets of a device by name: their values, leaf by leaf, and the points of the table among them. */
import { AppError, toAppError } from '#shared/domain/errors.ts';
import type { DataSetAccess, DataSetReading, ExchangeContext, PointConfig } from '../spi.ts';
import type { MmsClient } from './association/mms-client.ts';
import { type BoundPoint, bindPoints } from './binding.ts';
import type { ChannelMemory } from './channel-memory.ts';
import { isTooMuch } from './client-reads.ts';
import { type DataSetLayout, type FailedMember, layoutOf, readMembers } from './data-set-layout.ts';
import { halves, readInParts } from './data-set-parts.ts';
import { readDirectory } from './learn.ts';
import { dataSetName } from './model/references.ts';
import { dataSetObject } from './object-names.ts';
import type { ItemResult } from './reading.ts';

export interface DataSetsOptions {
  readonly client: Pick<MmsClient, 'request' | 'negotiated'>;
  readonly memory: ChannelMemory;
  /** Time limit of a directory, in milliseconds. */
  readonly timeoutMs: number;
  points(): readonly PointConfig[];
  /** A line for the event log: members that have no value, once for the same ones. */
  notice(text: string): void;
}

/** How a data set is read. */
interface Reader {
  readonly layout: DataSetLayout;
  /** The members, and parts of them, in the requests that the device can answer; null while it gives the data set as a whole. */
  readonly parts: readonly (readonly string[])[] | null;
}

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

  async read(asked: string, context: ExchangeContext): Promise<DataSetReading> {
    const name = dataSetName(asked) ?? asked;
    const object = dataSetObject(name);
    const reader = await this.#reader(name, context);
    const { layout, parts } = reader;
    if (parts) return this.#readParts(name, parts, context, reader);
    let results: readonly ItemResult[];
    try {
      const spec = { kind: 'list', name: object } as const;
      const request = { service: 'read', spec, withSpecification: false } as const;
      results = (await this.#options.client.request(request, { signal: context.signal })).results;
    } catch (thrown) {
      const error = toAppError(thrown);
      if (!isTooMuch(error) || layout.members.length === 0 || context.isStopping()) throw error;
      return this.#readParts(name, halves(layout.members), context);
    }
    return this.#reading(name, layout, results);
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
    const isSame = known !== null && done.parts.length === parts.length;
    const reader = isSame ? known : { layout: this.#layout(done.parts.flat()), parts: done.parts };
    this.#readers.set(name, reader);
    return this.#reading(name, reader.layout, done.results);
  }

  #reading(name: string, layout: DataSetLayout, results: readonly ItemResult[]): DataSetReading {
    const { members } = layout;
    if (results.length !== members.length) {
      this.#readers.delete(name);
      this.#changedSets.add(name);
      throw new AppError('PROTOCOL_MISMATCH', `Data set ${name} has ${members.length} members, and ${results.length} values came.`);
    }
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
    const more = failed.length > 1 ? ` and ${failed.length - 1} more` : '';
    this.#options.notice(`Data set ${name}: ${first.member}${more} could not be read. ${first.error.message}`);
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
    const made = { layout: this.#layout(await this.#members(name, context)), parts: null };
    this.#readers.set(name, made);
    return made;
  }

  /** Members from the model; a data set that it does not have is asked for. */
  async #members(name: string, context: ExchangeContext): Promise<readonly string[]> {
    const { client, memory, timeoutMs } = this.#options;
    const { device } = memory.model;
    const isTrusted = device !== null && !this.#changedSets.has(name);
    const known = isTrusted ? memory.model.dataSets().find((set) => set.name === name) : undefined;
    if (known) return known.members;
    return (await readDirectory(client, dataSetObject(name), { timeoutMs, signal: context.signal })).members;
  }

  #layout(members: readonly string[]): DataSetLayout {
    const { memory, points } = this.#options;
    const { index } = memory.model;
    this.#bound ??= bindPoints(points(), index.model.devices.length > 0 ? index : null).bound;
    return layoutOf(members, index, this.#bound);
  }
}
