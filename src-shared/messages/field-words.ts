import { z } from 'zod';
import { type FieldIssue, fieldIssue } from '../domain/errors.ts';
import { english, quoted, say } from './index.ts';
import { type Message, type MessagePart, type Names, names } from './message.ts';
import { schemaMessage } from './schema-words.ts';

/** The part of a raw zod issue that a message can be made of. */
interface RawIssue {
  readonly code?: string | undefined;
  readonly input?: unknown;
  readonly path?: readonly PropertyKey[] | undefined;
  readonly inst?: unknown;
  readonly [detail: string]: unknown;
}

const SECRET_FIELD = /password|passwd|token|secret/i;
const SHOWN_LENGTH = 40;

const TYPE_WORDS: Readonly<Record<string, Names>> = {
  string: names('text', '文本'),
  number: names('a number', '数'),
  int: names('a whole number', '整数'),
  boolean: names('true or false', '“true”或“false”'),
  array: names('a list', '列表'),
  object: names('an object', '对象'),
  record: names('an object', '对象'),
};
const LIST = names('a list', '列表');
const OBJECT = names('an object', '对象');
const OTHER_VALUE = names('another value', '其他值');

/** A value as it may be repeated in a message: JSON, clipped. */
function show(input: unknown): MessagePart {
  if (Array.isArray(input)) return LIST;
  if (typeof input === 'object' && input !== null) return OBJECT;
  // JSON has no word for a number beyond the range of a double, which is how 1e400 arrives.
  const text = typeof input === 'number' ? String(input) : (JSON.stringify(input) ?? String(input));
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}

function expectedOf(issue: RawIssue): MessagePart {
  if (issue.code === 'invalid_value' && Array.isArray(issue.values)) {
    const values = issue.values.map(String);
    const meaning = issue.inst instanceof z.ZodType ? issue.inst.description : undefined;
    const oneOf = values.length > 1 ? say('field.one_of', { values }) : (values[0] ?? '');
    // descriptions are English; the forms have their own words for a field
    return meaning ? say('field.meaning', { values: oneOf, meaning: names(` (${meaning})`, '') }) : oneOf;
  }
  const schema = issue.inst;
  const expected = schema instanceof z.ZodNumber && schema.isInt ? 'int' : issue.expected;
  const type = expected === undefined ? OTHER_VALUE : (TYPE_WORDS[String(expected)] ?? String(expected));
  if (schema instanceof z.ZodNumber && Number.isFinite(schema.minValue) && Number.isFinite(schema.maxValue)) {
    return say('field.from_to', { type, min: schema.minValue ?? 0, max: schema.maxValue ?? 0 });
  }
  return type;
}

function sizeMessage(issue: RawIssue): Message {
  const isLow = issue.code === 'too_small';
  const limit = String(isLow ? issue.minimum : issue.maximum);
  const length = typeof issue.input === 'string' || Array.isArray(issue.input) ? issue.input.length : 0;
  if (issue.origin === 'string') {
    if (isLow && limit === '1') return say('field.empty');
    return say(isLow ? 'field.characters_least' : 'field.characters_most', { limit, length });
  }
  if (issue.origin === 'array') return say(isLow ? 'field.entries_least' : 'field.entries_most', { limit, length });
  return say(isLow ? 'field.least' : 'field.most', { limit, given: show(issue.input) });
}

/** Says what would be right, and what was given instead. Values of fields that look like secrets are never repeated. */
export function fieldSaid(issue: RawIssue): Message {
  if (issue.path?.some((part) => SECRET_FIELD.test(String(part)))) return say('field.secret');
  switch (issue.code) {
    case 'too_small':
    case 'too_big':
      return sizeMessage(issue);
    case 'invalid_type':
    case 'invalid_value': {
      const expected = expectedOf(issue);
      return issue.input === undefined
        ? say('field.missing', { expected })
        : say('field.otherwise', { expected, given: show(issue.input) });
    }
    case 'invalid_format':
      return say('field.form', { format: String(issue.format), given: show(issue.input) });
    default:
      return issue.input === undefined ? say('field.absent') : say('field.invalid', { given: show(issue.input) });
  }
}

/** The words of one request's issues: zod keeps the English of an issue only, this the message it was made of. */
export class FieldWords {
  readonly #said = new Map<string, Message>();

  /** What `safeParse` takes. */
  readonly options = {
    reportInput: true,
    error: (issue: RawIssue): string => {
      const said = fieldSaid(issue);
      const text = english(said);
      this.#said.set(text, said);
      return text;
    },
  } as const;

  /** An issue of a parse with these options, at a dotted path. A schema may have words of its own (`schemaWords`). */
  issue(path: string, { message }: { readonly message: string }): FieldIssue {
    return fieldIssue(path, this.#said.get(message) ?? schemaMessage(message) ?? quoted(message));
  }
}
