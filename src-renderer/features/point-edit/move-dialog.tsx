import { Select } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { Point } from '#shared/contract/points.ts';
import { useFirstFound } from '../../ui/form/use-first-found.ts';
import { EditDialog } from './edit-dialog.tsx';
import { keyOf } from './edit-plan.ts';

interface MoveDialogProps {
  readonly channel: Channel;
  /** Channels that can take the points. */
  readonly targets: readonly Channel[];
  readonly points: readonly Point[];
  onClose(): void;
}

/** The selected points in another channel of the same protocol. */
export function MoveDialog({ channel, targets, points, onClose }: MoveDialogProps) {
  const { t } = useTranslation('edit');
  const found = useFirstFound();
  const [target, setTarget] = useState(targets[0]?.id ?? 0);
  const name = targets.find(({ id }) => id === target)?.name ?? '';
  const plan = {
    changes: points.map((point) => ({ op: 'move' as const, ...keyOf(point), channel_id: target })),
    lines: points.map(({ id, code }) => ({ key: String(id), code, before: channel.name, after: name })),
  };
  return (
    <EditDialog
      channelId={channel.id}
      kind="move"
      title={t('move.title', { count: points.length })}
      hint={t('move.hint')}
      plan={plan}
      applyWords={t('move.apply')}
      onClose={onClose}
    >
      <Select
        label={t('move.target')}
        data={targets.map((each) => ({ value: String(each.id), label: each.name }))}
        value={String(target)}
        onChange={(value) => value && setTarget(Number(value))}
        allowDeselect={false}
        searchable={targets.length > 12}
        {...found}
        data-path="move_target"
        data-autofocus
      />
    </EditDialog>
  );
}
