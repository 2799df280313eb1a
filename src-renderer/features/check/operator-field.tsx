import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useCheckMemory } from './check-store.ts';

/** Who checks, as this browser remembers; empty before somebody said so. */
export function useOperator(): string {
  return useCheckMemory((state) => state.operator).trim();
}

/** Who checks. `isTried`: the form was sent, and says what is missing. */
export function OperatorField({ isTried, takesFocus = false }: { readonly isTried: boolean; readonly takesFocus?: boolean }) {
  const { t } = useTranslation('check');
  const operator = useCheckMemory((state) => state.operator);
  return (
    <TextInput
      label={t('result.operator')}
      value={operator}
      maxLength={100}
      error={isTried && operator.trim() === '' ? t('result.operatorMissing') : null}
      onChange={(event) => useCheckMemory.setState({ operator: event.currentTarget.value })}
      {...(takesFocus ? { 'data-autofocus': true } : {})}
      data-path="operator"
    />
  );
}
