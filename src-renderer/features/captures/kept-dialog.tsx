import { Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { guideTo } from '../guide/guide.ts';
import { KeptList } from './kept-list.tsx';

/** The captures that the project keeps. */
export function KeptDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation(['captures', 'app']);
  return (
    <Modal
      {...guideTo('captures')}
      opened
      onClose={onClose}
      size={620}
      title={t('captures:keptTitle')}
      closeButtonProps={{ 'aria-label': t('app:action.close') }}
    >
      <KeptList />
    </Modal>
  );
}
