import { Button } from '@mantine/core';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { Point } from '#shared/contract/points.ts';
import { isServing } from '#shared/domain/enums.ts';
import { useKeyHint } from '../../commands/registry.ts';
import { GuardedIcon } from '../../ui/guarded-button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { useStable } from '../../ui/use-stable.ts';
import { isOpen, writeObstacle } from '../write/write-rules.ts';
import classes from './points.module.css';

interface PointActionsProps {
  readonly channel: Channel | null;
  /** The selected point; null for none and for many. */
  readonly single: Point | null;
  /** Number of selected points. */
  readonly count: number;
  readonly isServiceReadOnly: boolean;
  readonly isReading: boolean;
  /** Reads the selected point. */
  onRead(): void;
  /** Writes the selected point. */
  onWrite(): void;
  onEdit(): void;
  onCopy(): void;
  onDelete(): void;
  onAdd(): void;
}

/** What can be done with the selected rows, each with the reason when it cannot. */
export function PointActions({ channel, single, count, isServiceReadOnly, isReading, ...acts }: PointActionsProps) {
  const obstacle = channel && single ? writeObstacle(channel, single, isServiceReadOnly) : null;
  const onRead = useStable(acts.onRead);
  const onWrite = useStable(acts.onWrite);
  const onEdit = useStable(acts.onEdit);
  const onCopy = useStable(acts.onCopy);
  const onDelete = useStable(acts.onDelete);
  const onAdd = useStable(acts.onAdd);
  const facts = { isSingle: single !== null, obstacle, isOpen: channel !== null && isOpen(channel), count, isReading };
  return (
    <Buttons
      {...facts}
      isServed={channel !== null && isServing(channel.conn_type)}
      {...{ onRead, onWrite, onEdit, onCopy, onDelete, onAdd }}
    />
  );
}

interface ButtonsProps extends Omit<PointActionsProps, 'channel' | 'single' | 'isServiceReadOnly'> {
  readonly isSingle: boolean;
  readonly obstacle: ReturnType<typeof writeObstacle>;
  readonly isOpen: boolean;
  readonly isServed: boolean;
}

/** Drawn anew when one of them changes, and not for each row that the keyboard goes to. */
const Buttons = memo(function Buttons({ isSingle, obstacle, isServed, count, ...props }: ButtonsProps) {
  const { t } = useTranslation('points');
  const key = useKeyHint('edit-points');
  const noSingle = isSingle ? null : t('why.selectOne');
  const noneSelected = count > 0 ? null : t('why.selectSome');
  return (
    <>
      <GuardedIcon
        icon="read"
        label={t('action.readLong')}
        hint={t('action.readLong')}
        reason={noSingle ?? (props.isOpen ? null : t('why.notStarted'))}
        loading={props.isReading}
        onClick={props.onRead}
        testId="point-read"
      />
      <GuardedIcon
        icon="send"
        label={isServed ? t('action.serveLong') : t('action.writeLong')}
        hint={isServed ? t('action.serveLong') : t('action.writeLong')}
        reason={noSingle ?? (obstacle ? t(`why.${obstacle}`) : null)}
        onClick={props.onWrite}
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
      <Button
        variant="default"
        className={classes.add ?? ''}
        leftSection={<Icon name="plus" size={14} />}
        aria-label={t('action.add')}
        title={t('action.add')}
        onClick={props.onAdd}
        data-testid="point-add"
      >
        <span className={classes.addWords}>{t('action.add')}</span>
      </Button>
    </>
  );
});
