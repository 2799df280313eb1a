import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatHex, modbusReference, parseAddress } from '../../ui/address.ts';
import type { FieldProps } from '../../ui/form/field.tsx';

interface AddressFieldProps extends FieldProps {
  /** Function code of the point, where the protocol has them: it decides the classic reference. */
  readonly funcCode: number | null;
  readonly addressBase: number;
  /** People of the protocol write addresses in hexadecimal. */
  readonly isHex?: boolean;
}

/** An address in every way people write it, side by side, and what goes over the wire when the channel has an address base. */
export function AddressField({ text, value, error, onChange, funcCode, addressBase, isHex = false }: AddressFieldProps) {
  const { t } = useTranslation('fields');
  const [typed, setTyped] = useState('');
  // As typed, as long as it means the value: `0x1` must not turn into 1 while 0x10 is being written.
  const spelled = typeof value === 'number' && isHex ? formatHex(value) : value;
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
  return (
    <TextInput
      label={text.label}
      description={parts.length > 0 ? parts.join(' · ') : text.hint}
      error={error}
      value={shown}
      onChange={(event) => change(event.currentTarget.value)}
      withAsterisk
      data-path="address"
    />
  );
}
