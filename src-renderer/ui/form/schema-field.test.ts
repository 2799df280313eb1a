import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AddChannelBody } from '#shared/contract/channels.ts';
import { changedEntries, collectInput, collectSettings } from './collect.ts';
import { contractSpecs, fieldSpecs } from './schema-field.ts';

function specsOf(shape: z.ZodRawShape) {
  const json = z.toJSONSchema(z.object(shape), { io: 'input' });
  return new Map(fieldSpecs({ ...json }).map((spec) => [spec.key, spec]));
}

describe('field descriptions from JSON Schema', () => {
  it('read kind, bounds, default and nullability', () => {
    const specs = specsOf({
      retries: z.int().min(0).max(10).default(3),
      ratio: z.number(),
      gap: z.int().min(0).nullable().default(null),
      secret: z.string().max(8).describe('eight digits'),
      edition: z.literal([1997, 2007]).default(2007),
      model: z.enum(['direct', 'sbo']).optional(),
      on: z.boolean().default(true),
      list: z.array(z.int()),
      words: z.array(z.enum(['a', 'b'])).default([]),
      texts: z.record(z.string().regex(/^-?\d+$/), z.string()),
      names: z.record(z.string(), z.string()),
    });
    expect(specs.get('retries')).toMatchObject({ kind: 'integer', min: 0, max: 10, defaultValue: 3, isRequired: false, isNullable: false });
    expect(specs.get('ratio')).toMatchObject({ kind: 'number', min: null, max: null, isRequired: true });
    expect(specs.get('gap')).toMatchObject({ kind: 'integer', isNullable: true, min: 0, defaultValue: null });
    expect(specs.get('secret')).toMatchObject({ kind: 'text', maxLength: 8, description: 'eight digits' });
    expect(specs.get('edition')).toMatchObject({ kind: 'choice', choices: [1997, 2007], defaultValue: 2007 });
    expect(specs.get('model')).toMatchObject({ kind: 'choice', choices: ['direct', 'sbo'], isRequired: false });
    expect(specs.get('on')).toMatchObject({ kind: 'boolean', defaultValue: true });
    expect(specs.get('list')).toMatchObject({ kind: 'json' });
    expect(specs.get('texts')).toMatchObject({ kind: 'texts' });
    expect(specs.get('names')).toMatchObject({ kind: 'json' });
    expect(specs.get('words')).toMatchObject({ kind: 'choices', choices: ['a', 'b'], defaultValue: [] });
  });

  it('take texts for what may be several kinds of value, and lines for a list of texts', () => {
    const specs = specsOf({
      value: z.union([z.string().max(9), z.number(), z.boolean()]),
      members: z.array(z.string()),
      title: z.string().meta({ section: 'far' }),
    });
    expect(specs.get('value')).toMatchObject({ kind: 'text', maxLength: 9 });
    expect(specs.get('title')).toMatchObject({ kind: 'text', section: 'far' });
    const fields = [...specs.values()];
    const given = { value: '9007199254740993', members: ' a \n\nb', title: '' };
    expect(collectSettings(given, fields)).toEqual({ value: '9007199254740993', members: ['a', 'b'] });
  });

  it('keep an emptied text that means something else than its default', () => {
    const hex = z
      .string()
      .regex(/^(?:[0-9A-F]{2})*$/)
      .default('0001');
    const zone = z.string().min(1).default('local');
    const fields = [...specsOf({ selector: hex, zone, qualifier: z.int().nullable().default(12) }).values()];
    expect(collectSettings({ selector: '', zone: '', qualifier: undefined }, fields)).toEqual({ selector: '', qualifier: null });
  });

  it('read types given as a list, and a schema without properties', () => {
    expect(fieldSpecs({ type: 'object', properties: { a: { type: ['string', 'null'] } } })[0]).toMatchObject({
      kind: 'text',
      isNullable: true,
    });
    expect(fieldSpecs({ type: 'object' })).toEqual([]);
  });

  it('give the bounds of the contract', () => {
    const specs = contractSpecs(AddChannelBody);
    expect(specs.get('port')).toMatchObject({ kind: 'integer', min: 1, max: 65535 });
    expect(specs.get('request_gap_ms')).toMatchObject({ isNullable: true, max: 60000 });
    expect(specs.get('parity')).toMatchObject({ kind: 'choice', choices: ['N', 'E', 'O'] });
  });
});

describe('what a form says', () => {
  const specs = [...specsOf({ a: z.int(), b: z.int().nullable(), c: z.string(), d: z.array(z.int()), e: z.boolean() }).values()];

  it('sends zero and false, empties nullable fields to null and leaves out what is empty', () => {
    expect(collectInput({ a: 0, b: undefined, c: '', d: '[1, 2]', e: false }, specs)).toEqual({
      a: 0,
      b: null,
      c: '',
      d: [1, 2],
      e: false,
    });
    expect(collectInput({ a: undefined, b: 0, c: 'x' }, specs)).toEqual({ b: 0, c: 'x' });
  });

  it('leaves text that is no JSON to the service, and empty texts of settings out', () => {
    expect(collectInput({ d: '[1,' }, specs)).toEqual({ b: null, d: '[1,' });
    expect(collectSettings({ a: 1, c: '' }, specs)).toEqual({ a: 1, b: null });
    expect(collectSettings(undefined, specs)).toEqual({ b: null });
  });

  it('finds what differs, whatever the order of keys', () => {
    const stored = { name: 'A', port: 502, com_port: null, protocol: { x: 1, y: null } };
    expect(changedEntries(stored, { name: 'A', port: 503, com_port: '', protocol: { y: '', x: 1 } })).toEqual({ port: 503 });
    expect(changedEntries(stored, { protocol: { x: 2 } })).toEqual({ protocol: { x: 2 } });
  });
});
