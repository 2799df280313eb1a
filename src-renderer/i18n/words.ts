import i18next from 'i18next';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { english, MESSAGES, say } from '#shared/messages/index.ts';
import { type Message, type MessageParams, type Words, wordsOf } from '#shared/messages/message.ts';
import { messages as chinese } from './zh/messages/index.ts';

const WORDS: Readonly<Record<string, Words>> = {
  en: { language: 'en', catalogue: MESSAGES, comma: ', ' },
  'zh-CN': { language: 'zh', catalogue: chinese, comma: '、' },
};

/**
 * A message of the service in the language of the pages. `text` is its English beside it, shown where the message is unknown: made by
 * a newer service, or stored before messages were kept. Inside components `useWords` follows a change of the language.
 */
export function inWords(message: Message | null | undefined, text: string): string {
  const words = WORDS[i18next.language];
  return (message && words && wordsOf(message, words)) ?? text;
}

/** Parameters of a sentence that the pages have themselves, each in the language of the pages. A number stays one: plurals hang on it. */
export function paramsInWords(params: MessageParams): Record<string, string | number> {
  const words = (param: MessageParams[string]) =>
    inWords(say('common.list', { parts: param }), english(say('common.list', { parts: param })));
  return Object.fromEntries(Object.entries(params).map(([name, param]) => [name, typeof param === 'number' ? param : words(param)]));
}

/** `inWords`, drawn again when the language changes. */
export function useWords(): typeof inWords {
  const { i18n } = useTranslation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the language is what the words depend on
  return useCallback((message, text) => inWords(message, text), [i18n.language]);
}
