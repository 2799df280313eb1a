import { describe, expect, it } from 'vitest';
import { MESSAGES, quoted, say } from '#shared/messages/index.ts';
import { setLanguage } from './index.ts';
import { inWords } from './words.ts';
import { messages as chinese } from './zh/messages/index.ts';

function names(text: string): string {
  return [...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1]))].sort().join();
}

/** A sentence without its parameters. */
function ownWords(text: string): string {
  return text.replaceAll(/\{\{\w+\}\}/g, ' ');
}

describe('the two catalogues of messages', () => {
  it('have the same ids', () => {
    expect(Object.keys(chinese).sort()).toEqual(Object.keys(MESSAGES).sort());
  });

  it.each(Object.entries(MESSAGES))('%s has the same parameters in both', (id, text) => {
    expect(names(chinese[id as keyof typeof chinese])).toBe(names(text));
  });

  it('are Chinese in Chinese', () => {
    const foreign = Object.entries(chinese).filter(([id, text]) => {
      const isWord = /[A-Za-z]{3}/.test(ownWords(MESSAGES[id as keyof typeof MESSAGES])) || /[A-Za-z]/.test(ownWords(text));
      return isWord && !/[一-鿿]/.test(text);
    });
    expect(foreign).toEqual([]);
  });
});

describe('words of a message', () => {
  it('follow the language of the pages, and are the English text where the message is unknown', async () => {
    const said = say('common.two', { first: quoted('USB0:'), second: say('common.cancelled') });
    await setLanguage('zh-CN');
    expect(inWords(said, 'USB0: Cancelled on request.')).toBe('USB0:已按要求取消。');
    expect(inWords({ code: 'newer.service', params: {} }, 'A newer sentence.')).toBe('A newer sentence.');
    expect(inWords(null, 'Kept from before.')).toBe('Kept from before.');
    await setLanguage('en');
    expect(inWords(said, 'USB0: Cancelled on request.')).toBe('USB0: Cancelled on request.');
  });
});
