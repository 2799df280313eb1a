import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { Point } from '#shared/contract/points.ts';
import { isServing } from '#shared/domain/enums.ts';
import { useKeyHint } from '../../commands/registry.ts';
import { GuardedIcon } from '../../ui/guarded-button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { isOpen, writeObstacle } from '../write/write-rules.ts';

interface PointActionsProps {
  readonly channel: Channel | null;
  /** The selected point; null for none and for many. */
  readonly single: Point | null;
  /** Number of selected points. */
  readonly count: number;
  readonly isServiceReadOnly: boolean;
  readonly isReading: boolean;
  onRead(point: Point): void;
  onWrite(point: Point): void;
  onEdit(): void;
  onCopy(): void;
  onDelete(): void;
  onAdd(): void;
}

/** What can be done with the selected rows, each with the reason when it cannot. */
export function PointActions(props: PointActionsProps) {
  const { t } = useTranslation('points');
  const { channel, single, count } = props;
  const key = useKeyHint('edit-points');
  const noSingle = single ? null : t('why.selectOne');
  const noneSelected = count > 0 ? null : t('why.selectSome');
  const obstacle = channel && single ? writeObstacle(channel, single, props.isServiceReadOnly) : null;
  const isServed = channel !== null && isServing(channel.conn_type);
  const onSingle = (act: (point: Point) => void) => () => (single ? act(single) : undefined);
  return (
    <>
      <GuardedIcon
        icon="read"
        label={t('action.readLong')}
        hint={t('action.readLong')}
        reason={noSingle ?? (channel && isOpen(channel) ? null : t('why.notStarted'))}
        loading={props.isReading}
        onClick={onSingle(props.onRead)}
        testId="point-read"
      />
      <GuardedIcon
        icon="send"
        label={isServed ? t('action.serveLong') : t('action.writeLong')}
        hint={isServed ? t('action.serveLong') : t('action.writeLong')}
        reason={noSingle ?? (obstacle ? t(`why.${obstacle}`) : null)}
        onClick={onSingle(props.onWrite)}
        testId="point-write"
      />
      <GuardedIcon
        icon="edit"
        label={t(count > 1 ? 'action.editMany' : 'action.editLong', { count, key })}
        hint={t(count > 1 ? 'action.editMany' : 'action.editLong', { count, key })}
        reason={noneSelected}
        onClick={props.onEdit}
        testId="point-edit"
      />
      <GuardedIcon
        icon="copy"
        label={t('action.copyLong')}
        hint={t('action.copyLong')}
        reason={noneSelected}
        onClick={props.onCopy}
        testId="point-copy"
      />
      <GuardedIcon
        icon="trash"
        label={t('action.deleteLong')}
        hint={t('action.deleteLong')}
        reason={noneSelected}
        onClick={props.onDelete}
        testId="point-delete"
      />
      <Button variant="default" leftSection={<Icon name="plus" size={14} />} onClick={props.onAdd} data-testid="point-add">
        {t('action.add')}
      </Button>
    </>
  );
}
