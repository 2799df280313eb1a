import { Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { guideTo } from '../guide/guide.ts';
import { CaptureConversations } from './capture-conversations.tsx';
import { CaptureDone } from './capture-done.tsx';
import { CaptureDrop } from './capture-drop.tsx';
import classes from './captures.module.css';
import { useCapture } from './use-capture.ts';

/** From a capture to a channel that serves it again: choose it, look at its conversations, take one, start. Nothing changes before it is taken. */
export function CaptureDialog({ channel, onClose }: { readonly channel: Channel; onClose(): void }) {
  const { t } = useTranslation(['captures', 'app']);
  const state = useCapture(channel.id);
  return (
    <Modal
      {...guideTo('captures')}
      opened
      onClose={() => {
        state.reset();
        onClose();
      }}
      size={state.taken ? 'md' : 1180}
      title={t('captures:title', { channel: channel.name })}
      closeButtonProps={{ 'aria-label': t('app:action.close') }}
      closeOnClickOutside={false}
    >
      <div className={state.taken ? classes.short : classes.body} data-testid="capture-dialog">
        {state.taken ? (
          <CaptureDone channel={channel} taken={state.taken} onClose={onClose} />
        ) : state.looked && state.source !== null ? (
          <CaptureConversations channel={channel} state={state} source={state.source} looked={state.looked} />
        ) : (
          <CaptureDrop state={state} />
        )}
      </div>
    </Modal>
  );
}
