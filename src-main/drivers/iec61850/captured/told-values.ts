/** Attributes that a recorded conversation tells, put together to values with quality and time. */
import type { QualityFlag } from '#shared/domain/enums.ts';
import type { CapturedRead, CapturedValue } from '../../spi/index.ts';
import type { MmsResult, MmsValue } from '../mms/types.ts';
import { readQuality } from '../model/quality.ts';
import { formatReference } from '../model/references.ts';
import { timeQuality, utcMs } from '../model/time.ts';
import { misfit, plainValue } from '../model/values.ts';
import { type Attribute, AttributeNode, type AttributeVisitor } from './attribute-node.ts';
import { mayBeTaken, ownerOf, referenceOf, type ServedPlace, servedPlace } from './served-place.ts';
import type { ToldModel } from './told-model.ts';

/** Variables of which the parts are remembered, and attributes that become places: no more than are looked at in the end. */
const MOST_VARIABLES = 20_000;
const MOST_PLACES = 20_000;
const QUALITY_BITS = 13;

/** A variable that was told, `LD/LN$FC$DO…` with array elements as `name(3)`. */
export interface ToldVariable {
  readonly key: string;
  readonly result: MmsResult;
}

/** A data object with quality and time: what is told of it in one message, and what was told before. */
interface Owner {
  flags: readonly QualityFlag[];
  quality: readonly QualityFlag[];
  clock: readonly QualityFlag[];
  deviceMs: number | undefined;
  readonly values: Set<ToldPlace>;
}

interface ToldPlace extends ServedPlace {
  readonly owner: Owner | null;
  /** Number of the last message that told its value, and the value. */
  told: number;
  last: number;
}

/** What an attribute is. `other`: neither a value nor what belongs to one. */
type Leaf =
  | { readonly kind: 'quality' | 'time'; readonly owner: Owner }
  | { readonly kind: 'value'; readonly place: ToldPlace; readonly name: string }
  | { readonly kind: 'other' };

const OTHER: Leaf = { kind: 'other' };
const NO_FLAGS: readonly QualityFlag[] = Object.freeze([]);

/**
 * Quality belongs to all values of its object, also those that another message told: a report may bring it alone. Time belongs to what comes with it. What was
 * told of the same object in one message is put together whatever its order.
 */
export class ToldValues implements AttributeVisitor<Leaf> {
  readonly #model: ToldModel;
  #variables = new Map<string, AttributeNode<Leaf> | null>();
  #revision = 0;
  readonly #owners = new Map<string, Owner>();
  readonly #places = new Map<string, ToldPlace | null>();
  readonly #codes = new Set<string>();
  #message = 0;
  #unknown = 0;
  #found: [ToldPlace, number][] = [];
  #touched = new Set<Owner>();

  constructor(model: ToldModel) {
    this.#model = model;
  }

  /** Structures so far whose members have no names. */
  get unknownStructures(): number {
    return this.#unknown;
  }

  /** The values of a message. What was refused is none. */
  take(variables: readonly ToldVariable[]): CapturedRead {
    this.#message += 1;
    this.#found = [];
    this.#touched = new Set();
    for (const { key, result } of variables) if (result.kind !== 'failure') this.#variableOf(key)?.visit(result, this);
    const values = [...this.#qualified(), ...this.#requalified()];
    for (const owner of this.#touched) owner.deviceMs = undefined;
    return values;
  }

  leaf(leaf: Leaf, value: MmsValue): void {
    if (leaf.kind === 'value') this.#found.push([leaf.place, numberOf(value, leaf.place, leaf.name)]);
    else if (leaf.kind === 'quality') {
      leaf.owner.quality = readQuality(value).flags;
      this.#touched.add(leaf.owner);
    } else if (leaf.kind === 'time') {
      const clock = timeQuality(value)?.flags ?? NO_FLAGS;
      // that leap seconds are known says nothing of the value
      leaf.owner.clock = clock.filter((flag) => flag !== 'leap_second_known');
      leaf.owner.deviceMs = utcMs(value) ?? undefined;
      this.#touched.add(leaf.owner);
    }
  }

  unknown(): void {
    this.#unknown += 1;
  }

  #qualified(): CapturedValue[] {
    for (const owner of this.#touched) {
      const flags = [...owner.quality, ...owner.clock];
      if (flags.join() !== owner.flags.join()) owner.flags = flags;
    }
    return this.#found.map(([place, number]) => {
      place.told = this.#message;
      place.last = number;
      return capturedValue(place, number);
    });
  }

  /** Values that were told before, of objects whose quality came alone. */
  #requalified(): CapturedValue[] {
    return [...this.#touched].flatMap((owner) =>
      [...owner.values].flatMap((place) => (place.told > 0 && place.told < this.#message ? [capturedValue(place, place.last)] : [])),
    );
  }

  #variableOf(key: string): AttributeNode<Leaf> | null {
    if (this.#revision !== this.#model.revision) {
      this.#variables = new Map();
      this.#revision = this.#model.revision;
    }
    const known = this.#variables.get(key);
    if (known !== undefined) return known;
    if (this.#variables.size >= MOST_VARIABLES) this.#variables = new Map();
    const made = this.#makeVariable(key);
    this.#variables.set(key, made);
    return made;
  }

  #makeVariable(key: string): AttributeNode<Leaf> | null {
    const slash = key.indexOf('/');
    const [node = '', ...parts] = key.slice(slash + 1).split('$');
    if (slash <= 0 || node === '' || !mayBeTaken(parts)) return null;
    const domain = key.slice(0, slash);
    const type = this.#model.typeOf(domain, [node, ...parts]);
    return new AttributeNode({ domain, node, parts, type }, (attribute, value) => this.#leafOf(attribute, value));
  }

  #leafOf(attribute: Attribute, value: MmsValue): Leaf {
    const reference = referenceOf(attribute);
    if (!reference) return OTHER;
    const { domain, node, constraint, path } = reference;
    const name = path.at(-1);
    const owner = (of: readonly string[]) => this.#ownerOf(`${domain}/${node}$${constraint}$${of.join('$')}`);
    if (constraint === 'ST' || constraint === 'MX') {
      if (name === 'q' && value.kind === 'bit-string' && value.size === QUALITY_BITS)
        return { kind: 'quality', owner: owner(path.slice(0, -1)) };
      if (name === 't' && value.kind === 'utc-time') return { kind: 'time', owner: owner(path.slice(0, -1)) };
    }
    const column = formatReference(reference);
    const place = this.#places.get(column) ?? this.#makePlace(attribute, value, (of) => owner(of));
    return place ? { kind: 'value', place, name: name ?? '' } : OTHER;
  }

  #makePlace(attribute: Attribute, value: MmsValue, owner: (path: readonly string[]) => Owner): ToldPlace | null {
    const reference = referenceOf(attribute);
    const ordinal = this.#places.size;
    const served = reference && ordinal < MOST_PLACES ? servedPlace(reference, attribute, value, ordinal) : null;
    if (!reference || !served) return null;
    const of = ownerOf(reference);
    const { point } = served.place;
    // names of two constraints may be the same
    const code = this.#codes.has(point.code) ? `${point.code}~${ordinal}` : point.code;
    this.#codes.add(code);
    const place: ToldPlace = { ...served, place: { ...served.place, point: { ...point, code } }, owner: of && owner(of), told: 0, last: 0 };
    place.owner?.values.add(place);
    this.#places.set(served.place.column, place);
    return place;
  }

  #ownerOf(key: string): Owner {
    const known = this.#owners.get(key);
    if (known) return known;
    const made: Owner = { flags: NO_FLAGS, quality: NO_FLAGS, clock: NO_FLAGS, deviceMs: undefined, values: new Set() };
    if (this.#owners.size < MOST_PLACES) this.#owners.set(key, made);
    return made;
  }
}

/** NaN for what the device gives as none, or the place cannot serve. */
function numberOf(value: MmsValue, { type }: ServedPlace, name: string): number {
  const { number } = plainValue(value, null, name);
  return typeof number === 'number' && misfit(type, number) === null ? number : Number.NaN;
}

function capturedValue({ place, owner }: ToldPlace, number: number): CapturedValue {
  const flags = owner?.flags ?? NO_FLAGS;
  const isInvalid = Number.isNaN(number) && !flags.includes('IV');
  const time = owner?.deviceMs === undefined ? {} : { deviceMs: owner.deviceMs };
  return { place, value: number, flags: isInvalid ? ['IV', ...flags] : flags, ...time };
}
