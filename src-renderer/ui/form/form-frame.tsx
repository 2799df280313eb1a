import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import type { AppError } from '#shared/domain/errors.ts';
import { ErrorNotice } from '../error-notice.tsx';
import classes from './form-frame.module.css';
import type { RecordForm } from './record-form.ts';

interface FormFrameProps {
  readonly form: RecordForm;
  readonly testId: string;
  readonly error: AppError | null;
  /** Buttons; they stay in view while the fields scroll. */
  readonly footer: ReactNode;
  readonly children: ReactNode;
  onSubmit(): void;
}

/** A form in a dialog: fields that scroll, the answer of the service and the buttons always in view, focus on the first wrong field. */
export function FormFrame({ form, testId, error, footer, children, onSubmit }: FormFrameProps) {
  const element = useRef<HTMLFormElement>(null);
  const { refusals } = form;
  // the dialog may have looked for it before the form was there
  useEffect(() => element.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus(), []);
  useEffect(() => {
    if (refusals === 0) return;
    const wrong = element.current?.querySelector('[aria-invalid="true"]');
    if (wrong instanceof HTMLElement) wrong.focus();
  }, [refusals]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form ref={element} onSubmit={submit} noValidate data-testid={testId}>
      <div className={classes.fields}>{children}</div>
      <div className={classes.footer}>
        <ErrorNotice error={error} compact />
        <div className={classes.buttons}>{footer}</div>
      </div>
    </form>
  );
}
