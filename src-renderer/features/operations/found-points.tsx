import { Button, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { InputOf } from '#shared/contract/index.ts';
import { useAction } from '../../api/hooks.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Icon } from '../../ui/icons.tsx';
import { notifyDone } from '../../ui/notify.ts';

export type NewPoint = InputOf<'addPoints'>['points'][number];

/** Adds the points that an operation made of what it met in the device; all or none. */
export function FoundPoints({ channel, points }: { readonly channel: Channel; readonly points: readonly NewPoint[] }) {
  const { t } = useTranslation('operations');
  const add = useAction('addPoints', ['pointTable', 'listChannels', 'projectInfo']);
  if (points.length === 0) return null;
  const submit = () =>
    add.mutate(
      { channel_id: channel.id, points: [...points] },
      { onSuccess: ({ data }) => notifyDone(t('pointsAdded', { count: data.items.length })) },
    );
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        leftSection={<Icon name="plus" size={14} />}
        loading={add.isPending}
        disabled={add.isSuccess}
        onClick={submit}
        data-testid="add-found-points"
      >
        {t('addPoints', { count: points.length })}
      </Button>
      <ErrorNotice error={add.error} compact />
    </Stack>
  );
}
