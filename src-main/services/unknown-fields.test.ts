import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { quoted } from '#shared/messages/index.ts';
import { nearestName, unknownFieldFinder, unknownMessage, WarningList } from './unknown-fields.ts';

const Tree = z.object({
  name: z.string(),
  get children() {
    return z.array(Tree).optional();
  },
});
const Shape = z.object({
  read_back: z.boolean().default(true),
  inner: z.object({ value: z.number() }).nullable().optional(),
  rows: z.array(z.object({ code: z.string() })),
  free: z.record(z.string(), z.unknown()),
  choice: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('a'), one: z.number() }),
    z.object({ kind: z.literal(['b', 'c']), two: z.number() }),
  ]),
  tree: Tree,
});

function unknown(schema: z.core.$ZodType, value: unknown, path = ''): readonly string[] {
  const warnings = new WarningList();
  unknownFieldFinder(schema)?.(value, path, warnings);
  return (warnings.list() ?? []).map((warning) => warning.path);
}

describe('fields that a schema does not know', () => {
  it.each<[unknown, string[]]>([
    [{ read_back: true, inner: null, rows: [], free: { any: { thing: 1 } } }, []],
    [{ readback: true }, ['readback']],
    [{ inner: { value: 1, other: 2 } }, ['inner.other']],
    [{ rows: [{ code: 'A' }, { code: 'B', kode: 'C' }] }, ['rows.1.kode']],
    [{ rows: { 0: { kode: 'C' } } }, []],
    [{ choice: { kind: 'a', one: 1, two: 2 } }, ['choice.two']],
    [{ choice: { kind: 'c', one: 1, two: 2 } }, ['choice.one']],
    [{ choice: { kind: 'x', one: 1 } }, []],
    [{ choice: null }, []],
    [{ tree: { name: 'a', children: [{ name: 'b', children: [{ nam: 'c' }] }] } }, ['tree.children.0.children.0.nam']],
    [{ inner: 7, rows: [null], tree: 'x' }, []],
    [null, []],
    ['text', []],
  ])('of %j', (value, paths) => {
    expect(unknown(Shape, value)).toEqual(paths);
  });

  it('are placed below the path, and sought in lists and choices at the top', () => {
    expect(unknown(Shape, { x: 1 }, 'body')).toEqual(['body.x']);
    expect(unknown(z.array(z.object({ a: z.number() })), [{ b: 1 }], 'points')).toEqual(['points.0.b']);
    expect(unknownFieldFinder(z.string())).toBeNull();
    expect(unknownFieldFinder(z.array(z.string()))).toBeNull();
  });
});

describe('a name that is meant', () => {
  const NAMES = ['read_back', 'reaction_timeout_ms', 'value', 'step'];

  it.each([
    ['readBack', 'read_back'],
    ['READ-BACK', 'read_back'],
    ['read_bak', 'read_back'],
    ['reaction_timeout', 'reaction_timeout_ms'],
    ['vaule', undefined],
    ['valu', 'value'],
    ['va', undefined],
    ['stop', 'step'],
    ['something', undefined],
    ['', undefined],
    ['x'.repeat(101), undefined],
  ])('of %s is %s', (key, name) => {
    expect(nearestName(key, NAMES)).toBe(name);
    expect(unknownMessage(key, NAMES)).toMatchObject(
      name ? { code: 'field.unknown_near', params: { near: name } } : { code: 'field.unknown' },
    );
  });

  it('is the nearest of several', () => {
    expect(nearestName('value1', ['values', 'value12', 'value'])).toBe('values');
    expect(nearestName('value', ['valuex', 'value'])).toBe('value');
  });
});

describe('warnings', () => {
  it('are none, or a list; of more than a hundred the rest is counted', () => {
    const warnings = new WarningList();
    expect(warnings.list()).toBeUndefined();
    for (let at = 0; at < 100; at++) warnings.add(`a.${at}`, quoted('odd'));
    expect(warnings.list()).toHaveLength(100);
    warnings.add('b', quoted('odd'));
    warnings.add('c', quoted('odd'));
    expect(warnings.list()).toHaveLength(101);
    expect(warnings.list()?.at(-1)).toMatchObject({ path: '', message: expect.stringContaining('2') });
  });
});
