import { ActionIcon, Autocomplete } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useOperation } from '../../api/hooks.ts';
import type { FieldProps } from '../../ui/form/field.tsx';
import { Icon } from '../../ui/icons.tsx';

/** A serial port: one of this computer's, looked for again on demand, or any name typed in. */
export function SerialPortField({ text, value, error, onChange }: Pick<FieldProps, 'text' | 'value' | 'error' | 'onChange'>) {
  const { t } = useTranslation('channels');
  const ports = useOperation('listSerialPorts', {});
  const found = ports.data ?? [];
  const about = new Map(
    found.map((port) => {
      const owner = port.used_by ? t('form.portUsed', { name: port.used_by }) : null;
      return [port.path, [port.manufacturer, owner].filter(Boolean).join(' · ')] as const;
    }),
  );
  return (
    <Autocomplete
      label={text.label}
      description={ports.data && found.length === 0 ? t('form.noSerialPorts') : text.hint}
      error={error}
      data={found.map((port) => port.path)}
      value={typeof value === 'string' ? value : ''}
      onChange={onChange}
      renderOption={({ option }) => (
        <span>
          {option.value} <small style={{ color: 'var(--lc-muted)' }}>{about.get(option.value)}</small>
        </span>
      )}
      rightSection={
        <ActionIcon size="sm" aria-label={t('form.refreshPorts')} title={t('form.refreshPorts')} onClick={() => void ports.refetch()}>
          <Icon name="reload" size={14} />
        </ActionIcon>
      }
      data-path="com_port"
    />
  );
}
