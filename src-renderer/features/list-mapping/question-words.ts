import type { TFunction } from 'i18next';
import type { ListQuestion } from '#shared/contract/list-operations.ts';
import type { en } from '../../i18n/en/index.ts';

type Choice = keyof typeof en.lists.choice;

/** What is asked, as a sentence. */
export function questionText({ kind, params }: ListQuestion, t: TFunction<'lists'>): string {
  const word = typeof params.word === 'string' ? params.word : '';
  if (kind === 'type' && word === '') return t('question.typeNone');
  return t(`question.${kind}`, { word });
}

/** A possible answer in words. Types and orders are words of the field in every language. */
export function choiceText({ kind }: Pick<ListQuestion, 'kind'>, choice: string, t: TFunction<'lists'>): string {
  const key = kind === 'function' && /^\d$/.test(choice) ? `function${choice}` : choice;
  return t(`choice.${key as Choice}`, { defaultValue: choice });
}
