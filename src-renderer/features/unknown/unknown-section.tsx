import { ActionIcon, Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel, ProtocolDescriptor } from '#shared/contract/channels.ts';
import { toAppError } from '#shared/domain/errors.ts';
import { api } from '../../api/client.ts';
import { POLL, useOperation } from '../../api/hooks.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Icon } from '../../ui/icons.tsx';
import { notifyError } from '../../ui/notify.ts';
import { LogTable } from '../events/log-table.tsx';
import { isOpen } from '../write/write-rules.ts';
import { AddUnknownDialog } from './add-unknown-dialog.tsx';
import { TicksContext, useTicks } from './ticks.tsx';
import classes from './unknown.module.css';
import { useUnknownColumns } from './unknown-columns.tsx';
import { objectKey, type UnknownObject } from './unknown-model.ts';

const PAGE_SIZE = 100;
/** The list of the service has no more. */
const MOST_OBJECTS = 10_000;
const NO_OBJECTS: readonly UnknownObject[] = [];

interface PagerProps {
  readonly page: number;
  readonly pages: number;
  setPage(page: number): void;
}

function Pager({ page, pages, setPage }: PagerProps) {
  const { t } = useTranslation('tools');
  if (pages <= 1) return null;
  return (
    <span className={classes.pager}>
      <ActionIcon aria-label={t('unknown.previous')} disabled={page <= 1} onClick={() => setPage(page - 1)}>
        <Icon name="left" />
      </ActionIcon>
      <span className={classes.muted}>{t('unknown.page', { page, pages })}</span>
      <ActionIcon aria-label={t('unknown.next')} disabled={page >= pages} onClick={() => setPage(page + 1)}>
        <Icon name="right" />
      </ActionIcon>
    </span>
  );
}

interface UnknownSectionProps {
  readonly channel: Channel;
  readonly descriptor: ProtocolDescriptor | undefined;
}

/** Objects that the device sends and the table does not have: looked at, ticked, and made points of. */
export function UnknownSection({ channel, descriptor }: UnknownSectionProps) {
  const { t } = useTranslation('tools');
  const [wanted, setPage] = useState(1);
  const [isAdding, setIsAdding] = useState(false);
  const query = useOperation('unknownObjects', { channel_id: channel.id, page: wanted, page_size: PAGE_SIZE }, { pollMs: POLL.table });
  const rows = query.data?.items ?? NO_OBJECTS;
  const total = query.data?.total ?? 0;
  const dropped = query.data?.dropped ?? 0;
  const pages = Math.max(1, Math.ceil(total / PAGE_SIZE));
  const ticks = useTicks(rows);
  const columns = useUnknownColumns(channel.protocol_type);
  const all = useMutation({
    mutationFn: async () => (await api.call('unknownObjects', { channel_id: channel.id, page: 1, page_size: MOST_OBJECTS })).data.items,
    retry: false,
    onSuccess: ticks.add,
    onError: (error) => notifyError(toAppError(error)),
  });
  const count = ticks.selected.size;
  // Points that were added leave the list: its last page may be gone.
  if (wanted > pages && query.data && !query.isPlaceholderData) setPage(pages);
  return (
    <section className={classes.section} aria-label={t('unknown.title')} data-testid="unknown-objects">
      <p className={classes.hint}>{t('unknown.hint')}</p>
      <div className={classes.bar}>
        <Button
          leftSection={<Icon name="plus" size={14} />}
          disabled={count === 0}
          onClick={() => setIsAdding(true)}
          data-testid="unknown-add"
        >
          {t('unknown.add')}
        </Button>
        <span className={classes.muted}>{t('unknown.selected', { count })}</span>
        {total > count ? (
          <Button variant="subtle" size="compact-xs" loading={all.isPending} onClick={() => all.mutate()} data-testid="unknown-all">
            {t('unknown.all', { total })}
          </Button>
        ) : null}
        {count > 0 ? (
          <Button variant="subtle" size="compact-xs" onClick={ticks.clear}>
            {t('unknown.clear')}
          </Button>
        ) : null}
        <span className={classes.spacer} />
        {dropped > 0 ? (
          <span className={classes.warning} role="status">
            <Icon name="warn" size={14} />
            {t('unknown.dropped', { count: dropped })}
          </span>
        ) : null}
        <span className={classes.muted} data-testid="unknown-total">
          {t('unknown.total', { count: total })}
        </span>
        <Pager page={wanted} pages={pages} setPage={setPage} />
      </div>
      <ErrorNotice error={query.data ? null : query.error} compact />
      <TicksContext value={ticks}>
        <LogTable
          label={t('unknown.title')}
          rows={rows}
          columns={columns}
          rowId={objectKey}
          empty={
            query.data ? (
              <EmptyState
                icon="ok"
                title={t('unknown.empty')}
                hint={isOpen(channel) ? t('unknown.emptyHint') : t('unknown.emptyStopped')}
              />
            ) : null
          }
        />
      </TicksContext>
      {isAdding ? (
        <AddUnknownDialog
          channel={channel}
          descriptor={descriptor}
          objects={[...ticks.selected.values()]}
          onAdded={ticks.clear}
          onClose={() => setIsAdding(false)}
        />
      ) : null}
    </section>
  );
}
