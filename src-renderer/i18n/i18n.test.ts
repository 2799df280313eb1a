import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '#shared/domain/errors.ts';
import { en } from './en/index.ts';
import { i18n, initialLanguage, setLanguage } from './index.ts';
import { zh } from './zh/index.ts';
import { messages } from './zh/messages/index.ts';

function texts(node: object, path = ''): [string, string][] {
  return Object.entries(node).flatMap(([key, value]: [string, unknown]) => {
    const here = path ? `${path}.${key}` : key;
    return typeof value === 'object' && value !== null ? texts(value, here) : [[here, String(value)] as [string, string]];
  });
}

function variables(text: string): string[] {
  return [...text.matchAll(/\{\{\s*(\w+)/g)].map((match) => match[1] ?? '').sort();
}

const english = new Map(texts(en));
const chinese = new Map(texts(zh));

describe('translations', () => {
  it('have the same keys in both languages, but for English singulars', () => {
    const wanted = [...english.keys()].filter((key) => !key.endsWith('_one'));
    expect([...chinese.keys()].sort()).toEqual(wanted.sort());
  });

  it('have no empty text', () => {
    expect([...english, ...chinese].filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  it('name the same variables in both languages', () => {
    const differing = [...chinese].filter(([key, text]) => variables(text).join() !== variables(english.get(key) ?? '').join());
    expect(differing.map(([key]) => key)).toEqual([]);
  });

  it('have a plural for every singular', () => {
    const singles = [...english.keys()].filter((key) => key.endsWith('_one')).map((key) => key.replace(/_one$/, '_other'));
    expect(singles.filter((key) => !english.has(key))).toEqual([]);
  });

  it('are Chinese in Chinese', () => {
    const words = [...chinese].filter(([key]) => key.startsWith('errors.codes.'));
    expect(words.filter(([, text]) => !/[\u4e00-\u9fff]/.test(text))).toEqual([]);
  });

  it('say 从机 for a slave in every place: 单元 is a cell of a table or of the application layer', () => {
    const all = [...chinese, ...texts(messages)];
    expect(all.filter(([, text]) => /(?<!数据)单元(?!格)/.test(text))).toEqual([]);
    expect(all.filter(([, text]) => text.includes('从机')).length).toBeGreaterThan(20);
  });
});

describe('error texts', () => {
  it.each(Object.keys(ERROR_CODES))('%s has title, cause and next step in both languages', (code) => {
    for (const part of ['title', 'cause', 'next']) {
      expect(english.get(`errors.codes.${code}.${part}`), `en ${part}`).toBeTruthy();
      expect(chinese.get(`errors.codes.${code}.${part}`), `zh ${part}`).toBeTruthy();
    }
  });

  it('exist for no other code', () => {
    expect(Object.keys(en.errors.codes).sort()).toEqual(Object.keys(ERROR_CODES).sort());
  });
});

describe('language', () => {
  it('is remembered, and ?lng= of the page wins over it', async () => {
    await setLanguage('zh-CN');
    expect(i18n.t('app:action.cancel')).toBe('取消');
    expect(document.documentElement.lang).toBe('zh-CN');
    expect(initialLanguage()).toBe('zh-CN');
    window.history.replaceState(null, '', '/?lng=en');
    expect(initialLanguage()).toBe('en');
    window.history.replaceState(null, '', '/');
    await setLanguage('en');
    expect(i18n.t('app:action.cancel')).toBe('Cancel');
  });

  it('takes the browser language without a choice: zh-TW is Chinese, German falls to English', () => {
    localStorage.clear();
    const spy = Object.getOwnPropertyDescriptor(Navigator.prototype, 'language');
    for (const [tag, wanted] of [
      ['zh-TW', 'zh-CN'],
      ['de-DE', 'en'],
    ]) {
      Object.defineProperty(navigator, 'language', { value: tag, configurable: true });
      expect(initialLanguage()).toBe(wanted);
    }
    if (spy) Object.defineProperty(navigator, 'language', spy);
  });
});
