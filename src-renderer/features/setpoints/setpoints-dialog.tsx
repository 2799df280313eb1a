import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { RestoredSetpoint, TouchedSetpoint } from '#shared/contract/setpoints.ts';
import { type AppError, toAppError } from '#shared/domain/errors.ts';
import { useAction } from '../../api/hooks.ts';
import { useLocalRows } from '../../ui/data-grid/rows.ts';
import { useGridSelection } from '../../ui/data-grid/use-grid-selection.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { useFocus } from '../../ui/use-focus.ts';
import { guideTo } from '../guide/guide.ts';
import { ArmNotice } from '../write/arm-notice.tsx';
import { useNeedsArming } from '../write/arming.ts';
import { sendCommand } from '../write/send-command.ts';
import { type SetpointRow, SetpointsTable, setpointId } from './setpoints-table.tsx';

interface SetpointsDialogProps {
  readonly channel: Channel;
  readonly setpoints: readonly TouchedSetpoint[];
  onClose(): void;
}

/** What a restore brought: outcomes by point, how many were not tried behind a failed one, or why nothing was sent. */
interface Restoring {
  readonly tried: ReadonlyMap<number, RestoredSetpoint>;
  readonly restored: number;
  readonly left: number;
  readonly error: AppError | null;
}

const NOTHING: Restoring = { tried: new Map(), restored: 0, left: 0, error: null };

function useRestore(channel: Channel) {
  const client = useQueryClient();
  const [isSending, setIsSending] = useState(false);
  const [restoring, setRestoring] = useState(NOTHING);
  async function restore(pointIds: number[]): Promise<void> {
    setIsSending(true);
    setRestoring(NOTHING);
    try {
      const answer = await sendCommand('restoreSetpoints', channel, { channel_id: channel.id, point_ids: pointIds });
      if (answer === null) return;
      const { items, left } = answer.data;
      const restored = items.filter((item) => item.outcome === 'accepted' && item.is_equal === true).length;
      setRestoring({ tried: new Map(items.map((item) => [item.point_id, item])), restored, left, error: null });
    } catch (thrown) {
      setRestoring({ ...NOTHING, error: toAppError(thrown) });
    } finally {
      setIsSending(false);
      for (const key of ['touchedSetpoints', 'pointTable', 'listAudit']) void client.invalidateQueries({ queryKey: [key] });
    }
  }
  return { isSending, restoring, restore };
}

/** When nothing is left to do the keyboard is on the way out. */
function CloseButton({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('app');
  const button = useFocus<HTMLButtonElement>();
  return (
    <Button ref={button} variant="default" onClick={onClose}>
      {t('action.close')}
    </Button>
  );
}

/** The setpoints that were written during the work, and the way back: as they were, or right as they are. Without a selection all are meant. */
export function SetpointsDialog({ channel, setpoints, onClose }: SetpointsDialogProps) {
  const { t } = useTranslation(['setpoints', 'app']);
  const needsArming = useNeedsArming(channel);
  const { isSending, restoring, restore } = useRestore(channel);
  const keep = useAction('keepSetpoints', ['touchedSetpoints']);
  const rows = useLocalRows<SetpointRow>(
    setpoints.map((setpoint) => ({ setpoint, tried: restoring.tried.get(setpoint.point_id) })),
    setpointId,
  );
  const selection = useGridSelection(rows);
  const meant = selection.rows.size > 0 ? selection.now().map(({ setpoint }) => setpoint) : setpoints;
  const ids = (list: readonly TouchedSetpoint[]) => list.map(({ point_id }) => point_id);
  const possible = meant.filter(({ obstacle }) => obstacle === null);
  const reason = possible.length === 0 ? t('setpoints:noneToRestore') : needsArming ? t('setpoints:notArmed') : null;
  return (
    <Modal
      {...guideTo('first-steps')}
      opened
      onClose={onClose}
      size={960}
      title={t('setpoints:titleOf', { channel: channel.name })}
      closeButtonProps={{ 'aria-label': t('app:action.close') }}
    >
      <Stack gap="sm" data-testid="setpoints-dialog">
        <Text size="sm">{t('setpoints:hint')}</Text>
        {needsArming && setpoints.length > 0 ? <ArmNotice channel={channel} /> : null}
        <SetpointsTable rows={rows} selection={selection} />
        <ErrorNotice error={restoring.error ?? keep.error} />
        <Group justify="space-between" gap="xs" wrap="nowrap">
          <Text size="sm" role="status">
            {restoring.restored > 0 ? t('setpoints:restored', { count: restoring.restored }) : ''}{' '}
            {restoring.left > 0 ? t('setpoints:left', { count: restoring.left }) : ''}
          </Text>
          {setpoints.length === 0 ? <CloseButton onClose={onClose} /> : null}
          <Group gap="xs" wrap="nowrap" display={setpoints.length === 0 ? 'none' : undefined}>
            <Button
              variant="default"
              disabled={meant.length === 0 || isSending}
              loading={keep.isPending}
              onClick={() => keep.mutate({ channel_id: channel.id, point_ids: ids(meant) })}
              data-testid="setpoints-keep"
            >
              {t('setpoints:keep', { count: meant.length })}
            </Button>
            <GuardedButton
              reason={reason}
              hint=""
              color="red"
              loading={isSending}
              onClick={() => void restore(ids(possible))}
              testId="setpoints-restore"
            >
              {t('setpoints:restore', { count: possible.length })}
            </GuardedButton>
          </Group>
        </Group>
      </Stack>
    </Modal>
  );
}
