import { Modal, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { memo, useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { isServing } from '#shared/domain/enums.ts';
import { POLL, useOperation } from '../../api/hooks.ts';
import { guideTo } from '../guide/guide.ts';
import { SelectionPanel } from './selection-panel.tsx';
import { forgetSelection, type Selection, useSelectionKeeper, useSelectionStore } from './selections.ts';
import { TargetSummary } from './target-summary.tsx';
import { useSending, WriteConfirm } from './write-confirm.tsx';
import { WriteEnter } from './write-enter.tsx';
import { WriteOutcome } from './write-outcome.tsx';
import { useWriteStore, type WriteTarget } from './write-store.ts';

function WriteSteps({ target }: { readonly target: WriteTarget }) {
  const step = useWriteStore((state) => state.step);
  const end = useWriteStore((state) => state.end);
  const value = useWriteStore((state) => state.value);
  const selection = useSelectionStore((state) => state.selections[target.point.id]);
  if (step === 'enter' && selection && !selection.ended) return <WriteSelected target={target} selection={selection} />;
  if (step === 'enter') return <WriteEnter target={target} />;
  if (step === 'done' && end && value !== null) return <WriteOutcome target={target} end={end} value={value} />;
  return <WriteConfirm target={target} />;
}

/** What was selected by an earlier dialog stands yet. */
function WriteSelected({ target, selection }: { readonly target: WriteTarget; readonly selection: Selection }) {
  const sendSelected = useWriteStore((state) => state.sendSelected);
  const follow = useSending(target);
  return (
    <Stack gap="sm">
      <TargetSummary target={target} />
      <SelectionPanel target={target} selection={selection} onSend={(step) => follow(sendSelected(step))} />
    </Stack>
  );
}

/** Tells of a selection that ends while its dialog is closed; draws nothing. */
function SelectionKeeper() {
  const { t } = useTranslation('points');
  const hasAny = useSelectionStore(({ selections }) => Object.keys(selections).length > 0);
  const channels = useOperation('listChannels', {}, { pollMs: POLL.status, enabled: hasAny });
  const onEnd = useCallback(
    (pointId: number, { code }: Selection) => {
      if (useWriteStore.getState().target?.point.id === pointId) return;
      forgetSelection(pointId);
      notifications.show({ message: t('write.notify', { code, outcome: t('write.selectedOver') }), color: 'amber', withBorder: true });
    },
    [t],
  );
  useSelectionKeeper(hasAny ? channels.data : undefined, onEnd);
  return null;
}

/**
 * The dialog of a write: value, confirmation with the whole target, one sending, outcome. Closing it never takes a command
 * back; the outcome of a command whose dialog is closed comes as a notification.
 */
export const WriteDialog = memo(function WriteDialog() {
  const { t } = useTranslation('points');
  const target = useWriteStore((state) => state.target);
  const close = useWriteStore((state) => state.close);
  const code = target?.point.code ?? '';
  const isServed = target !== null && isServing(target.channel.conn_type);
  return (
    <>
      <SelectionKeeper />
      <Modal
        {...guideTo('first-steps')}
        opened={target !== null}
        onClose={close}
        size="lg"
        title={isServed ? t('write.serveTitle', { code }) : t('write.title', { code })}
        closeButtonProps={{ 'aria-label': t('write.close') }}
      >
        {target ? <WriteSteps target={target} /> : null}
      </Modal>
    </>
  );
});
