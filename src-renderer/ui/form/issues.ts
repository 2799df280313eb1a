import type { TFunction } from 'i18next';
import type { z } from 'zod';
import { type AppError, issueMessage, type ReceivedIssue } from '#shared/domain/errors.ts';
import { inWords } from '../../i18n/words.ts';
import { readMoment } from '../time.ts';
import { linesOf, parsed } from './collect.ts';
import type { FieldSpec } from './schema-field.ts';

type Translate = TFunction<'fields'>;
type Issue = z.core.$ZodIssue;

/** The bounds of a field in a sentence. */
function boundsText(t: Translate, min: number | null, max: number | null): string {
  if (min !== null && max !== null) return t('issue.range', { min, max });
  if (min !== null) return t('issue.min', { min });
  if (max !== null) return t('issue.max', { max });
  return t('issue.type');
}

function lengthText(t: Translate, issue: Issue): string | null {
  if (issue.code === 'too_small' && issue.origin === 'string') {
    const min = Number(issue.minimum);
    return min <= 1 ? t('issue.required') : t('issue.minLength', { min });
  }
  if (issue.code === 'too_big' && issue.origin === 'string') return t('issue.maxLength', { max: Number(issue.maximum) });
  return null;
}

/** What is wrong with a written time; null for one that is a time. */
function momentIssue(t: Translate, value: unknown): string | null {
  const read = readMoment(String(value));
  if ('at' in read) return null;
  return t(`moment.wrong.${read.wrong}`, { form: t('moment.form') });
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** Says in the reader's language what is wrong with a field and what would be right. */
export function issueText(t: Translate, issue: Issue, spec: FieldSpec | undefined, value: unknown): string {
  if (isEmpty(value)) return t('issue.required');
  const byLength = lengthText(t, issue);
  if (byLength) return byLength;
  if (issue.code === 'too_small') return boundsText(t, spec?.min ?? Number(issue.minimum), spec?.max ?? null);
  if (issue.code === 'too_big') return boundsText(t, spec?.min ?? null, spec?.max ?? Number(issue.maximum));
  if (issue.code === 'invalid_value') return t('issue.option');
  if (issue.code === 'invalid_format' && spec?.key === 'ip') return t('issue.host');
  if (issue.code === 'invalid_type' && issue.expected === 'int') return t('issue.whole');
  return t('issue.type');
}

/** Checks a value against the description of its field; null when it fits. For settings whose schema only the service has. */
export function checkField(t: Translate, spec: FieldSpec, value: unknown): string | null {
  if (isEmpty(value) || (spec.kind === 'lines' && linesOf(value).length === 0))
    return spec.isRequired && !spec.isNullable ? t('issue.required') : null;
  if (spec.kind === 'integer' || spec.kind === 'number') {
    if (typeof value !== 'number' || !Number.isFinite(value)) return t('issue.type');
    if (spec.kind === 'integer' && !Number.isInteger(value)) return t('issue.whole');
    const isOutside = (spec.min !== null && value < spec.min) || (spec.max !== null && value > spec.max);
    return isOutside ? boundsText(t, spec.min, spec.max) : null;
  }
  if (spec.kind === 'text' && typeof value === 'string') {
    if (spec.minLength !== null && value.length < spec.minLength) return t('issue.minLength', { min: spec.minLength });
    if (spec.maxLength !== null && spec.maxOctets === null && value.length > spec.maxLength)
      return t('issue.maxLength', { max: spec.maxLength });
    const octets = new TextEncoder().encode(value).length;
    if (spec.maxOctets !== null && octets > spec.maxOctets) return t('issue.maxOctets', { max: spec.maxOctets, count: octets });
    if (spec.pattern !== null && !new RegExp(spec.pattern, 'u').test(value.trim())) return t('issue.pattern');
  }
  if (spec.kind === 'moment') return momentIssue(t, value);
  if (spec.kind === 'texts' && typeof parsed(spec, value) !== 'object') return t('issue.texts');
  return spec.kind === 'choice' && !spec.choices.some((choice) => choice === value) ? t('issue.option') : null;
}

function isFieldIssue(value: unknown): value is ReceivedIssue {
  return typeof value === 'object' && value !== null && 'path' in value && 'message' in value && typeof value.path === 'string';
}

/** The field issues of a refused request by path, in the language of the pages; `prefix` (e.g. `points.0.`) is taken off. Empty for every other error. */
export function serviceIssues(error: AppError, prefix = ''): Record<string, string> {
  if (!Array.isArray(error.data)) return {};
  const issues = error.data.filter(isFieldIssue);
  return Object.fromEntries(
    issues.map((issue) => [
      issue.path.startsWith(prefix) ? issue.path.slice(prefix.length) : issue.path,
      inWords(issueMessage(issue), issue.message),
    ]),
  );
}

/** What stands against one place of a refused request, in the language of the pages: a file may have several. Empty for every other error. */
export function issuesAt(error: AppError | null, place: string): readonly string[] {
  if (!Array.isArray(error?.data)) return [];
  const issues = error.data.filter(isFieldIssue).filter(({ path }) => path === place);
  return issues.map((issue) => inWords(issueMessage(issue), issue.message));
}

/** The error, unless all of it stands at fields of the form already. */
export function unplacedError(error: AppError | null, paths: readonly string[], prefix = ''): AppError | null {
  if (!error) return null;
  const issues = Object.keys(serviceIssues(error, prefix));
  return issues.length > 0 && issues.every((path) => paths.includes(path)) ? null : error;
}
