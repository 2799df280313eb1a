/** Report control blocks as a device has them (IEC 61850-7-2, 17.2; IEC 61850-8-1, 17.2.2): read, taken apart by their own type, written. */
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { hexText } from '../../../protocol-kit/bytes.ts';
import type { ExchangeContext } from '../../spi/index.ts';
import { variableOf } from '../binding.ts';
import { readInParts } from '../data-set-parts.ts';
import type { MmsType, MmsValue } from '../mms/types.ts';
import { accessErrorText } from '../mms/words.ts';
import type { ModelIndex } from '../model/places.ts';
import { formatReference, keyOf, parseReference } from '../model/references.ts';
import { componentIndex, componentType } from '../model/types.ts';
import { resultsByMember } from '../read-attribute.ts';
import { type ItemResult, isValue, itemError } from '../reading.ts';
import { typeOfAttribute, type WritingOptions } from '../writing.ts';
import { copyValue } from './copy-value.ts';

/** Constraints of unbuffered and buffered blocks. */
const CONSTRAINTS = ['RP', 'BR'] as const;

/** Where a block lies. */
export interface BlockPlace {
  readonly domain: string;
  readonly node: string;
  readonly constraint: (typeof CONSTRAINTS)[number];
  readonly path: readonly [name: string];
}

/** The block a reference names, in any spelling. Throws `CONFIG_INVALID`. */
export function blockPlace(text: string): BlockPlace {
  const reference = parseReference(text);
  const constraint = CONSTRAINTS.find((each) => each === reference?.constraint);
  const [name, ...more] = reference?.path ?? [];
  if (reference && constraint && name !== undefined && more.length === 0) return { ...reference, constraint, path: [name] };
  throw new AppError('CONFIG_INVALID', say('report.no_block', { reference: text.slice(0, 80) }));
}

/** All blocks of a model. */
export function blocksOf({ model }: ModelIndex): BlockPlace[] {
  return model.devices.flatMap(({ name: domain, nodes }) =>
    nodes.flatMap(({ name: node, type }) =>
      CONSTRAINTS.flatMap((constraint) => {
        const blocks = componentType(type, constraint);
        const names = blocks?.kind === 'structure' ? blocks.components.map(({ name }) => name) : [];
        return names.map((name): BlockPlace => ({ domain, node, constraint, path: [name] }));
      }),
    ),
  );
}

/** A block with the values it had when it was read. */
export class ControlBlock {
  readonly place: BlockPlace;
  /** `LD/LN$FC$name`, as data sets and RptIDs write it. */
  readonly key: string;
  /** `LD/LN.name[FC]`. */
  readonly reference: string;
  readonly isBuffered: boolean;
  readonly #type: MmsType;
  readonly #values: ReadonlyMap<string, MmsValue>;

  constructor(place: BlockPlace, type: MmsType, values: ReadonlyMap<string, MmsValue>) {
    this.place = place;
    this.key = keyOf(place);
    this.reference = formatReference(place);
    this.isBuffered = place.constraint === 'BR';
    this.#type = type;
    this.#values = values;
  }

  /** Type of an attribute; null where the block has none of this name: editions differ. */
  typeOf(name: string): MmsType | null {
    return componentType(this.#type, name);
  }

  value(name: string): MmsValue | null {
    return this.#values.get(name) ?? null;
  }

  /** False also where the block has no such attribute. */
  is(name: string): boolean {
    const value = this.value(name);
    return value?.kind === 'boolean' && value.value;
  }

  number(name: string): number | null {
    const value = this.value(name);
    return (value?.kind === 'integer' || value?.kind === 'unsigned') && typeof value.value === 'number' ? value.value : null;
  }

  text(name: string): string {
    const value = this.value(name);
    return value?.kind === 'visible-string' || value?.kind === 'mms-string' ? value.text : '';
  }

  /** Octets of an octet or bit string; empty where there is none. */
  octets(name: string): Uint8Array {
    const value = this.value(name);
    return value?.kind === 'octet-string' || value?.kind === 'bit-string' ? value.octets : new Uint8Array(0);
  }

  /** RptID as reports carry it: the reference of the block where it is empty. */
  get reportId(): string {
    return this.text('RptID') || this.key;
  }

  /** Who holds the block, as the device tells it: an IPv4 address, else hexadecimal; empty where nobody does, or it is not told. */
  get owner(): string {
    const octets = this.octets('Owner');
    if (octets.every((octet) => octet === 0)) return '';
    return octets.length === 4 ? octets.join('.') : hexText(octets);
  }
}

/** Reads a block. Throws `CONFIG_INVALID` for what is no report control block, `DEVICE_*` where the device does not give it, and what the association says. */
export async function readBlock(options: WritingOptions, place: BlockPlace, context: ExchangeContext): Promise<ControlBlock> {
  const type = await typeOfAttribute(options, place, context.signal);
  const key = keyOf(place);
  if (componentIndex(type, 'RptEna') < 0) {
    throw new AppError('CONFIG_INVALID', say('report.no_members', { block: formatReference(place) }));
  }
  const found = resultsByMember(await readInParts([[key]], options, context));
  const block = blockFrom(place, type, found);
  if (block) return block;
  const [error] = [...found.values()].flatMap((result) => itemError(result) ?? []);
  throw error ?? new AppError('PROTOCOL_MISMATCH', say('iec61850.nothing_read'));
}

/** A block from results by their names; null where its RptEna is not among them. */
export function blockFrom(place: BlockPlace, type: MmsType, found: ReadonlyMap<string, ItemResult>): ControlBlock | null {
  if (type.kind !== 'structure') return null;
  const key = keyOf(place);
  const whole = found.get(key);
  const values = new Map<string, MmsValue>();
  type.components.forEach(({ name }, at) => {
    const value = whole && isValue(whole) && whole.kind === 'structure' ? whole.items[at] : found.get(`${key}$${name}`);
    if (value && isValue(value)) values.set(name, copyValue(value));
  });
  return values.has('RptEna') ? new ControlBlock(place, type, values) : null;
}

/** Writes one attribute of a block; the refusal of the device, null when it took it. Rejects with what the association says. */
export async function writeAttribute(
  { client }: Pick<WritingOptions, 'client'>,
  { domain, node, constraint, path: [block] }: BlockPlace,
  name: string,
  value: MmsValue,
  { signal }: Pick<ExchangeContext, 'signal'>,
): Promise<Message | null> {
  const items = [variableOf(domain, node, constraint, [block, name])];
  const { results } = await client.request({ service: 'write', spec: { kind: 'variables', items }, values: [value] }, { signal });
  const [result] = results;
  if (result === undefined) throw new AppError('PROTOCOL_MISMATCH', say('iec61850.no_result'));
  return result === null ? null : accessErrorText(result.code);
}
