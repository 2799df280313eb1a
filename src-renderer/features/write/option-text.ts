import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { points as words } from '../../i18n/en/points.ts';
import type { FieldText } from '../../ui/form/field.tsx';
import type { FieldSpec } from '../../ui/form/schema-field.ts';
import { formatDateTime } from '../../ui/time.ts';

const isIn = <Words extends object>(key: string, node: Words): key is Extract<keyof Words, string> => key in node;
const { optionOf, optionHint, optionChoice } = words.write;

/** Words of the options of a command: translated where a translation exists, else what the protocol says. */
export function useOptionText() {
  const { t } = useTranslation('points');
  const nameOf = useCallback(
    ({ key, title }: Pick<FieldSpec, 'key' | 'title'>) =>
      isIn(key, optionOf) ? t(`write.optionOf.${key}`) : title || key.replaceAll('_', ' '),
    [t],
  );
  const choiceOf = useCallback(
    ({ key }: Pick<FieldSpec, 'key'>, value: unknown) => {
      const choice = `${key}_${String(value)}`;
      return isIn(choice, optionChoice) ? t(`write.optionChoice.${choice}`) : String(value);
    },
    [t],
  );
  const fieldText = useCallback(
    (spec: FieldSpec, missing: string | null): FieldText => ({
      label: nameOf(spec),
      hint: missing ?? (isIn(spec.key, optionHint) ? t(`write.optionHint.${spec.key}`) : spec.description),
      placeholder: spec.defaultValue === undefined ? '' : String(spec.defaultValue),
      choiceLabel: (value) => choiceOf(spec, value),
    }),
    [t, nameOf, choiceOf],
  );
  /** An option that was given, in a phrase. */
  const said = useCallback(
    (spec: FieldSpec, value: unknown) => {
      if (value === true) return nameOf(spec);
      const text = spec.kind === 'moment' ? formatDateTime(String(value)) : choiceOf(spec, value);
      return `${nameOf(spec)}: ${text}`;
    },
    [nameOf, choiceOf],
  );
  return useMemo(() => ({ nameOf, fieldText, said }), [nameOf, fieldText, said]);
}
