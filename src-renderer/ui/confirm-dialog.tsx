import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppError } from '#shared/domain/errors.ts';
import { ErrorNotice } from './error-notice.tsx';

interface ConfirmDialogProps {
  readonly opened: boolean;
  readonly title: string;
  /** What will happen, with the target by name. */
  readonly children: ReactNode;
  /** The verb with its object, e.g. "Delete PCS 1". */
  readonly confirmLabel: string;
  /** For steps that cannot be undone or reach a device. */
  readonly danger?: boolean;
  readonly pending?: boolean;
  readonly error?: AppError | null;
  onConfirm(): void;
  onClose(): void;
}

/** Asks before a step that matters. The focus starts on Cancel when the step is dangerous; Esc closes. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { t } = useTranslation('app');
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      title={props.title}
      size="md"
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <Stack gap="sm">
        {props.children}
        <ErrorNotice error={props.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={props.onClose} data-autofocus={props.danger ? true : undefined}>
            {t('action.cancel')}
          </Button>
          <Button
            color={props.danger ? 'red' : 'steel'}
            loading={props.pending ?? false}
            onClick={props.onConfirm}
            data-autofocus={props.danger ? undefined : true}
            data-testid="confirm"
          >
            {props.confirmLabel}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
