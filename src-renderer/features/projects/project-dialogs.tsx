import { lazy, Suspense } from 'react';
import { useProjectsStore } from './projects-store.ts';

const ProjectDialog = lazy(() => import('./project-dialog.tsx'));
const DemoConfirm = lazy(() => import('./demo-confirm.tsx'));
const TextDialog = lazy(() => import('./text-dialog.tsx'));
const NewChannel = lazy(() => import('./new-channel.tsx'));

/** The dialogs of projects, whichever is open. */
export function ProjectDialogs() {
  const hasStep = useProjectsStore((state) => state.step !== null);
  const newChannel = useProjectsStore((state) => state.newChannel);
  const asksDemo = useProjectsStore((state) => state.asksDemo);
  const readsText = useProjectsStore((state) => state.readsText);
  return (
    <Suspense fallback={null}>
      {hasStep ? <ProjectDialog /> : null}
      {asksDemo ? <DemoConfirm /> : null}
      {readsText ? <TextDialog /> : null}
      {newChannel ? <NewChannel end={newChannel === 'table' ? 'table' : 'doctor'} isOfFile={newChannel === 'file'} /> : null}
    </Suspense>
  );
}
