import { ActionIcon, Select, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { FieldText } from '../../ui/form/field.tsx';
import type { FieldSpec } from '../../ui/form/schema-field.ts';
import { useFirstFound } from '../../ui/form/use-first-found.ts';
import { Icon } from '../../ui/icons.tsx';

interface BulkFieldProps {
  readonly spec: FieldSpec;
  readonly text: FieldText;
  /** What all points have; null where they differ. */
  readonly common: string | null;
  /** What was entered; undefined: the points keep what they have. */
  readonly entry: string | undefined;
  readonly error: string | null;
  /** The first field: it has the keyboard when the form opens. */
  readonly isFirst: boolean;
  onChange(entry: string | undefined): void;
}

/** One field of many points: their common value, or that they differ, until something is entered; the arrow takes the entry back. */
export function BulkField({ spec, text, common, entry, error, isFirst, onChange }: BulkFieldProps) {
  const { t } = useTranslation('fields');
  const found = useFirstFound();
  const isTouched = entry !== undefined;
  const shared = {
    label: text.label,
    error,
    placeholder: common === null ? t('bulk.mixed') : '',
    'data-path': spec.key,
    ...(isFirst ? { 'data-autofocus': true } : {}),
    styles: isTouched ? { label: { color: 'var(--lc-busy)', fontWeight: 700 } } : {},
    rightSectionPointerEvents: 'all' as const,
    rightSection: isTouched ? (
      <ActionIcon
        size="sm"
        aria-label={t('bulk.keep', { field: text.label })}
        title={t('bulk.keep', { field: text.label })}
        onClick={() => onChange(undefined)}
      >
        <Icon name="restore" size={13} />
      </ActionIcon>
    ) : null,
  };
  if (spec.kind === 'boolean' || spec.kind === 'choice') {
    const choices = spec.kind === 'boolean' ? [true, false] : spec.choices;
    const labelOf = (choice: string | number | boolean) =>
      spec.kind === 'boolean' ? t(choice === true ? 'bulk.yes' : 'bulk.no') : (text.choiceLabel?.(choice) ?? String(choice));
    return (
      <Select
        {...shared}
        data={choices.map((choice) => ({ value: String(choice), label: labelOf(choice) }))}
        value={entry ?? common}
        onChange={(value) => onChange(value ?? undefined)}
        allowDeselect={false}
        searchable={choices.length > 12}
        {...found}
      />
    );
  }
  const written = { ...shared, spellCheck: false, value: entry ?? common ?? '' };
  if ((spec.maxLength ?? 0) > 1000) {
    return <Textarea {...written} rows={2} resize="vertical" onChange={(event) => onChange(event.currentTarget.value)} />;
  }
  return <TextInput {...written} onChange={(event) => onChange(event.currentTarget.value)} />;
}
