import { useEffect, useEffectEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { CheckRun } from '#shared/contract/check.ts';
import { useCheckMemory } from './check-store.ts';
import { codeOfResult, useFindingText } from './check-text.ts';

/** False where the browser has no voice. */
export function canSpeak(): boolean {
  return 'speechSynthesis' in window;
}

/** Speaks each new result with its findings, and what is next, where somebody switched it on. */
export function useSpeech(run: CheckRun | null): void {
  const { t, i18n } = useTranslation('check');
  const finding = useFindingText();
  const isSpoken = useCheckMemory((state) => state.isSpoken);
  const heard = useRef<string | null>(null);
  const newest = run?.results[0];
  const digest = newest?.digest ?? '';
  const say = useEffectEvent(() => {
    // what was there when the view was opened is no news
    const isNews = heard.current !== null && heard.current !== digest;
    heard.current = digest;
    if (!isNews || !isSpoken || !run || !newest || !canSpeak()) return;
    const { way, item, state } = run;
    const next =
      way === 'guided' && item ? t('guided.saidNext', { name: item.name || item.code }) : state === 'ended' ? t('guided.saidEnd') : '';
    const result = t('guided.saidResult', { code: codeOfResult(newest), verdict: t(`verdict.${newest.verdict}`) });
    const utterance = new SpeechSynthesisUtterance([result, ...newest.findings.map(finding), next].join(' '));
    utterance.lang = i18n.language === 'en' ? 'en-US' : 'zh-CN';
    window.speechSynthesis.cancel();
    window.speechSynthesis.speak(utterance);
  });
  const isKnown = run !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each new result
  useEffect(() => {
    if (isKnown) say();
  }, [isKnown, digest]);
  useEffect(() => {
    if (!isSpoken && canSpeak()) window.speechSynthesis.cancel();
  }, [isSpoken]);
  useEffect(() => () => (canSpeak() ? window.speechSynthesis.cancel() : undefined), []);
}
