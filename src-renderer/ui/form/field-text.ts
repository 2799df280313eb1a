import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { fields } from '../../i18n/en/fields.ts';
import type { FieldText } from './field.tsx';
import { type FieldSpec, isEmptyMeant } from './schema-field.ts';

type FieldKey = Exclude<
  {
    [Key in keyof typeof fields]: (typeof fields)[Key] extends string ? Key : never;
  }[keyof typeof fields],
  'address3' | 'decodeSame' | 'onWire' | 'byDefaultOf' | 'leftOut'
>;
type HintKey = keyof typeof fields.hint;
type SettingKey = keyof typeof fields.protocolSetting;

const isKey = (key: string): key is FieldKey => key in fields && typeof fields[key as FieldKey] === 'string';
const isHint = (key: string): key is HintKey => key in fields.hint;
const isChoiceKey = (key: string): key is keyof typeof fields.protocolChoice => key in fields.protocolChoice;
const isSettingHint = (key: string): key is keyof typeof fields.protocolSettingHint => key in fields.protocolSettingHint;
const isChoiceValue = (value: unknown): value is string | number | boolean => ['string', 'number', 'boolean'].includes(typeof value);
const isSetting = (key: string): key is SettingKey => key in fields.protocolSetting;

/** `select_before_operate` as words, for a setting without a translation. */
function spelled(key: string): string {
  const words = key.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const UNITS = { _ms: 'ms', _s: 's', _min: 'min' } as const;

/** Unit that the name of a setting ends with, under `unitOf` of the fields texts; null for a setting without one. */
export function unitOf(key: string): keyof typeof fields.unitOf | null {
  const ending = Object.entries(UNITS).find(([suffix]) => key.endsWith(suffix));
  return ending?.[1] ?? (key === 'max_gap' ? 'registers' : null);
}

/** Name of a setting of a channel, its own or that of its protocol. */
export function useSettingName(): (key: string) => string {
  const { t } = useTranslation('fields');
  return useCallback((key) => (isKey(key) ? t(key) : isSetting(key) ? t(`protocolSetting.${key}`) : spelled(key)), [t]);
}

/** Words of a field: translated where a translation exists, else what the schema says itself, so a new setting needs no new text to be usable. */
export function useFieldText(): (spec: FieldSpec, isProtocolSetting: boolean) => FieldText {
  const { t } = useTranslation('fields');
  return useCallback(
    (spec, isProtocolSetting) => {
      const unit = unitOf(spec.key);
      const base: { readonly unit?: string } = unit ? { unit: t(`unitOf.${unit}`) } : {};
      if (!isProtocolSetting) {
        const hint = isHint(spec.key) ? { hint: t(`hint.${spec.key}`) } : {};
        return { ...base, ...hint, label: isKey(spec.key) ? t(spec.key) : spelled(spec.key) };
      }
      const label = isSetting(spec.key) ? t(`protocolSetting.${spec.key}`) : spec.title || spelled(spec.key);
      const hint = isSettingHint(spec.key)
        ? { hint: t(`protocolSettingHint.${spec.key}`) }
        : !isSetting(spec.key) && spec.description
          ? { hint: spec.description }
          : {};
      const choiceLabel = (value: string | number | boolean) => {
        const word = String(value);
        return isChoiceKey(word) ? t(`protocolChoice.${word}`) : word;
      };
      const { defaultValue } = spec;
      const shown = isChoiceValue(defaultValue) ? [choiceLabel(defaultValue), base.unit].filter(Boolean).join(' ') : '';
      const placeholder = isEmptyMeant(spec) ? t('leftOut') : shown ? t('byDefaultOf', { value: shown }) : t('protocolSetting.byDefault');
      return { ...base, ...hint, label, choiceLabel, placeholder };
    },
    [t],
  );
}
