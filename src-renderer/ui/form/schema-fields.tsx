import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Field, type FieldProps, type FieldText } from './field.tsx';
import { useFieldText } from './field-text.ts';
import type { RecordForm } from './record-form.ts';
import { type FieldSpec, isMeant } from './schema-field.ts';
import classes from './schema-fields.module.css';

export type FieldWidth = 'full' | 'half' | 'third' | 'quarter';

interface SchemaFieldsProps {
  readonly form: RecordForm;
  readonly specs: readonly FieldSpec[];
  /** Put before the key of each field to get its path, e.g. `protocol.`. */
  readonly prefix?: string;
  /** Fields with a look of their own; the rest is drawn from the schema. */
  readonly custom?: Readonly<Record<string, (props: FieldProps) => ReactNode>>;
  /** Words that differ from the general ones of the field. */
  readonly texts?: Readonly<Record<string, Partial<FieldText>>>;
  readonly widths?: Readonly<Record<string, FieldWidth>>;
}

function isLongText(spec: FieldSpec): boolean {
  return spec.kind === 'text' && (spec.maxLength ?? 0) > 1000;
}

/** A line that may hold a sentence or a formula. */
const WIDE_TEXT = 300;

function defaultWidth(spec: FieldSpec): FieldWidth {
  return spec.kind === 'text' && (spec.maxLength ?? 0) >= WIDE_TEXT ? 'full' : 'half';
}

/** Switches have no label above them: they stand together behind the other fields, before long texts. */
function switchesLast(specs: readonly FieldSpec[]): readonly FieldSpec[] {
  const rank = (spec: FieldSpec) => (isLongText(spec) ? 2 : spec.kind === 'boolean' ? 1 : 0);
  return specs.toSorted((a, b) => rank(a) - rank(b));
}

/** Fields for the properties of a JSON Schema, in a grid. Nothing in here knows a protocol. */
export function SchemaFields({ form, specs, prefix = '', custom = {}, texts = {}, widths = {} }: SchemaFieldsProps) {
  const { i18n } = useTranslation();
  const textOf = useFieldText();
  const shown = specs.filter((spec) => isMeant(spec, (setting) => form.valueOf(`${prefix}${setting}`)));
  return (
    <div className={classes.grid} lang={i18n.language}>
      {switchesLast(shown).map((spec) => {
        const path = `${prefix}${spec.key}`;
        const props: FieldProps = {
          spec,
          text: { ...textOf(spec, prefix !== ''), ...texts[spec.key] },
          value: form.valueOf(path),
          error: form.errorOf(path),
          onChange: (value) => form.set(path, value),
        };
        const draw = custom[spec.key];
        return (
          <div key={path} className={`${classes[widths[spec.key] ?? defaultWidth(spec)]} ${spec.kind === 'boolean' ? classes.switch : ''}`}>
            {draw ? draw(props) : <Field {...props} />}
          </div>
        );
      })}
    </div>
  );
}
