import { useForm } from '@mantine/form';
import { useCallback, useMemo, useState } from 'react';

export type FormRecord = Record<string, unknown>;

/** A form over a record whose fields are known only at run time. Paths are dotted: `protocol.type_id`. */
export interface RecordForm {
  readonly values: FormRecord;
  readonly errors: Readonly<Record<string, unknown>>;
  /** Times that errors were set: changes with every refused attempt. */
  readonly refusals: number;
  valueOf(path: string): unknown;
  errorOf(path: string): string | null;
  set(path: string, value: unknown): void;
  setAll(values: FormRecord): void;
  setErrors(errors: Readonly<Record<string, string>>): void;
}

/** Value at a dotted path; undefined when the way there is missing. */
export function valueAt(record: FormRecord, path: string): unknown {
  return path.split('.').reduce<unknown>((node, key) => {
    return typeof node === 'object' && node !== null && !Array.isArray(node) ? (node as FormRecord)[key] : undefined;
  }, record);
}

/** State of a record form. The error of a field goes when the field is changed. */
export function useRecordForm(initialValues: FormRecord): RecordForm {
  const form = useForm<FormRecord>({ initialValues, validateInputOnChange: false });
  const [refusals, setRefusals] = useState(0);
  const { setFieldValue, setValues, setErrors, clearFieldError } = form;
  const set = useCallback(
    (path: string, value: unknown) => {
      setFieldValue(path, value);
      clearFieldError(path);
    },
    [setFieldValue, clearFieldError],
  );
  return useMemo(
    () => ({
      values: form.values,
      errors: form.errors,
      refusals,
      valueOf: (path) => valueAt(form.values, path),
      errorOf: (path) => {
        const error = form.errors[path];
        return typeof error === 'string' ? error : null;
      },
      set,
      setAll: (values) => setValues(values),
      setErrors: (errors) => {
        setErrors({ ...errors });
        if (Object.keys(errors).length > 0) setRefusals((count) => count + 1);
      },
    }),
    [form.values, form.errors, refusals, set, setValues, setErrors],
  );
}
