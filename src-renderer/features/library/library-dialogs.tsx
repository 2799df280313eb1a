import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../../commands/registry.ts';
import { showLibrary, useLibraryStore } from './library-store.ts';

const LibraryDialog = lazy(() => import('./library-dialog.tsx'));
const MakeTemplate = lazy(() => import('./make-template.tsx'));

/** The dialogs of the device library, whichever is open, and the command that opens it. */
export function LibraryDialogs() {
  const { t } = useTranslation('library');
  const { isOpen, making } = useLibraryStore();
  useCommand({ id: 'device-library', group: 'service', words: t('open'), reason: null, run: () => showLibrary(true) });
  return (
    <Suspense fallback={null}>
      {isOpen ? <LibraryDialog /> : null}
      {making ? <MakeTemplate key={making.id} channel={making} /> : null}
    </Suspense>
  );
}
