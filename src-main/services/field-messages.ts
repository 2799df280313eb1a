import { z } from 'zod';
import { type FieldIssue, fieldIssue } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';

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

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

/** A value as it may be repeated in a message: JSON, clipped. */
function show(input: unknown): string {
  if (Array.isArray(input)) return 'a list';
  if (typeof input === 'object' && input !== null) return 'an object';
  // JSON has no word for a number beyond the range of a double, which is how 1e400 arrives.
  const text = typeof input === 'number' ? String(input) : (JSON.stringify(input) ?? String(input));
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}

function expectedOf(issue: RawIssue): string {
  if (issue.code === 'invalid_value' && Array.isArray(issue.values)) {
    const values = issue.values.map(String).join(', ');
    const meaning = issue.inst instanceof z.ZodType ? issue.inst.description : undefined;
    const oneOf = issue.values.length > 1 ? `one of ${values}` : values;
    return meaning ? `${oneOf} (${meaning})` : oneOf;
  }
  const schema = issue.inst;
  const expected = schema instanceof z.ZodNumber && schema.isInt ? 'int' : String(issue.expected ?? 'another value');
  const type = TYPE_WORDS[expected] ?? expected;
  if (schema instanceof z.ZodNumber && Number.isFinite(schema.minValue) && Number.isFinite(schema.maxValue)) {
    return `${type} from ${schema.minValue} to ${schema.maxValue}`;
  }
  return type;
}

function sizeMessage(issue: RawIssue): string {
  const isLow = issue.code === 'too_small';
  const limit = String(isLow ? issue.minimum : issue.maximum);
  const length = typeof issue.input === 'string' || Array.isArray(issue.input) ? issue.input.length : 0;
  if (issue.origin === 'string') {
    if (isLow && limit === '1') return 'must not be empty';
    return `must have at ${isLow ? 'least' : 'most'} ${limit} characters, not ${length}`;
  }
  if (issue.origin === 'array') return `must have at ${isLow ? 'least' : 'most'} ${limit} entries, not ${length}`;
  return `must be at ${isLow ? 'least' : 'most'} ${limit}, not ${show(issue.input)}`;
}

/**
 * Error map for zod: says what would be right, and what was given instead. Values of fields that look like secrets are never repeated.
 */
export function fieldMessage(issue: RawIssue): string {
  if (issue.path?.some((part) => SECRET_FIELD.test(String(part)))) return 'is missing or not valid';
  switch (issue.code) {
    case 'too_small':
    case 'too_big':
      return sizeMessage(issue);
    case 'invalid_type':
    case 'invalid_value':
      if (issue.input === undefined) return `is missing; it must be ${expectedOf(issue)}`;
      return `must be ${expectedOf(issue)}, not ${show(issue.input)}`;
    case 'invalid_format':
      return `has not the form of ${String(issue.format)}: ${show(issue.input)}`;
    default:
      return `is not valid: ${show(issue.input)}`;
  }
}

/** More wrong places than this are counted, not listed. */
const LISTED_ISSUES = 1000;

/** A list of issues that stays bounded however large the request was. */
export function boundedIssues(issues: readonly FieldIssue[]): readonly FieldIssue[] {
  const more = issues.length - LISTED_ISSUES;
  return more > 0 ? [...issues.slice(0, LISTED_ISSUES), fieldIssue('', say('point.more_places', { count: more }))] : issues;
}
