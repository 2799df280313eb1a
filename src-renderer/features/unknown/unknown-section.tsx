import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel, ProtocolDescriptor } from '#shared/contract/channels.ts';
import { POLL } from '../../api/hooks.ts';
import { useOperationRows } from '../../api/operation-rows.ts';
import { useCommand } from '../../commands/registry.ts';
import { DataGrid } from '../../ui/data-grid/data-grid.tsx';
import { useGridSelection } from '../../ui/data-grid/use-grid-selection.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Icon } from '../../ui/icons.tsx';
import { isOpen } from '../write/write-rules.ts';
import { AddUnknownDialog } from './add-unknown-dialog.tsx';
import classes from './unknown.module.css';
import { useUnknownColumns } from './unknown-columns.tsx';
import { objectKey } from './unknown-model.ts';
import { sideOf } from './unknown-side.ts';

/** The list of the service has no more. */
const MOST_OBJECTS = 10_000;

interface UnknownSectionProps {
  readonly channel: Channel;
  readonly descriptor: ProtocolDescriptor | undefined;
}

/** Objects that the device sends and the table does not have: looked at, ticked, and made points of. */
export function UnknownSection({ channel, descriptor }: UnknownSectionProps) {
  const { t } = useTranslation(['tools', 'commands']);
  const [isAdding, setIsAdding] = useState(false);
  const { rows, newest, isKnown, error } = useOperationRows(
    'unknownObjects',
    { channel_id: channel.id },
    { pollMs: POLL.table, largest: MOST_OBJECTS, idOf: objectKey },
  );
  const side = sideOf(channel);
  const dropped = newest?.dropped ?? 0;
  const selection = useGridSelection(rows);
  const usable = useMemo(() => [...selection.rows.values()].filter((object) => object.frame_type !== null), [selection.rows]);
  const columns = useUnknownColumns(channel.protocol_type);
  const total = rows.count;
  const count = usable.length;
  useCommand({
    id: 'add-unknown',
    group: 'points',
    words: t('commands:addUnknown'),
    key: 'Insert',
    leavesTyping: true,
    reason: count === 0 ? t('commands:why.noObjects') : null,
    run: () => setIsAdding(true),
  });
  return (
    <section className={classes.section} aria-label={t('tools:unknown.title')} data-testid="unknown-objects">
      <p className={classes.hint}>{t('tools:unknown.hint', side)}</p>
      <div className={classes.bar}>
        <Button
          leftSection={<Icon name="plus" size={14} />}
          disabled={count === 0}
          onClick={() => setIsAdding(true)}
          data-testid="unknown-add"
        >
          {t('tools:unknown.add')}
        </Button>
        <span className={classes.muted}>{t('tools:unknown.selected', { count })}</span>
        {total > count ? (
          <Button variant="subtle" size="compact-xs" loading={selection.isLoading} onClick={selection.all} data-testid="unknown-all">
            {t('tools:unknown.all', { total })}
          </Button>
        ) : null}
        {count > 0 ? (
          <Button variant="subtle" size="compact-xs" onClick={selection.none}>
            {t('tools:unknown.clear')}
          </Button>
        ) : null}
        <span className={classes.spacer} />
        {dropped > 0 ? (
          <span className={classes.warning} role="status">
            <Icon name="warn" size={14} />
            {t('tools:unknown.dropped', { count: dropped })}
          </span>
        ) : null}
        <span className={classes.muted} data-testid="unknown-total">
          {t('tools:unknown.total', { count: total })}
        </span>
      </div>
      <ErrorNotice error={error} compact />
      <DataGrid
        name="unknown"
        label={t('tools:unknown.title')}
        rows={rows}
        columns={columns}
        selection={selection}
        empty={
          isKnown ? (
            <EmptyState
              icon="ok"
              title={t('tools:unknown.empty', side)}
              hint={isOpen(channel) ? t('tools:unknown.emptyHint', side) : t('tools:unknown.emptyStopped', side)}
            />
          ) : null
        }
      />
      {isAdding ? (
        <AddUnknownDialog
          channel={channel}
          descriptor={descriptor}
          objects={usable}
          onAdded={selection.none}
          onClose={() => setIsAdding(false)}
        />
      ) : null}
    </section>
  );
}
