/** Data sets of a device by name: their values, leaf by leaf, and the points of the table among them. */
import { AppError, toAppError } from '#shared/domain/errors.ts';
import type { DataSetAccess, DataSetReading, ExchangeContext, PointConfig, PointReading } from '../spi.ts';
import type { MmsClient } from './association/mms-client.ts';
import { type BoundPoint, bindPoints, variableOf } from './binding.ts';
import type { ChannelMemory } from './channel-memory.ts';
import { isTooMuch, memberType } from './client-reads.ts';
import { readDirectory } from './learn.ts';
import type { MmsResult, MmsType, MmsValue } from './mms/types.ts';
import { attributeNotes } from './model/places.ts';
import { dataSetName, parseReference, splitIndex } from './model/references.ts';
import { jsonScalar, type Words } from './model/values.ts';
import { dataSetObject } from './object-names.ts';
import { type Slot, slotInMembers } from './read-units.ts';
import { accessError, readingOf } from './reading.ts';
import { requireGoing } from './writing.ts';

export interface DataSetsOptions {
  readonly client: Pick<MmsClient, 'request' | 'negotiated'>;
  readonly memory: ChannelMemory;
  /** Time limit of a directory, in milliseconds. */
  readonly timeoutMs: number;
  points(): readonly PointConfig[];
}

/** What a data set is read by; made once for a model and a point table. */
interface Reader {
  readonly members: readonly string[];
  readonly types: readonly (MmsType | null)[];
  readonly slots: readonly Slot[];
}

export class DeviceDataSets implements DataSetAccess {
  readonly #options: DataSetsOptions;
  #readers = new Map<string, Reader>();
  #bound: readonly BoundPoint[] | null = null;
  #revision = -1;
  /** Sets that turned out to have other members than the model says; they are asked for. */
  #changedSets = new Set<string>();

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
    const spec = { kind: 'list', name: object } as const;
    try {
      const { results } = await this.#options.client.request(
        { service: 'read', spec, withSpecification: false },
        { signal: context.signal },
      );
      return this.#reading(name, reader, results);
    } catch (thrown) {
      const error = toAppError(thrown);
      if (!isTooMuch(error) || reader.members.length < 2 || context.isStopping()) throw error;
      return this.#reading(name, reader, await this.#memberByMember(reader.members, context));
    }
  }

  #reading(name: string, { members, types, slots }: Reader, results: readonly MmsResult[]): DataSetReading {
    if (results.length !== members.length) {
      this.#readers.delete(name);
      this.#changedSets.add(name);
      throw new AppError('PROTOCOL_MISMATCH', `Data set ${name} has ${members.length} members, and ${results.length} values came.`);
    }
    const values = new Map<string, unknown>();
    results.forEach((result, place) => {
      if (result.kind !== 'failure') this.#leaves(members[place] ?? '', result, types[place] ?? null, values);
    });
    const [first] = results;
    if (values.size === 0 && first?.kind === 'failure') throw accessError(first);
    const readings: PointReading[] = slots.map((slot) => readingOf(slot, results));
    return { values, readings };
  }

  /** Values of all leaves by `LD/LN$FC$DO$DA`; without a type the members of a structure have numbers. */
  #leaves(key: string, value: MmsValue, type: MmsType | null, values: Map<string, unknown>): void {
    if (value.kind === 'structure' || value.kind === 'array') {
      value.items.forEach((item, place) => {
        const component = type?.kind === 'structure' ? type.components[place] : undefined;
        const isElement = value.kind === 'array' || !component;
        const next = isElement ? `${key}(${place})` : `${key}$${component.name}`;
        this.#leaves(next, item, component?.type ?? (type?.kind === 'array' ? type.element : null), values);
      });
      return;
    }
    values.set(key, jsonScalar(value, this.#wordsOf(key, value)));
  }

  #wordsOf(key: string, value: MmsValue): Words {
    if (value.kind !== 'integer') return null;
    const reference = parseReference(key);
    if (!reference || reference.constraint === null) return null;
    const { index } = this.#options.memory.model;
    return attributeNotes(index.notes(reference.domain, reference.node), reference.constraint, reference.path)?.words ?? null;
  }

  /** Members as single variables, when the device cannot give the data set in one PDU: halves until they fit. */
  async #memberByMember(members: readonly string[], context: ExchangeContext): Promise<readonly MmsResult[]> {
    const middle = members.length >> 1;
    const results: MmsResult[] = [];
    for (const half of [members.slice(0, middle), members.slice(middle)]) {
      requireGoing(context);
      results.push(...(await this.#variables(half, context)));
    }
    return results;
  }

  async #variables(members: readonly string[], context: ExchangeContext): Promise<readonly MmsResult[]> {
    const items = members.map((member) => {
      const reference = parseReference(member);
      if (!reference) throw new AppError('PROTOCOL_MISMATCH', `"${member}" of the data set is no name of an attribute.`);
      return variableOf(reference.domain, reference.node, reference.constraint, reference.path);
    });
    try {
      const request = { service: 'read', spec: { kind: 'variables', items }, withSpecification: false } as const;
      return (await this.#options.client.request(request, { signal: context.signal })).results;
    } catch (thrown) {
      const error = toAppError(thrown);
      if (!isTooMuch(error) || members.length < 2) throw error;
      return this.#memberByMember(members, context);
    }
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
    const made = this.#makeReader(await this.#members(name, context));
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

  #makeReader(members: readonly string[]): Reader {
    const { memory, points } = this.#options;
    const { model } = memory;
    const types = members.map((member) => memberType(memory, member));
    this.#bound ??= bindPoints(points(), model.index.model.devices.length > 0 ? model.index : null).bound;
    const places = new Map(members.map((member, place) => [member, place]));
    const objects = new Set(
      members.map((member) =>
        member
          .split('$', 3)
          .map((part) => splitIndex(part).name)
          .join('$'),
      ),
    );
    const isNear = ({ domain, node, constraint, path }: BoundPoint) => objects.has(`${domain}/${node}$${constraint}$${path[0]}`);
    const slots = this.#bound.filter(isNear).flatMap((bound) => slotInMembers(bound, places, true) ?? []);
    return { members, types, slots };
  }
}
