import { describe, expect, it } from 'vitest';
import type { CheckPartHead } from '#shared/contract/check.ts';
import { canonical, digestOf, entryDigest, headDigest } from './chain.ts';

describe('data as one text', () => {
  it.each([
    [{ b: 1, a: { d: null, c: [2, { f: 'x', e: true }] } }, '{"a":{"c":[2,{"e":true,"f":"x"}],"d":null},"b":1}'],
    [{ a: undefined, b: 0 }, '{"b":0}'],
    [[3, 1, 2], '[3,1,2]'],
    [{ 10: 'x', 9: 'y' }, '{"9":"y","10":"x"}'],
    ['温度 "℃"', '"温度 \\"℃\\""'],
    [null, 'null'],
    [-0.1, '-0.1'],
  ])('of %j', (value, text) => {
    expect(canonical(value)).toBe(text);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('has no form for %d, wherever it stands', (number) => {
    expect(() => canonical(number)).toThrow(new TypeError(`${number} has no form in JSON`));
    expect(() => canonical({ a: [number] })).toThrow(TypeError);
  });
});

describe('the chain', () => {
  it('is of SHA-256 over UTF-8', () => {
    // FIPS 180-4, "abc"
    expect(digestOf('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    // `printf 温 | sha256sum` in a terminal of UTF-8
    expect(digestOf('温')).toBe('7032411fb35a3c9aaa1eb83bd0ff19267ec4ed32409c30f1e5ebb75d5dd01ecc');
  });

  it('begins with the head of its part, whatever the order of the names in it', () => {
    const head: CheckPartHead = {
      ...{ id: 'p', session: 's', parents: [], computer: 'c', program: '1' },
      ...{ started_at: '2026-01-01T00:00:00.000Z', not_before: '' },
    };
    const turned = Object.fromEntries(Object.entries(head).reverse()) as CheckPartHead;
    expect(headDigest(turned)).toBe(headDigest(head));
    expect(headDigest(head)).toBe(digestOf(canonical(head)));
    expect(headDigest({ ...head, program: '2' })).not.toBe(headDigest(head));
  });

  it('has in each entry what stands in front of it', () => {
    expect(entryDigest('aa', '{}')).toBe(digestOf('aa\n{}'));
    expect(entryDigest('ab', '{}')).not.toBe(entryDigest('aa', '{}'));
    expect(entryDigest('a', 'a{}')).not.toBe(entryDigest('aa', '{}'));
  });
});
