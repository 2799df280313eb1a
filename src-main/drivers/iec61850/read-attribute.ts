/** Reads one attribute or object by name, in parts where the device cannot give it as a whole. */
import type { Message } from '#shared/messages/message.ts';
import type { ExchangeContext } from '../spi/index.ts';
import { attributeJson } from './attribute-json.ts';
import { variableOf } from './binding.ts';
import { type InParts, readInParts } from './data-set-parts.ts';
import type { MmsType } from './mms/types.ts';
import { keyOf } from './model/references.ts';
import type { Words } from './model/values.ts';
import { wordsAt } from './model/words.ts';
import { type ItemResult, isValue, itemError } from './reading.ts';
import { requireReadable } from './reads.ts';
import { type Attribute, typeOfAttribute, type WritingOptions } from './writing.ts';

/** A part of an object that has no value, and why. */
interface LeftOut {
  readonly reference: string;
  readonly reason: Message;
}

/** What came of it: `value` is missing where nothing could be read. */
export interface AttributeReading {
  readonly value?: unknown;
  readonly leftOut: readonly LeftOut[];
  /** Requests that were needed. */
  readonly requests: number;
}

/** Throws `CONFIG_INVALID` for values under CO before anything is sent, otherwise as `MmsClient.request`. */
export async function readAttributeValue(
  options: WritingOptions,
  attribute: Attribute,
  context: ExchangeContext,
): Promise<AttributeReading> {
  const { domain, node, constraint, path } = attribute;
  requireReadable(variableOf(domain, node, constraint, path));
  const type = await typeOfAttribute(options, attribute, context.signal);
  const whole = keyOf(attribute);
  const read = await readInParts([[whole]], options, context);
  const found = resultsByMember(read);
  const leftOut = [...found].flatMap(([reference, result]) => {
    const error = itemError(result);
    return error ? [{ reference, reason: error.said }] : [];
  });
  const { index } = options.memory.model;
  const words = (below: readonly string[]) => wordsAt(index, domain, node, constraint, [...path, ...below]);
  const value = valueOfParts(whole, type, [], { found, words });
  return { ...(value === undefined ? {} : { value }), leftOut, requests: read.parts.length };
}

/** Results by the names of what was read. */
export function resultsByMember({ parts, results }: InParts): ReadonlyMap<string, ItemResult> {
  return new Map(parts.flat().flatMap((member, place) => (results[place] ? [[member, results[place]] as const] : [])));
}

interface Parts {
  readonly found: ReadonlyMap<string, ItemResult>;
  words(path: readonly string[]): Words;
}

/** The value at a key as JSON, put together of what was read; undefined where nothing of it was. */
export function valueOfParts(key: string, type: MmsType | null, path: readonly string[], parts: Parts): unknown {
  const result = parts.found.get(key);
  if (result) return isValue(result) ? attributeJson(result, type, parts.words, path, key.slice(key.lastIndexOf('$') + 1)) : undefined;
  if (type?.kind === 'structure') {
    const fields = type.components.flatMap(({ name, type: part }) => {
      const value = valueOfParts(`${key}$${name}`, part, [...path, name], parts);
      return value === undefined ? [] : [[name, value] as const];
    });
    return fields.length === 0 ? undefined : Object.fromEntries(fields);
  }
  if (type?.kind !== 'array') return undefined;
  const items = Array.from({ length: type.count }, (_, place) => valueOfParts(`${key}(${place})`, type.element, path, parts));
  return items.every((item) => item === undefined) ? undefined : items.map((item) => item ?? null);
}
