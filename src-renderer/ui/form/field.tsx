import { Autocomplete, Checkbox, MultiSelect, NumberInput, Select, Switch, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { writeValueTexts } from '#shared/domain/value-texts.ts';
import { momentText, readMoment } from '../time.ts';
import { useZoneText } from '../zone-text.ts';
import type { FieldSpec } from './schema-field.ts';

/** The words around a field. */
export interface FieldText {
  readonly label: string;
  readonly hint?: string;
  /** Unit shown behind a number. */
  readonly unit?: string;
  /** Shown while the field is empty. */
  readonly placeholder?: string;
  /** Marks a number, choice or list that has to be filled in. */
  readonly isMarked?: boolean;
  /** Texts that are offered while one is written; any other may be written as well. */
  readonly suggestions?: readonly string[];
  choiceLabel?(value: string | number | boolean): string;
}

export interface FieldProps {
  readonly spec: FieldSpec;
  readonly text: FieldText;
  readonly value: unknown;
  readonly error: string | null;
  /** Gets the focus when its dialog opens. */
  readonly isFirst?: boolean;
  onChange(value: unknown): void;
}

function asNumberInput(value: unknown): number | string {
  return typeof value === 'number' || typeof value === 'string' ? value : '';
}

function NumberField({ spec, text, value, error, onChange }: FieldProps) {
  return (
    <NumberInput
      label={text.label}
      description={text.hint}
      error={error}
      value={asNumberInput(value)}
      onChange={(next) => onChange(next === '' ? undefined : next)}
      withAsterisk={text.isMarked ?? false}
      allowDecimal={spec.kind === 'number'}
      clampBehavior="none"
      placeholder={text.placeholder ?? ''}
      suffix={text.unit ? ` ${text.unit}` : ''}
      hideControls
      data-path={spec.key}
    />
  );
}

/** So many choices are looked through by writing. */
const SEARCHED_FROM = 13;

function ChoiceField({ spec, text, value, error, onChange }: FieldProps) {
  const data = spec.choices.map((choice) => ({ value: String(choice), label: text.choiceLabel?.(choice) ?? String(choice) }));
  const isOpen = spec.isNullable || (!spec.isRequired && spec.defaultValue === undefined);
  const chosen = value === undefined || value === null ? null : String(value);
  const label = data.find((item) => item.value === chosen)?.label ?? '';
  const isSearched = data.length >= SEARCHED_FROM;
  // null: nobody is searching, so the field says what is chosen
  const [search, setSearch] = useState<string | null>(null);
  return (
    <Select
      label={text.label}
      description={text.hint}
      error={error}
      data={data}
      withAsterisk={text.isMarked ?? false}
      value={chosen}
      onChange={(next) => onChange(spec.choices.find((choice) => String(choice) === next))}
      clearable={isOpen}
      allowDeselect={isOpen}
      placeholder={isSearched && label !== '' ? label : (text.placeholder ?? '')}
      searchable={isSearched}
      {...(isSearched
        ? {
            searchValue: search ?? label,
            onSearchChange: (next: string) => setSearch((now) => (now === null ? now : next)),
            onDropdownOpen: () => setSearch(''),
            onDropdownClose: () => setSearch(null),
            // Enter takes what was found: it would send the form with what was chosen before
            selectFirstOptionOnChange: search !== null && search !== '',
          }
        : {})}
      data-path={spec.key}
    />
  );
}

function ChoicesField({ spec, text, value, error, onChange }: FieldProps) {
  const given = Array.isArray(value) ? value.map(String) : [];
  return (
    <MultiSelect
      label={text.label}
      description={text.hint}
      error={error}
      data={spec.choices.map((choice) => ({ value: String(choice), label: text.choiceLabel?.(choice) ?? String(choice) }))}
      withAsterisk={text.isMarked ?? false}
      value={given}
      onChange={(next) => onChange(spec.choices.filter((choice) => next.includes(String(choice))))}
      placeholder={given.length === 0 ? (text.placeholder ?? '') : ''}
      clearable
      data-path={spec.key}
    />
  );
}

function JsonField({ spec, text, value, error, onChange }: FieldProps) {
  const shown = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  return (
    <Textarea
      label={text.label}
      description={text.hint}
      error={error}
      value={shown}
      placeholder={text.placeholder === '' ? '' : 'JSON'}
      withAsterisk={text.isMarked ?? false}
      rows={1}
      resize="vertical"
      onChange={(event) => onChange(event.currentTarget.value)}
      data-path={spec.key}
    />
  );
}

/** What is stored in one line; texts that a line cannot hold as JSON. */
function TextsField({ spec, text, value, error, onChange }: FieldProps) {
  const { t } = useTranslation('fields');
  const stored = value === undefined || value === null ? '' : (writeValueTexts(value) ?? JSON.stringify(value));
  return (
    <TextInput
      label={text.label}
      description={text.hint}
      error={error}
      value={typeof value === 'string' ? value : stored}
      placeholder={t('issue.textsExample')}
      withAsterisk={text.isMarked ?? false}
      spellCheck={false}
      onChange={(event) => onChange(event.currentTarget.value)}
      data-path={spec.key}
    />
  );
}

function LinesField({ spec, text, value, error, onChange }: FieldProps) {
  return (
    <Textarea
      label={text.label}
      description={text.hint}
      error={error}
      value={Array.isArray(value) ? value.join('\n') : typeof value === 'string' ? value : ''}
      withAsterisk={text.isMarked ?? false}
      rows={3}
      resize="vertical"
      spellCheck={false}
      onChange={(event) => onChange(event.currentTarget.value)}
      data-path={spec.key}
    />
  );
}

/** Date and time as the whole program writes them, in the zone of the settings; the field of a browser would follow the language and zone of the system. */
function MomentField({ spec, text, value, error, onChange }: FieldProps) {
  const { t } = useTranslation('fields');
  const zone = useZoneText();
  // null: nobody is writing, so the field says what is meant
  const [written, setWritten] = useState<string | null>(null);
  const stored = typeof value !== 'string' ? '' : 'at' in readMoment(value) ? momentText(value) : value;
  function write(next: string) {
    setWritten(next);
    const read = readMoment(next);
    // what cannot be read stays, so that it can be said what is wrong with it
    onChange('at' in read ? read.at : next.trim() || undefined);
  }
  return (
    <TextInput
      label={text.label}
      description={[text.hint, t('moment.hint', { zone })].filter((hint) => hint).join(' · ')}
      error={error}
      placeholder={t('moment.form')}
      value={written ?? stored}
      maxLength={40}
      spellCheck={false}
      autoComplete="off"
      withAsterisk={spec.isRequired}
      onChange={(event) => write(event.currentTarget.value)}
      onBlur={() => setWritten(null)}
      data-path={spec.key}
    />
  );
}

/** A number that few need: unticked it has its default, ticked what is proposed, to be changed. */
function ProposedField({ spec, text, value, error, onChange }: FieldProps) {
  const isSet = value !== undefined && value !== spec.defaultValue;
  // ticked stays ticked while another number is being written
  const [isTicked, setTicked] = useState(isSet);
  const isOn = isTicked || isSet;
  const tick = (isNowOn: boolean) => {
    setTicked(isNowOn);
    onChange(isNowOn ? spec.proposed : spec.defaultValue);
  };
  return (
    <div>
      <Checkbox
        label={text.label}
        checked={isOn}
        onChange={(event) => tick(event.currentTarget.checked)}
        data-testid={`ticks-${spec.key}`}
      />
      <NumberInput
        mt={4}
        aria-label={text.label}
        error={error}
        value={isOn ? asNumberInput(value) : (spec.proposed ?? '')}
        disabled={!isOn}
        onChange={(next) => onChange(next === '' ? undefined : next)}
        allowDecimal={spec.kind === 'number'}
        clampBehavior="none"
        suffix={text.unit ? ` ${text.unit}` : ''}
        hideControls
        data-path={spec.key}
      />
    </div>
  );
}

/** One field of a form, drawn from its description. */
export function Field(props: FieldProps) {
  const { spec, text, value, error, onChange } = props;
  if (spec.proposed !== null) return <ProposedField {...props} />;
  if (spec.kind === 'integer' || spec.kind === 'number') return <NumberField {...props} />;
  if (spec.kind === 'choice') return <ChoiceField {...props} />;
  if (spec.kind === 'choices') return <ChoicesField {...props} />;
  if (spec.kind === 'lines') return <LinesField {...props} />;
  if (spec.kind === 'moment') return <MomentField {...props} />;
  if (spec.kind === 'texts') return <TextsField {...props} />;
  if (spec.kind === 'json') return <JsonField {...props} />;
  if (spec.kind === 'boolean') {
    return (
      <Switch
        label={text.label}
        description={text.hint}
        error={error}
        checked={(value ?? spec.defaultValue) === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
        data-path={spec.key}
        styles={{ body: { alignItems: 'flex-start' } }}
      />
    );
  }
  const shared = {
    label: text.label,
    description: text.hint,
    error,
    value: typeof value === 'string' ? value : '',
    placeholder: text.placeholder ?? '',
    withAsterisk: spec.isRequired,
    'data-path': spec.key,
    ...(props.isFirst ? { 'data-autofocus': true } : {}),
  };
  if ((spec.maxLength ?? 0) > 1000) {
    return <Textarea {...shared} rows={2} resize="vertical" onChange={(event) => onChange(event.currentTarget.value)} />;
  }
  if (text.suggestions) return <Autocomplete {...shared} data={[...text.suggestions]} onChange={onChange} />;
  return <TextInput {...shared} onChange={(event) => onChange(event.currentTarget.value)} />;
}
