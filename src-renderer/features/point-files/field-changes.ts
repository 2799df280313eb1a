import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { FieldChange } from '#shared/contract/field-change.ts';
import { describeDecode } from '#shared/domain/decode.ts';
import { hexAddress, slaveText } from '#shared/domain/notation.ts';
import { useSettingName } from '../../ui/form/field-text.ts';
import { termsOf, useNotation } from '../channels/protocol-facts.ts';
import { FRAME_TYPE_LETTERS } from '../points/point-text.ts';

/** What differs in a point, in the words of the pages. */
export interface FieldWords {
  nameOf(field: string): string;
  textOf(field: string, value: FieldChange['before']): string;
  /** All of it as one line: `Upper limit: 250 → 0; Unit: V → kV`. */
  lineOf(fields: readonly FieldChange[]): string;
}

/** Names and values of fields as a protocol writes them: data identifiers in hexadecimal, meters with all digits, decode codes with their letters. */
export function useFieldWords(protocolType: Channel['protocol_type'] | undefined): FieldWords {
  const { t } = useTranslation(['files', 'fields']);
  const notation = useNotation(protocolType);
  const settingName = useSettingName();
  return useMemo(() => {
    const terms = termsOf(notation);
    function nameOf(field: string) {
      if (field === 'slave_id') return t('fields:place.slave', { context: terms.slave });
      if (field === 'address') return t('fields:place.address', { context: terms.address });
      return settingName(field.replace(/^protocol\./, ''));
    }
    function textOf(field: string, value: FieldChange['before']) {
      if (value === null || value === '') return t('files:empty');
      if (typeof value === 'boolean') return value ? t('files:yes') : t('files:no');
      if (field === 'decode') return describeDecode(String(value));
      if (typeof value !== 'number') return value;
      if (field === 'frame_type') return FRAME_TYPE_LETTERS[value as keyof typeof FRAME_TYPE_LETTERS] ?? String(value);
      if (field === 'slave_id') return slaveText(value, notation);
      return field === 'address' && notation.address.form === 'hexadecimal' ? hexAddress(value, notation) : String(value);
    }
    const wordsOf = ({ field, before, after }: FieldChange) =>
      t('files:fieldChange', { field: nameOf(field), before: textOf(field, before), after: textOf(field, after) });
    return { nameOf, textOf, lineOf: (fields) => fields.map(wordsOf).join('; ') };
  }, [t, notation, settingName]);
}
