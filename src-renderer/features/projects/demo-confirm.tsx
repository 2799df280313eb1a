import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Stops } from './project-dialog.tsx';
import { useProjectsStore } from './projects-store.ts';
import { useProjectSteps } from './use-projects.ts';

/** Asks before the channels of the open project stop for the demo plant. */
export default function DemoConfirm() {
  const { t } = useTranslation('projects');
  const { openDemo, isStartingDemo } = useProjectSteps();
  return (
    <ConfirmDialog
      opened
      title={t('demo')}
      confirmLabel={t('demo')}
      pending={isStartingDemo}
      onConfirm={() => openDemo(true)}
      onClose={() => useProjectsStore.setState({ asksDemo: false })}
    >
      <Stops kind="open" />
    </ConfirmDialog>
  );
}
