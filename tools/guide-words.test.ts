import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { en } from '../src-renderer/i18n/en/index.ts';
import { zh } from '../src-renderer/i18n/zh/index.ts';
import { inRoot } from './lib/paths.ts';

/** Pages that lead a reader by the words of the screen, which they have in bold. */
const LEADING = /^(?:first-steps|walk-[\w-]+)(?:\.zh)?\.md$/;

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A text with places to fill: anything is in them, or the page names only the words in front of or behind the first. */
function patternOf(text: string): RegExp[] {
  const parts = text.split(/\{\{\w+\}\}/);
  if (parts.join('').trim().length < 2) return [];
  const whole = parts.map((part) => escaped(part)).join('.+?');
  const alone = parts.length === 1 ? [] : parts.map((part) => part.replace(/^[\s:：]+|[\s:：]+$/g, '')).filter((part) => part.length > 1);
  return [whole, ...alone.map((part) => escaped(part))].map((pattern) => new RegExp(`^${pattern}$`));
}

/** Patterns of all texts of the pages. */
function patternsOf(texts: object): RegExp[] {
  return Object.values(texts).flatMap((text: unknown) => {
    if (typeof text === 'object' && text !== null) return patternsOf(text);
    return typeof text === 'string' ? patternOf(text) : [];
  });
}

/** What the screen has from elsewhere: a mark with its number, names of the demo plant, of protocols. */
const OTHERS = /^(?:Y[CXKT](?: \d+)?|Demo [\w ]+|Modbus [\w ]+|DL\/T 645(?:-2007)?|IEC [\w ]+|[A-Z]{2}:?)$/;

/** The words that say what bold means. */
const SAYS = ['Bold', 'bold', '粗体'];

const PATTERNS = { en: patternsOf(en), zh: patternsOf(zh) };

it.each(readdirSync(inRoot('docs/guide')).filter((name) => LEADING.test(name)))('%s has the words of the screen', (name) => {
  const text = readFileSync(inRoot('docs/guide', name), 'utf8');
  const language = name.endsWith('.zh.md') ? 'zh' : 'en';
  const words = [...text.matchAll(/\*\*(?:\d\. )?([^*\n]+)\*\*/g)].map(([, word]) => word ?? '');
  const strange = words.filter((word) => !OTHERS.test(word) && !PATTERNS[language].some((pattern) => pattern.test(word)));
  expect(words.length).toBeGreaterThan(5);
  expect(strange.filter((word) => !SAYS.includes(word))).toEqual([]);
});

it('the Chinese sentences of the doctor and the search are those of the pages', () => {
  const said: Readonly<Record<string, { readonly text: string; readonly next?: string }>> = { ...zh.doctor.codes, ...zh.tools.find.notes };
  const rows = readFileSync(inRoot('docs/guide/doctor.zh.md'), 'utf8').split('\n');
  const missing = Object.entries(said).filter(([code, { text, next }]) => !rows.includes(`| \`${code}\` | ${text} | ${next ?? '–'} |`));
  expect(missing.map(([code]) => code)).toEqual([]);
});
