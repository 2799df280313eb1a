import { Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { FileDrop } from './file-drop.tsx';
import classes from './import-dialog.module.css';
import { ImportDone } from './import-done.tsx';
import { ImportPreview } from './import-preview.tsx';
import { closeImport } from './point-files-store.ts';
import { useImport } from './use-import.ts';

/** From a file to the point table: choose, look at what it holds, merge or replace, result. Nothing changes before the last step. */
export default function ImportDialog({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation(['files', 'app']);
  const state = useImport(channel.id);
  const [isConfirming, setIsConfirming] = useState(false);
  return (
    <Modal
      opened
      onClose={closeImport}
      size={state.done ? 'md' : 1080}
      title={t('files:importTitle', { channel: channel.name })}
      closeButtonProps={{ 'aria-label': t('app:action.close') }}
      closeOnClickOutside={false}
      closeOnEscape={!isConfirming}
    >
      <div className={`${classes.body} ${state.done ? classes.short : ''}`} data-testid="import-dialog">
        {state.done ? (
          <ImportDone report={state.done} onClose={closeImport} />
        ) : state.report && !state.isReading ? (
          <ImportPreview
            channel={channel}
            state={state}
            report={state.report}
            confirming={isConfirming}
            onConfirming={setIsConfirming}
            onClose={closeImport}
          />
        ) : (
          <FileDrop channelId={channel.id} state={state} />
        )}
      </div>
    </Modal>
  );
}
