import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { Point } from '#shared/contract/points.ts';
import { isServing } from '#shared/domain/enums.ts';
import { useCommand } from '../../commands/registry.ts';
import type { Editing } from '../point-edit/edit-dialogs.tsx';
import { openImport } from '../point-files/point-files-store.ts';
import { openPointForm } from '../point-form/point-form-store.ts';
import { isOpen, writeObstacle } from '../write/write-rules.ts';

interface Offered {
  readonly channel: Channel | null;
  readonly single: Point | null;
  readonly count: number;
  readonly isServiceReadOnly: boolean;
  onRead(point: Point): void;
  onWrite(point: Point): void;
  /** There is a channel that points can be moved to. */
  readonly canMove: boolean;
  onEdit(): void;
  onDelete(): void;
  /** Opens a dialog that changes the selected points in one step. */
  onMany(kind: Editing['kind']): void;
  onPaste(): void;
}

/** What the palette, the keys and the menu of a row offer while the table is on the screen. */
export function usePointCommands(channelId: number, offered: Offered) {
  const { t } = useTranslation(['commands', 'points', 'edit']);
  const { channel, single, count } = offered;
  const group = 'points' as const;
  const always = { group, reason: null };
  const noSingle = single ? null : t('points:why.selectOne');
  const noneSelected = count > 0 ? null : t('points:why.selectSome');
  const obstacle = channel && single ? writeObstacle(channel, single, offered.isServiceReadOnly) : null;
  const isServed = channel !== null && isServing(channel.conn_type);
  useCommand({
    id: 'read-point',
    group,
    words: t('commands:readPoint'),
    reason: noSingle ?? (channel && isOpen(channel) ? null : t('points:why.notStarted')),
    run: () => (single ? offered.onRead(single) : undefined),
  });
  useCommand({
    id: 'write-point',
    group,
    words: isServed ? t('points:action.serve') : t('points:action.write'),
    reason: noSingle ?? (obstacle ? t(`points:why.${obstacle}`) : null),
    run: () => (single ? offered.onWrite(single) : undefined),
  });
  useCommand({ id: 'edit-points', group, words: t('commands:editPoints'), key: 'F2', reason: noneSelected, run: offered.onEdit });
  useCommand({ id: 'delete-points', group, words: t('commands:deletePoints'), reason: noneSelected, run: offered.onDelete });
  useCommand({ ...always, id: 'add-point', words: t('commands:addPoint'), run: () => openPointForm({ channelId }) });
  useCommand({ ...always, id: 'import-points', words: t('commands:importPoints'), run: () => openImport(channelId) });
  useCommand({
    id: 'fill-down',
    group,
    words: t('edit:fill.command'),
    key: 'mod+D',
    reason: count > 1 ? null : t('edit:needTwo'),
    run: () => offered.onMany('fill'),
  });
  useCommand({
    id: 'duplicate-points',
    group,
    words: t('edit:duplicate.command'),
    reason: noneSelected,
    run: () => offered.onMany('duplicate'),
  });
  useCommand({
    id: 'move-points',
    group,
    words: t('edit:move.command'),
    reason: noneSelected ?? (offered.canMove ? null : t('edit:noTarget')),
    run: () => offered.onMany('move'),
  });
  useCommand({ ...always, id: 'replace-text', words: t('edit:find.command'), key: 'mod+H', run: () => offered.onMany('replace') });
  useCommand({ ...always, id: 'paste-points', words: t('edit:paste.command'), run: offered.onPaste });
}
