import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { numberText } from '#shared/domain/number-text.ts';
import { operations as words } from '../../i18n/en/operations.ts';
import type { FieldText } from '../../ui/form/field.tsx';
import { unitOf } from '../../ui/form/field-text.ts';
import type { FieldSpec } from '../../ui/form/schema-field.ts';
import { formatDateTime } from '../../ui/time.ts';
import type { Operation } from './operation-model.ts';

const isIn = <Words extends object>(key: string, node: Words): key is Extract<keyof Words, string> => key in node;

/** `read_buffer_size` as words, for what has no translation. */
function spelled(key: string): string {
  const text = key.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A point in time as the service writes it. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Words of operations, their parameters and results: translated where a translation exists, else what the descriptor says. */
export function useOperationText() {
  const { t } = useTranslation('operations');
  const nameOf = useCallback((name: string) => (isIn(name, words.name) ? t(`name.${name}`) : spelled(name)), [t]);
  const summaryOf = useCallback(({ name, summary }: Operation) => (isIn(name, words.summary) ? t(`summary.${name}`) : summary), [t]);
  /** Name of what an operation brought; `of` is the operation, or the list it stands in, where the word depends on it. */
  const fieldOf = useCallback(
    (key: string, of = '') => {
      const own = `${of}_${key}`;
      if (isIn(own, words.field)) return t(`field.${own}`);
      if (isIn(own, words.param)) return t(`param.${own}`);
      return isIn(key, words.field) ? t(`field.${key}`) : isIn(key, words.param) ? t(`param.${key}`) : spelled(key);
    },
    [t],
  );
  const paramOf = useCallback(
    (key: string, operation: string) => {
      const own = `${operation}_${key}`;
      return isIn(own, words.param) ? t(`param.${own}`) : isIn(key, words.param) ? t(`param.${key}`) : spelled(key);
    },
    [t],
  );
  const choiceOf = useCallback(
    (value: unknown) => (isIn(String(value), words.choice) ? t(`choice.${String(value) as keyof typeof words.choice}`) : String(value)),
    [t],
  );

  const paramText = useCallback(
    (spec: FieldSpec, operation: string): FieldText => {
      const { key, title, description, defaultValue, isRequired } = spec;
      const ofOperation = `${operation}_${key}`;
      const hintKey = isIn(ofOperation, words.paramHint) ? ofOperation : isIn(key, words.paramHint) ? key : null;
      const isNamed = isIn(ofOperation, words.param) || isIn(key, words.param);
      const said = hintKey ? t(`paramHint.${hintKey}`) : isNamed ? '' : description;
      const standard =
        defaultValue === undefined || defaultValue === null || spec.kind === 'boolean' || String(defaultValue) === ''
          ? ''
          : t('standard', { value: choiceOf(defaultValue) });
      const hint = [said, rangeText(spec, t), standard].filter(Boolean).join(' · ');
      return {
        label: isNamed ? paramOf(key, operation) : title || spelled(key),
        hint,
        placeholder: isRequired ? '' : t('leftOut'),
        isMarked: isRequired,
        choiceLabel: choiceOf,
      };
    },
    [t, choiceOf, paramOf],
  );

  const valueText = useCallback(
    (key: string, value: unknown): string => {
      if (value === null || value === undefined || value === '') return '–';
      if (typeof value === 'boolean') return value ? t('yes') : t('no');
      if (typeof value === 'number') return [numberText(value), unitOf(key) === 'ms' ? 'ms' : ''].filter(Boolean).join(' ');
      if (typeof value === 'string') return TIME.test(value) ? formatDateTime(value) : choiceOf(value);
      return Array.isArray(value) && value.every((item) => typeof item === 'string')
        ? value.map(choiceOf).join('; ')
        : JSON.stringify(value);
    },
    [t, choiceOf],
  );
  return useMemo(
    () => ({ nameOf, summaryOf, fieldOf, paramOf, paramText, valueText }),
    [nameOf, summaryOf, fieldOf, paramOf, paramText, valueText],
  );
}

function rangeText({ kind, min, max }: FieldSpec, t: ReturnType<typeof useTranslation<'operations'>>['t']): string {
  if (kind !== 'integer' && kind !== 'number') return '';
  if (min !== null && max !== null) return t('range', { min, max });
  if (min !== null) return t('least', { min });
  return max === null ? '' : t('most', { max });
}
