import { Autocomplete, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { useOperation } from '../../api/hooks.ts';
import { formatHex, modbusReference, parseAddress } from '../../ui/address.ts';
import type { FieldProps } from '../../ui/form/field.tsx';

interface AddressFieldProps extends FieldProps {
  /** Function code of the point, where the protocol has them: it decides the classic reference. */
  readonly funcCode: number | null;
  readonly addressBase: number;
  /** The protocol has a dictionary of its addresses: they are written in hexadecimal, and found by words. Left out: it has none. */
  readonly dictionary?: Dictionary | undefined;
}

/** Where addresses are looked for. */
export interface Dictionary {
  readonly protocolType: Channel['protocol_type'];
  /** As the form has it. */
  readonly edition: unknown;
}

const PAUSE_MS = 200;

/** Addresses of a dictionary that fit what is being written, with their names. */
function useItems(dictionary: Dictionary | undefined, typed: string) {
  const { i18n } = useTranslation();
  const [search] = useDebouncedValue(typed.trim().slice(0, 100), PAUSE_MS);
  const input = {
    protocol_type: String(dictionary?.protocolType ?? 0),
    search,
    ...(typeof dictionary?.edition === 'number' ? { edition: String(dictionary.edition) } : {}),
  };
  const found = useOperation('pointItems', input, { enabled: dictionary !== undefined }).data ?? [];
  return new Map(
    found.map((item) => [formatHex(item.address), { name: i18n.language === 'en' ? item.name_en : item.name_zh, unit: item.unit }]),
  );
}

/** An address in every way people write it, side by side, and what goes over the wire when the channel has an address base. */
export function AddressField({ text, value, error, onChange, funcCode, addressBase, dictionary }: AddressFieldProps) {
  const { t } = useTranslation('fields');
  const [typed, setTyped] = useState('');
  // As typed, as long as it means the value: `0x1` must not turn into 1 while 0x10 is being written.
  const spelled = typeof value === 'number' && dictionary ? formatHex(value) : value;
  const shown =
    (parseAddress(typed) ?? typed) === value ? typed : typeof spelled === 'number' || typeof spelled === 'string' ? String(spelled) : '';
  const change = (next: string) => {
    setTyped(next);
    onChange(parseAddress(next) ?? next);
  };
  const parts: string[] = [];
  if (typeof value === 'number') {
    const wire = value - addressBase;
    parts.push(String(value), formatHex(value));
    const reference = modbusReference(wire, funcCode);
    if (reference) parts.push(reference);
    if (addressBase !== 0 && wire >= 0) parts.push(t('onWire', { dec: wire, hex: formatHex(wire) }));
  }
  const items = useItems(dictionary, typed);
  const shared = {
    label: text.label,
    description: parts.length > 0 ? parts.join(' · ') : text.hint,
    error,
    value: shown,
    withAsterisk: true,
    'data-path': 'address',
  };
  if (!dictionary) return <TextInput {...shared} onChange={(event) => change(event.currentTarget.value)} />;
  return (
    <Autocomplete
      {...shared}
      data={[...items.keys()]}
      filter={({ options }) => options}
      onChange={change}
      maxDropdownHeight={260}
      comboboxProps={{ width: 420, position: 'bottom-start', shadow: 'md' }}
      renderOption={({ option }) => (
        <span>
          <span className="lc-mono">{option.value}</span> {items.get(option.value)?.name}{' '}
          <small style={{ color: 'var(--lc-muted)' }}>{items.get(option.value)?.unit}</small>
        </span>
      )}
    />
  );
}
