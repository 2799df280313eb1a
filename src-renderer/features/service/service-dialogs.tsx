import { Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type AppDialog, openDialog } from '../../app/dialog-store.ts';
import KeyHelp from '../../commands/key-help.tsx';
import AuditPanel from '../events/audit-panel.tsx';
import { RequestsDialog } from '../requests/requests-dialog.tsx';
import { SettingsDialog } from '../settings/settings-dialog.tsx';
import { About } from './about.tsx';
import { ProjectPage } from './project-page.tsx';

const TITLES = {
  project: 'project.title',
  about: 'about.title',
  audit: 'bar.audit',
} as const satisfies Record<Exclude<AppDialog, 'keys' | 'settings' | 'requests'>, string>;

const close = () => openDialog(null);

/** The dialogs about the service as a whole. */
export default function ServiceDialogs({ dialog }: { readonly dialog: AppDialog }) {
  const { t } = useTranslation('app');
  if (dialog === 'keys') return <KeyHelp onClose={close} />;
  if (dialog === 'settings') return <SettingsDialog onClose={close} />;
  if (dialog === 'requests') return <RequestsDialog onClose={close} />;
  const isWide = dialog === 'audit';
  return (
    <Modal
      opened
      onClose={close}
      title={t(TITLES[dialog])}
      size={isWide ? 'min(1180px, 94vw)' : 560}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      {dialog === 'project' ? <ProjectPage /> : null}
      {dialog === 'about' ? <About /> : null}
      {isWide ? (
        <div style={{ height: '70vh' }}>
          <AuditPanel />
        </div>
      ) : null}
    </Modal>
  );
}
