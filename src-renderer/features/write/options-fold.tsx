import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { FoldedSection } from '../../ui/form/form-section.tsx';
import { checkField } from '../../ui/form/issues.ts';
import { type RecordForm, useRecordForm } from '../../ui/form/record-form.ts';
import type { FieldSpec } from '../../ui/form/schema-field.ts';
import { type FieldWidth, SchemaFields } from '../../ui/form/schema-fields.tsx';
import { optionsGiven } from './command-options.ts';
import { useOptionText } from './option-text.ts';
import { useWriteStore } from './write-store.ts';

/** The form of the options, and what is wrong with them by name. What is given goes to the store at once. */
export function useOptionsForm(specs: readonly FieldSpec[]): {
  readonly form: RecordForm;
  readonly wrong: Readonly<Record<string, string>>;
} {
  const { t } = useTranslation('fields');
  const { options, setOptions } = useWriteStore.getState();
  const form = useRecordForm({ ...options });
  useEffect(() => {
    if (specs.length > 0) setOptions(optionsGiven(form.values, specs));
  }, [form.values, specs, setOptions]);
  // the protocol may be told after the form was drawn
  const defaults = Object.fromEntries(specs.map(({ key, defaultValue }) => [key, defaultValue]));
  const wrong = Object.fromEntries(
    specs.flatMap((spec) => {
      const text = checkField(t, spec, form.valueOf(spec.key));
      return text ? [[spec.key, text]] : [];
    }),
  );
  return { form: { ...form, valueOf: (path) => form.valueOf(path) ?? defaults[path], errorOf: (path) => wrong[path] ?? null }, wrong };
}

const widthOf = ({ isTest }: FieldSpec): FieldWidth => (isTest ? 'full' : 'half');

interface OptionsFoldProps {
  readonly specs: readonly FieldSpec[];
  readonly form: RecordForm;
  readonly isWrong: boolean;
}

/** The options of a command, out of sight until somebody wants them. */
export function OptionsFold({ specs, form, isWrong }: OptionsFoldProps) {
  const { t } = useTranslation('points');
  const text = useOptionText();
  const given = Object.keys(useWriteStore((state) => state.options)).length;
  const missing = useWriteStore((state) => state.missingOptions);
  const textOf = (spec: FieldSpec) =>
    text.fieldText(spec, missing.includes(spec.key) ? t('write.missingOptions', { options: text.nameOf(spec) }) : null);
  return (
    <FoldedSection
      title={t('write.options')}
      summary={given > 0 ? t('write.optionsSet', { count: given }) : t('write.optionsDefault')}
      isOpenAtFirst={given > 0}
      isHeldOpen={isWrong}
      testId="write-options"
    >
      <SchemaFields
        form={form}
        specs={specs}
        texts={Object.fromEntries(specs.map((spec) => [spec.key, textOf(spec)]))}
        widths={Object.fromEntries(specs.map((spec) => [spec.key, widthOf(spec)]))}
      />
    </FoldedSection>
  );
}
