import { Button, Modal } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppError } from '#shared/domain/errors.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import frame from '../../ui/form/form-frame.module.css';
import { guideTo } from '../guide/guide.ts';
import classes from './check.module.css';

interface CheckFormProps {
  readonly title: string;
  readonly testId: string;
  readonly error: AppError | null;
  readonly isPending: boolean;
  readonly doWords: string;
  readonly size?: number;
  /** Enter begins it at once: the focus stands on the button. */
  readonly isReady?: boolean;
  readonly children: ReactNode;
  onSubmit(): void;
  onClose(): void;
}

/** A dialog with fields in two columns, the answer of the service and the buttons in view. A click beside it closes nothing: what was written stays. */
export function CheckForm({
  title,
  testId,
  error,
  isPending,
  doWords,
  size = 640,
  isReady = false,
  children,
  onSubmit,
  onClose,
}: CheckFormProps) {
  const { t } = useTranslation('app');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isPending) onSubmit();
  };
  return (
    <Modal
      {...guideTo('check')}
      opened
      onClose={onClose}
      size={size}
      title={title}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <form onSubmit={submit} noValidate data-testid={testId}>
        <div className={classes.fields}>{children}</div>
        <div className={frame.footer}>
          <ErrorNotice error={error} compact />
          <div className={frame.buttons}>
            <Button variant="default" onClick={onClose}>
              {t('action.cancel')}
            </Button>
            <Button type="submit" loading={isPending} {...(isReady ? { 'data-autofocus': true } : {})} data-testid={`${testId}-do`}>
              {doWords}
            </Button>
          </div>
        </div>
      </form>
    </Modal>
  );
}
