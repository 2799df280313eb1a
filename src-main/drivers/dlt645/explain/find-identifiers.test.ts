import { describe, expect, it } from 'vitest';
import { findItem } from '../dictionary/dictionary.ts';
import { findIdentifiers } from './hint.ts';

const texts = (search: string, protocol: Record<string, unknown> = {}, limit = 50) =>
  findIdentifiers(search, protocol, limit).map(({ addressText }) => addressText);

describe('identifiers found by words', () => {
  it('have every word in their name, in either language, or in their digits', () => {
    expect(texts('正向有功总电能 当前')).toContain('00010000');
    expect(texts('forward active total current')).toContain('00010000');
    expect(texts('0x0001 kwh')[0]).toBe('00010000');
    expect(texts('A相 电压')).toContain('02010100');
    expect(texts('no such thing at all')).toEqual([]);
  });

  it('are those of the edition', () => {
    expect(texts('总', { edition: 1997 }).every((text) => text.length === 4)).toBe(true);
    expect(texts('', { edition: 1997 }, 5)).toHaveLength(5);
  });

  it('are there once, known, and no more than asked for', () => {
    const all = findIdentifiers('', {}, 100_000);
    expect(new Set(all.map(({ address }) => address)).size).toBe(all.length);
    expect(all.filter(({ address, nameEn }) => findItem(2007, address)?.nameEn !== nameEn)).toEqual([]);
    expect(all.length).toBeGreaterThan(400);
    expect(texts('', {}, 7)).toHaveLength(7);
  });

  it('of passwords are not offered: no meter gives them away', () => {
    expect(texts('04000C')).toEqual([]);
  });
});
