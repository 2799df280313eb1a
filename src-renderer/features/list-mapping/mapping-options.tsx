import { NativeSelect, NumberInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './list-mapping.module.css';
import type { MappingView } from './mapping-view.ts';

/** Choices that hold for the whole list. */
export function MappingOptions({ mapping, onMapping }: MappingView) {
  const { t } = useTranslation('lists');
  const number = (key: 'slave_id' | 'add', fallback: number) => ({
    size: 'xs',
    w: 190,
    allowDecimal: false,
    defaultValue: mapping[key] ?? fallback,
    onBlur: (event: React.FocusEvent<HTMLInputElement>) => {
      const text = event.currentTarget.value;
      const value = Number(text);
      if (text !== '' && Number.isInteger(value) && value !== (mapping[key] ?? fallback)) onMapping({ ...mapping, [key]: value });
    },
  });
  return (
    <div className={classes.bar}>
      <NativeSelect
        label={t('options.commands')}
        size="xs"
        w={170}
        data={[
          { value: 'leave', label: t('options.leave') },
          { value: 'make', label: t('options.make') },
        ]}
        value={mapping.commands ?? 'leave'}
        onChange={(event) => onMapping({ ...mapping, commands: event.currentTarget.value === 'make' ? 'make' : 'leave' })}
        data-testid="mapping-commands"
      />
      <NativeSelect
        label={t('options.hidden')}
        size="xs"
        w={120}
        data={[
          { value: 'take', label: t('options.take') },
          { value: 'leave', label: t('options.leaveHidden') },
        ]}
        value={mapping.hidden_rows ?? 'take'}
        onChange={(event) => onMapping({ ...mapping, hidden_rows: event.currentTarget.value === 'leave' ? 'leave' : 'take' })}
      />
      <NumberInput label={t('options.slave')} min={0} {...number('slave_id', 1)} data-testid="mapping-slave" />
      <NumberInput label={t('options.add')} min={-65_535} max={65_535} {...number('add', 0)} data-testid="mapping-add" />
    </div>
  );
}
