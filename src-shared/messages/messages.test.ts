import { describe, expect, it } from 'vitest';
import { english, MESSAGES, quoted, say } from './index.ts';
import { names, wordsOf } from './message.ts';

const FOREIGN = {
  language: 'zh' as const,
  catalogue: { 'a.outer': 'aussen {{inner}} {{list}}', 'a.inner': 'innen {{count}}' },
  comma: ' + ',
};

describe('messages', () => {
  it('are filled with their parameters, other messages and lists among them', () => {
    expect(english(quoted('a device said so'))).toBe('a device said so');
    expect(english(say('common.two', { first: quoted('One.'), second: say('common.cancelled') }))).toBe('One. Cancelled on request.');
    expect(english(say('common.list', { parts: [1, 'two', quoted('three')] }))).toBe('1, two, three');
  });

  it('are spoken in another language to their innermost part, with its comma', () => {
    const inner = { code: 'a.inner', params: { count: 3 } };
    expect(wordsOf({ code: 'a.outer', params: { inner, list: [inner, 'x'] } }, FOREIGN)).toBe('aussen innen 3 innen 3 + x');
  });

  it('take a name out of a table in the language of the words', () => {
    const param = names('spontaneous', '突发');
    expect(english(say('common.list', { parts: [3, param] }))).toBe('3, spontaneous');
    expect(wordsOf({ code: 'a.inner', params: { count: param } }, FOREIGN)).toBe('innen 突发');
  });

  it('have no words where the id, a parameter or an inner message is unknown', () => {
    expect(wordsOf({ code: 'a.none', params: {} }, FOREIGN)).toBeNull();
    expect(wordsOf({ code: 'constructor', params: {} }, FOREIGN)).toBeNull();
    expect(wordsOf({ code: 'a.inner', params: {} }, FOREIGN)).toBeNull();
    expect(wordsOf({ code: 'a.outer', params: { inner: { code: 'a.none', params: {} }, list: [] } }, FOREIGN)).toBeNull();
    expect(wordsOf({ code: 'a.outer', params: { inner: 'x', list: [{ code: 'a.none', params: {} }] } }, FOREIGN)).toBeNull();
  });

  it('fill nothing into what a parameter says', () => {
    expect(english(say('common.two', { first: '{{second}}', second: '$& {{first}}' }))).toBe('{{second}} $& {{first}}');
  });

  it('are named after their room', () => {
    expect(Object.keys(MESSAGES).filter((id) => !/^[a-z0-9]+\.[a-z0-9_]+$/.test(id))).toEqual([]);
  });
});
