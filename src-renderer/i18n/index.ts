import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { en } from './en/index.ts';
import { zh } from './zh/index.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'app';
    resources: typeof en;
  }
}

export const LANGUAGES = ['zh-CN', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Each language in its own words. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { 'zh-CN': '中文', en: 'English' };

const LANGUAGE_KEY = 'loopcheck.language';

function asLanguage(tag: string | null): Language | null {
  if (!tag) return null;
  return tag.toLowerCase().startsWith('zh') ? 'zh-CN' : 'en';
}

/** Language of the pages: `?lng=` of this page, else the stored choice, else the browser's (zh* is Chinese, all others English). */
export function initialLanguage(): Language {
  const fromUrl = asLanguage(new URLSearchParams(window.location.search).get('lng'));
  return fromUrl ?? asLanguage(localStorage.getItem(LANGUAGE_KEY)) ?? asLanguage(navigator.language) ?? 'en';
}

/** Changes the language of all pages at once and remembers it on this computer. */
export async function setLanguage(language: Language): Promise<void> {
  localStorage.setItem(LANGUAGE_KEY, language);
  await i18next.changeLanguage(language);
}

i18next.on('languageChanged', (language) => {
  document.documentElement.lang = language;
});

void i18next.use(initReactI18next).init({
  initAsync: false,
  lng: initialLanguage(),
  fallbackLng: 'en',
  defaultNS: 'app',
  ns: Object.keys(en),
  resources: { en, 'zh-CN': zh },
  interpolation: { escapeValue: false },
});

/** Translates outside of components (notifications, stores). Inside them `useTranslation` follows a language change. */
export const i18n = i18next;
