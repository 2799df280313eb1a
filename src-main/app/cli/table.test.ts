import { describe, expect, it } from 'vitest';
import { EventParser } from './event-source.ts';
import { namedPoint } from './points.ts';
import { tableOf, textWidth } from './table.ts';
import { languageOf } from './words.ts';
import { wordsEn } from './words-en.ts';
import { wordsZh } from './words-zh.ts';

const COLUMNS = [
  { head: '编码', cell: ({ code }: Row) => code },
  { head: 'Value', side: 'right' as const, cell: ({ value }: Row) => value },
  { head: 'Empty', cell: () => '' },
  { head: 'End', cell: ({ end }: Row) => end },
];
interface Row {
  readonly code: string;
  readonly value: string;
  readonly end: string;
}

describe('tables', () => {
  it('count Chinese signs as two columns, and leave empty columns out', () => {
    const rows = [
      { code: '有功功率', value: '1', end: 'a' },
      { code: 'P', value: '-10.5', end: '' },
    ];
    expect(tableOf(COLUMNS, rows)).toBe('编码      Value  End\n有功功率      1  a\nP         -10.5\n');
  });

  it.each([
    ['abc', 3],
    ['有功', 4],
    ['（Ａ）', 6],
    ['e\u0301', 1],
    ['⚡️', 1],
    ['🔋', 2],
    ['𠮷', 2],
  ])('%s is %i columns wide', (text, width) => {
    expect(textWidth(text)).toBe(width);
  });

  it('let no name of a device steer the terminal', () => {
    expect(tableOf(COLUMNS, [{ code: 'a\u001b[31mb\r\nc', value: '', end: '\u009b2J' }])).not.toMatch(/(?!\n)\p{Cc}/u);
  });
});

describe('names of points', () => {
  it.each([
    ['P', undefined, { code: 'P' }],
    ['PCS 1/P', undefined, { device_name: 'PCS 1', code: 'P' }],
    ['PCS/1/P', undefined, { device_name: 'PCS/1', code: 'P' }],
    ['PCS/P', undefined, { device_name: 'PCS', code: 'P' }],
    ['LD0/MMXU1.A', undefined, { code: 'LD0/MMXU1.A' }],
    ['PCS/', undefined, { code: 'PCS/' }],
    ['PCS/P', 'PCS 1', { device_name: 'PCS 1', code: 'PCS/P' }],
  ])('%s, device %s', (text, device, named) => {
    expect(namedPoint(text, [{ name: 'PCS' }, { name: 'PCS/1' }, { name: 'PCS 1' }], device)).toEqual(named);
  });
});

describe('events of a stream', () => {
  it('are the same wherever the octets are cut', () => {
    const text = 'event: hello\ndata: {"a":"有"}\n\n: still here\n\nevent: values\nid: 9f-1\ndata: 1\ndata: 2\n\nevent: cut';
    const octets = new TextEncoder().encode(text);
    const wanted = [
      { event: 'hello', id: null, data: '{"a":"有"}' },
      { event: 'values', id: '9f-1', data: '1\n2' },
    ];
    for (let size = 1; size <= octets.length; size += 1) {
      const parser = new EventParser();
      const seen = [];
      for (let at = 0; at < octets.length; at += size) seen.push(...parser.push(octets.subarray(at, at + size)));
      expect(seen).toEqual(wanted);
    }
  });
});

describe('words', () => {
  it.each([
    ['zh', {}, 'en', 'zh'],
    ['en', { LANG: 'zh_CN.UTF-8' }, 'zh-CN', 'en'],
    [undefined, { LANG: 'zh_CN.UTF-8' }, 'en', 'zh'],
    [undefined, { LANG: 'zh_CN.UTF-8', LC_ALL: 'C' }, 'zh-CN', 'en'],
    [undefined, { LANG: 'de_DE' }, 'zh-CN', 'en'],
    [undefined, {}, 'zh-CN', 'zh'],
    [undefined, {}, 'fr-FR', 'en'],
  ] as const)('language %s, environment %j, system %s: %s', (given, env, system, language) => {
    expect(languageOf(given, env, system)).toBe(language);
  });

  it('name the same variables in both languages, and are Chinese in Chinese', () => {
    const flat = (node: object, path = ''): [string, string][] =>
      Object.entries(node).flatMap(([key, value]: [string, unknown]) =>
        typeof value === 'object' && value !== null
          ? flat(value, `${path}.${key}`)
          : [[`${path}.${key}`, String(value)] as [string, string]],
      );
    const names = (text: string | undefined) => [...new Set([...(text ?? '').matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name))].sort();
    const english = new Map(flat(wordsEn));
    const chinese = flat(wordsZh);
    expect(chinese.map(([path]) => path).sort()).toEqual([...english.keys()].sort());
    expect(chinese.filter(([path, text]) => names(text).join() !== names(english.get(path)).join())).toEqual([]);
    const ownWords = chinese.map(([path, text]) => [path, text.replace(/\{\{\w+\}\}/g, '')] as const);
    expect(ownWords.filter(([, text]) => !/[\u4e00-\u9fff]/.test(text))).toEqual([]);
  });
});
