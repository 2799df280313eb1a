import { distance } from 'fastest-levenshtein';
import { z } from 'zod';
import { type FieldIssue, fieldIssue } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';

/** More warnings than this are counted, not listed: a wrong column in 100,000 points is one mistake. */
const LISTED = 100;
/** Characters of a field name; a longer one is no spelling of it. */
const LONGEST_NAME = 100;

/** Collects warnings; the list stays bounded however large the request is. */
export class WarningList {
  readonly #items: FieldIssue[] = [];
  #more = 0;

  add(path: string, said: Message): void {
    if (this.#items.length < LISTED) this.#items.push(fieldIssue(path, said));
    else this.#more++;
  }

  /** The warnings, or undefined when there are none, as the envelope wants them. */
  list(): readonly FieldIssue[] | undefined {
    if (this.#items.length === 0) return undefined;
    if (this.#more === 0) return this.#items;
    return [...this.#items, fieldIssue('', say('field.more_warnings', { count: this.#more }))];
  }
}

/** Reports every field of `value` that the schema does not know. */
export type UnknownFieldFinder = (value: unknown, path: string, warnings: WarningList) => void;

/**
 * Compiles a schema into a finder of unknown fields, once an operation. Objects and lists are searched to any depth; free-form
 * objects (`z.record`) have no unknown fields. Null when the schema has no place where a field could be unknown.
 */
export function unknownFieldFinder(schema: z.core.$ZodType): UnknownFieldFinder | null {
  if (schema instanceof z.ZodObject) return objectFinder(schema);
  if (schema instanceof z.ZodDiscriminatedUnion) return choiceFinder(schema);
  if (schema instanceof z.ZodArray) return listFinder(schema.element);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return unknownFieldFinder(schema.unwrap());
  }
  return null;
}

function listFinder(element: z.core.$ZodType): UnknownFieldFinder | null {
  const find = unknownFieldFinder(element);
  if (!find) return null;
  return (value, path, warnings) => {
    if (!Array.isArray(value)) return;
    for (let index = 0; index < value.length; index++) find(value[index], `${path}.${index}`, warnings);
  };
}

/** Each kind of a list of mixed objects has fields of its own. */
function choiceFinder({ def }: z.ZodDiscriminatedUnion): UnknownFieldFinder {
  const kinds = def.options.filter((option) => option instanceof z.ZodObject);
  const finders = new Map(
    kinds.flatMap((kind) => {
      const mark = kind.shape[def.discriminator];
      return mark instanceof z.ZodLiteral ? [...mark.values].map((word) => [word as unknown, objectFinder(kind)] as const) : [];
    }),
  );
  return (value, path, warnings) => {
    if (typeof value !== 'object' || value === null) return;
    finders.get((value as Record<string, unknown>)[def.discriminator])?.(value, path, warnings);
  };
}

/** One finder a shape, so that a shape which contains itself (a tree) ends. */
const objectFinders = new WeakMap<z.ZodObject, UnknownFieldFinder>();

function objectFinder(schema: z.ZodObject): UnknownFieldFinder {
  const present = objectFinders.get(schema);
  if (present) return present;
  const known = new Map<string, UnknownFieldFinder | null>();
  const find: UnknownFieldFinder = (value, path, warnings) => {
    if (typeof value !== 'object' || value === null) return;
    for (const key of Object.keys(value)) {
      const inner = known.get(key);
      if (inner === null) continue;
      const place = path ? `${path}.${key}` : key;
      if (inner === undefined) warnings.add(place, unknownMessage(key, [...known.keys()]));
      else inner((value as Record<string, unknown>)[key], place, warnings);
    }
  };
  objectFinders.set(schema, find);
  for (const [key, field] of Object.entries(schema.shape)) known.set(key, unknownFieldFinder(field));
  return find;
}

/** What the warning says about one unknown field, with the known name it comes near to. */
export function unknownMessage(key: string, names: readonly string[]): Message {
  const near = nearestName(key, names);
  return near ? say('field.unknown_near', { near }) : say('field.unknown');
}

/** The name that `key` is probably a spelling of: other letter case or separators, or at most a third of its letters wrong. */
export function nearestName(key: string, names: readonly string[]): string | undefined {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  const wanted = plain(key);
  let best: string | undefined;
  let bestDistance = Math.min(3, Math.floor(wanted.length / 3)) + 1;
  for (const name of names) {
    const known = plain(name);
    // of long texts none is a spelling of another
    if (Math.abs(wanted.length - known.length) >= bestDistance || wanted.length > LONGEST_NAME) continue;
    const letters = distance(wanted, known);
    if (letters < bestDistance) {
      best = name;
      bestDistance = letters;
    }
  }
  return best;
}
