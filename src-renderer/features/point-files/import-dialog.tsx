import { Modal } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { guideTo } from '../guide/guide.ts';
import { MappingStep } from '../list-mapping/mapping-step.tsx';
import { FileDrop } from './file-drop.tsx';
import classes from './import-dialog.module.css';
import { ImportDone } from './import-done.tsx';
import { ImportPreview } from './import-preview.tsx';
import { PasteText } from './paste-text.tsx';
import { closeImport, type PastedRows, usePointFilesStore } from './point-files-store.ts';
import { useImport } from './use-import.ts';

/** From a file to the point table: choose, look at what it holds, merge or replace, result. Nothing changes before the last step. */
export default function ImportDialog({ channel, pasted }: { readonly channel: Channel; readonly pasted: PastedRows | null }) {
  const { t } = useTranslation(['files', 'edit', 'lists', 'app']);
  const state = useImport(channel.id, pasted);
  const [isConfirming, setIsConfirming] = useState(false);
  const dropped = usePointFilesStore((files) => files.dropped);
  const look = useEffectEvent(state.choose);
  useEffect(() => {
    if (dropped) look(dropped);
  }, [dropped]);
  const isMapping = state.isMapping && state.file !== null && state.mapping !== null;
  const title = isMapping ? t('lists:title', { channel: channel.name }) : null;
  return (
    <Modal
      {...guideTo('point-tables')}
      opened
      onClose={closeImport}
      size={state.done ? 'md' : 1080}
      title={title ?? (pasted ? t('edit:paste.title', { channel: channel.name }) : t('files:importTitle', { channel: channel.name }))}
      closeButtonProps={{ 'aria-label': t('app:action.close') }}
      closeOnClickOutside={false}
      closeOnEscape={!isConfirming}
    >
      <div className={`${classes.body} ${state.done ? classes.short : ''} ${isMapping ? classes.tall : ''}`} data-testid="import-dialog">
        {state.done ? (
          <ImportDone report={state.done} isPasted={pasted !== null} onClose={closeImport} />
        ) : state.isMapping && state.file && state.mapping ? (
          <MappingStep
            channel={channel}
            file={state.file}
            mapping={state.mapping}
            onMapping={state.map}
            onNext={state.lookAtMapped}
            onClose={closeImport}
          />
        ) : state.report && !state.isReading ? (
          <ImportPreview
            channel={channel}
            state={state}
            report={state.report}
            isPasted={pasted !== null}
            confirming={isConfirming}
            onConfirming={setIsConfirming}
            onClose={closeImport}
          />
        ) : pasted ? (
          <PasteText state={state} />
        ) : (
          <FileDrop channelId={channel.id} state={state} />
        )}
      </div>
    </Modal>
  );
}
