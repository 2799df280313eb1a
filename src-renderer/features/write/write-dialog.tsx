import { Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { isServing } from '#shared/domain/enums.ts';
import { WriteConfirm } from './write-confirm.tsx';
import { WriteEnter } from './write-enter.tsx';
import { WriteOutcome } from './write-outcome.tsx';
import { useWriteStore, type WriteTarget } from './write-store.ts';

function WriteSteps({ target }: { readonly target: WriteTarget }) {
  const step = useWriteStore((state) => state.step);
  const end = useWriteStore((state) => state.end);
  const value = useWriteStore((state) => state.value);
  if (step === 'enter') return <WriteEnter target={target} />;
  if (step === 'done' && end && value !== null) return <WriteOutcome target={target} end={end} value={value} />;
  return <WriteConfirm target={target} />;
}

/**
 * The dialog of a write: value, confirmation with the whole target, one sending, outcome. Closing it never takes a command
 * back; the outcome of a command whose dialog is closed comes as a notification.
 */
export function WriteDialog() {
  const { t } = useTranslation('points');
  const target = useWriteStore((state) => state.target);
  const close = useWriteStore((state) => state.close);
  const code = target?.point.code ?? '';
  const isServed = target !== null && isServing(target.channel.conn_type);
  return (
    <Modal
      opened={target !== null}
      onClose={close}
      size="lg"
      title={isServed ? t('write.serveTitle', { code }) : t('write.title', { code })}
      closeButtonProps={{ 'aria-label': t('write.close') }}
    >
      {target ? <WriteSteps target={target} /> : null}
    </Modal>
  );
}
