import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { Point } from '#shared/contract/points.ts';
import { isServing } from '#shared/domain/enums.ts';
import { useCommand } from '../../commands/registry.ts';
import type { Editing } from '../point-edit/edit-dialogs.tsx';
import { openImport } from '../point-files/point-files-store.ts';
import { openPointForm } from '../point-form/point-form-store.ts';
import { isOpen, type WriteObstacle, writeObstacle } from '../write/write-rules.ts';

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

/** The words of the commands; translated once, and not for each row that the keyboard goes to. */
function useCommandWords() {
  const { t } = useTranslation(['commands', 'points', 'edit']);
  return useMemo(
    () => ({
      read: t('commands:readPoint'),
      write: t('points:action.write'),
      serve: t('points:action.serve'),
      edit: t('commands:editPoints'),
      remove: t('commands:deletePoints'),
      add: t('commands:addPoint'),
      import: t('commands:importPoints'),
      fill: t('edit:fill.command'),
      duplicate: t('edit:duplicate.command'),
      move: t('edit:move.command'),
      replace: t('edit:find.command'),
      paste: t('edit:paste.command'),
      selectOne: t('points:why.selectOne'),
      selectSome: t('points:why.selectSome'),
      notStarted: t('points:why.notStarted'),
      needTwo: t('edit:needTwo'),
      noTarget: t('edit:noTarget'),
      obstacle: (obstacle: WriteObstacle) => t(`points:why.${obstacle}`),
    }),
    [t],
  );
}

/** What the palette, the keys and the menu of a row offer while the table is on the screen. */
export function usePointCommands(channelId: number, offered: Offered) {
  const words = useCommandWords();
  const { channel, single, count } = offered;
  const group = 'points' as const;
  const always = { group, reason: null };
  const noSingle = single ? null : words.selectOne;
  const noneSelected = count > 0 ? null : words.selectSome;
  const obstacle = channel && single ? writeObstacle(channel, single, offered.isServiceReadOnly) : null;
  const noWrite = useMemo(() => (obstacle ? words.obstacle(obstacle) : null), [obstacle, words]);
  const isServed = channel !== null && isServing(channel.conn_type);
  useCommand({
    id: 'read-point',
    group,
    words: words.read,
    reason: noSingle ?? (channel && isOpen(channel) ? null : words.notStarted),
    run: () => (single ? offered.onRead(single) : undefined),
  });
  useCommand({
    id: 'write-point',
    group,
    key: 'F7',
    words: isServed ? words.serve : words.write,
    reason: noSingle ?? noWrite,
    run: () => (single ? offered.onWrite(single) : undefined),
  });
  useCommand({ id: 'edit-points', group, words: words.edit, key: 'F2', reason: noneSelected, run: offered.onEdit });
  useCommand({ id: 'delete-points', group, words: words.remove, reason: noneSelected, run: offered.onDelete });
  useCommand({ ...always, id: 'add-point', words: words.add, key: 'Insert', leavesTyping: true, run: () => openPointForm({ channelId }) });
  useCommand({ ...always, id: 'import-points', words: words.import, key: 'alt+I', run: () => openImport(channelId) });
  useCommand({
    id: 'fill-down',
    group,
    words: words.fill,
    key: 'mod+D',
    reason: count > 1 ? null : words.needTwo,
    run: () => offered.onMany('fill'),
  });
  useCommand({
    id: 'duplicate-points',
    group,
    words: words.duplicate,
    reason: noneSelected,
    run: () => offered.onMany('duplicate'),
  });
  useCommand({
    id: 'move-points',
    group,
    words: words.move,
    reason: noneSelected ?? (offered.canMove ? null : words.noTarget),
    run: () => offered.onMany('move'),
  });
  useCommand({ ...always, id: 'replace-text', words: words.replace, key: 'mod+H', run: () => offered.onMany('replace') });
  useCommand({ ...always, id: 'paste-points', words: words.paste, run: offered.onPaste });
}
