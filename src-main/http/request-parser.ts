import { z } from 'zod';
import type { Operation } from '#shared/contract/index.ts';
import { type FieldIssue, invalidInput } from '#shared/domain/errors.ts';
import { FieldWords } from '#shared/messages/field-words.ts';
import { say } from '#shared/messages/index.ts';
import { Turns } from '../platform/turns.ts';
import { boundedIssues } from '../services/field-messages.ts';
import { type UnknownFieldFinder, unknownFieldFinder, unknownMessage, WarningList } from '../services/unknown-fields.ts';
import { ListText } from './list-text.ts';

/** A request after validation: what the handler gets, and what the caller should know. */
export interface ParsedRequest {
  readonly request: Record<string, unknown>;
  readonly warnings: WarningList;
}

type ParsedOperation = Pick<Operation, 'method' | 'query' | 'body'>;

export type RequestParser = (query: unknown, body: unknown) => Promise<ParsedRequest>;

/** A parser belongs to its operation, whichever server asks with it. */
const compiled = new WeakMap<object, RequestParser>();

/**
 * The validation of one operation, compiled when it is asked for first. The parser throws `CONFIG_INVALID` with the list of wrong places; fields that are not
 * known never fail a request, they come back as warnings.
 */
export function requestParser(operation: ParsedOperation): RequestParser {
  const known = compiled.get(operation);
  if (known) return known;
  const parser = compile(operation);
  compiled.set(operation, parser);
  return parser;
}

function compile(operation: ParsedOperation): RequestParser {
  const takesBody = operation.method !== 'GET';
  const findInBody = unknownFieldFinder(operation.body);
  const queryNames = new Set(Object.keys(operation.query.shape));
  const bodyNames = new Set(Object.keys(operation.body.shape));
  const lists = listsOf(operation.body);
  return async (query, body) => {
    const warnings = new WarningList();
    const words = new FieldWords();
    const parsedQuery = operation.query.safeParse(query, words.options);
    for (const key of Object.keys(query ?? {})) {
      if (queryNames.has(key)) continue;
      warnings.add(key, bodyNames.has(key) ? say('field.into_body') : unknownMessage(key, [...queryNames]));
    }
    const sent = await withoutText(body, takesBody ? lists : []);
    const given = takesBody && sent !== undefined ? sent : {};
    const long = takesBody ? longListOf(given, lists) : null;
    if (long) findInBody?.({ ...(given as object), [long.name]: [] }, '', warnings);
    const parsedBody = long ? await parseLong(given, long, words, warnings) : parseAtOnce(operation.body, given, words);
    const issues = [...issuesOf(parsedQuery.error, words), ...parsedBody.issues];
    if (!parsedQuery.success || issues.length > 0) throw invalidInput(boundedIssues(issues));
    if (takesBody && !long) findInBody?.(sent, '', warnings);
    return { request: { ...parsedQuery.data, ...parsedBody.data }, warnings };
  };
}

/** A list field of a body. */
interface ListField {
  readonly name: string;
  readonly entry: z.ZodType;
  readonly findInEntry: UnknownFieldFinder | null;
  /** Checks the number of its entries only. */
  readonly bounds: z.ZodType;
  /** The body without it. */
  readonly others: z.ZodObject;
}

/** A list that is checked entry by entry, with turns for others. */
interface LongList extends ListField {
  readonly entries: readonly unknown[] | ListText;
}

/** Entries from which on a list is checked bit by bit. */
const LONG = 500;
/** Entries that are checked before other work may have its turn. */
const ENTRIES_A_LOOK = 16;

interface ParsedBody {
  readonly data: Record<string, unknown>;
  readonly issues: readonly FieldIssue[];
}

function listsOf(body: z.ZodObject): ListField[] {
  return Object.entries(body.shape).flatMap(([name, schema]): ListField[] => {
    if (!(schema instanceof z.ZodArray)) return [];
    const entry = schema.element as z.ZodType;
    const bounds = z.array(z.unknown()).check(...((schema.def.checks ?? []) as z.core.$ZodCheck<unknown[]>[]));
    const others = z.object(Object.fromEntries(Object.entries(body.shape).filter(([key]) => key !== name)));
    return [{ name, entry, findInEntry: unknownFieldFinder(entry), bounds, others }];
  });
}

function longListOf(body: unknown, lists: readonly ListField[]): LongList | null {
  if (typeof body !== 'object' || body === null) return null;
  const found = lists.flatMap((list): LongList[] => {
    const entries = (body as Record<string, unknown>)[list.name];
    return entries instanceof ListText || (Array.isArray(entries) && entries.length > LONG) ? [{ ...list, entries }] : [];
  });
  // what is text still can be checked in no other way
  return found.find(({ entries }) => entries instanceof ListText) ?? found[0] ?? null;
}

function parseAtOnce(schema: z.ZodObject, body: unknown, words: FieldWords): ParsedBody {
  const parsed = schema.safeParse(body, words.options);
  return { data: parsed.data ?? {}, issues: issuesOf(parsed.error, words) };
}

/** A body in which only a list that is checked entry by entry may be text still. */
async function withoutText(body: unknown, lists: readonly ListField[]): Promise<unknown> {
  if (typeof body !== 'object' || body === null) return body;
  const found = Object.entries(body).find((entry): entry is [string, ListText] => entry[1] instanceof ListText);
  if (!found || lists.some(({ name }) => name === found[0])) return body;
  return { ...body, [found[0]]: await found[1].entries(new Turns().breathe) };
}

/** The same as at once, entry by entry. */
async function parseLong(
  body: unknown,
  { name, entry, entries, findInEntry, bounds, others }: LongList,
  words: FieldWords,
  warnings: WarningList,
): Promise<ParsedBody> {
  const rest = parseAtOnce(others, body, words);
  const issues = [...rest.issues];
  for (const issue of issuesOf(bounds.safeParse(new Array(entries.length), words.options).error, words))
    issues.push({ ...issue, path: name });
  const turns = new Turns();
  const checked: unknown[] = [];
  for (const part of entries instanceof ListText ? entries.parts() : [entries]) {
    for (const value of part) {
      const index = checked.length;
      if (index % ENTRIES_A_LOOK === 0) await turns.breathe();
      const parsed = entry.safeParse(value, words.options);
      checked.push(parsed.data);
      const place = `${name}.${index}`;
      if (parsed.success) findInEntry?.(value, place, warnings);
      for (const issue of issuesOf(parsed.error, words)) issues.push({ ...issue, path: issue.path ? `${place}.${issue.path}` : place });
    }
  }
  return { data: { ...rest.data, [name]: checked }, issues };
}

/** One issue a place and kind: a number beyond 2^53 breaks its own bound as well, which is the one to name. */
function issuesOf(error: z.ZodError | undefined, words: FieldWords): FieldIssue[] {
  const issues = new Map<string, FieldIssue>();
  for (const issue of error?.issues ?? []) {
    const place = issue.path.map(String).join('.');
    issues.set(`${place} ${issue.code}`, words.issue(place, issue));
  }
  return [...issues.values()];
}
