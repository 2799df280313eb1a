import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fieldIssue } from '#shared/domain/errors.ts';
import { FieldWords } from '#shared/messages/field-words.ts';
import { quoted } from '#shared/messages/index.ts';
import { boundedIssues } from './field-messages.ts';

function messageOf(schema: z.ZodType, input: unknown): string | undefined {
  return schema.safeParse(input, new FieldWords().options).error?.issues[0]?.message;
}

describe('messages of wrong fields', () => {
  it.each([
    [z.number(), '5', 'must be a number, not "5"'],
    [z.number(), undefined, 'is missing; it must be a number'],
    [z.number(), Number.POSITIVE_INFINITY, 'must be a number, not Infinity'],
    [z.int().min(1).max(9), 0.5, 'must be a whole number from 1 to 9, not 0.5'],
    [z.int().min(1).max(9), 10, 'must be at most 9, not 10'],
    [z.string().min(1), '', 'must not be empty'],
    [z.array(z.int()), {}, 'must be a list, not an object'],
    [z.enum(['a', 'b']), 'c', 'must be one of a, b, not "c"'],
    [z.string(), 'x'.repeat(5).split(''), 'must be text, not a list'],
  ])('%#: say what would be right, and what was given', (schema, input, message) => {
    expect(messageOf(schema, input)).toBe(message);
  });

  it('never repeat what may be a secret', () => {
    expect(messageOf(z.object({ password: z.number() }), { password: 'hunter2' })).toBe('is missing or not valid');
    const secrets = z.object({ secrets: z.record(z.string(), z.string()) });
    expect(messageOf(secrets, { secrets: { operator_code: 12345678 } })).toBe('is missing or not valid');
  });

  it('are messages, to be said in any language', () => {
    const words = new FieldWords();
    const [issue] = z.int().min(1).max(9).safeParse('5', words.options).error?.issues ?? [];
    const expected = { code: 'field.from_to', params: { type: { en: 'a whole number', zh: '整数' }, min: 1, max: 9 } };
    expect(issue && words.issue('slot', issue)).toEqual({
      path: 'slot',
      message: 'must be a whole number from 1 to 9, not "5"',
      message_code: 'field.otherwise',
      params: { expected, given: '"5"' },
    });
    expect(words.issue('slot', { message: 'must be a slot' })).toEqual(fieldIssue('slot', quoted('must be a slot')));
  });

  it('stay bounded in number', () => {
    const issues = boundedIssues(Array.from({ length: 1500 }, (_, at) => fieldIssue(`points.${at}`, quoted('no'))));
    expect(issues).toHaveLength(1001);
    expect(issues.at(-1)).toMatchObject({ path: '', message: 'and 500 more places' });
  });
});
