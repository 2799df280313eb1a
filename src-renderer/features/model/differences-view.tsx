import { Loader, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelDifference } from '#shared/contract/iec61850.ts';
import { POLL, useOperation } from '../../api/hooks.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Icon } from '../../ui/icons.tsx';
import { type Column, VirtualRows } from '../point-files/virtual-rows.tsx';
import classes from './model.module.css';

interface DifferencesViewProps {
  readonly channelId: number;
  readonly hasDocument: boolean;
  readonly revision: number;
}

/** What the service says in English and is no name: a number, and the name of a member. */
const WORDS = [
  [/^structure of (\d+)$/, 'structure'],
  [/^(\d+) logical nodes$/, 'nodes'],
  [/^logical node$/, 'node'],
  [/^report control block$/, 'block'],
  [/^(\d+) members$/, 'members'],
  [/^member (\d+): (.*), the same members in another order$/, 'memberReordered'],
  [/^member (\d+): (.*)$/, 'member'],
] as const;

/** Where the file of the channel and the device differ. */
export function DifferencesView({ channelId, hasDocument, revision }: DifferencesViewProps) {
  const { t } = useTranslation('model');
  const query = useOperation('modelDifferences', { channel_id: channelId }, { pollMs: POLL.slow });
  const [filter, setFilter] = useState('');
  const items = query.data?.items;
  const kindOf = (item: ModelDifference) => t(`difference.kind.${item.kind}`);
  const typeText = (type: string): string => {
    for (const [pattern, word] of WORDS) {
      const found = pattern.exec(type);
      if (found) return t(`difference.${word}`, { count: Number(found[1] ?? 0), member: found[2] ?? '' });
    }
    return type || '–';
  };
  const words = filter.trim().toLowerCase();
  const rows = useMemo(
    () => (items ?? []).filter((item) => `${item.reference} ${item.file} ${item.device}`.toLowerCase().includes(words)),
    [items, words],
  );
  if (!query.data) return query.error ? <ErrorNotice error={query.error} compact /> : <Loader size="sm" m="md" />;
  if (!query.data.comparable) {
    return (
      <EmptyState icon="info" title={t('difference.missing')} hint={t(hasDocument ? 'difference.needDevice' : 'difference.needFile')} />
    );
  }
  if (query.data.items.length === 0) return <EmptyState icon="ok" title={t('difference.same')} hint={t('difference.sameHint')} />;
  const columns: readonly Column<ModelDifference>[] = [
    { key: 'kind', title: t('difference.column.kind'), width: 150, cell: kindOf },
    {
      key: 'reference',
      title: t('difference.column.reference'),
      width: 380,
      cell: (item) => <span className="lc-mono">{item.reference}</span>,
    },
    { key: 'file', title: t('difference.column.file'), width: 0, cell: (item) => typeText(item.file) },
    { key: 'device', title: t('difference.column.device'), width: 0, cell: (item) => typeText(item.device) },
  ];
  const total = query.data.items.length + query.data.more;
  return (
    <div className={classes.differences} data-testid="differences" data-revision={revision}>
      <div className={classes.differenceHead}>
        <span role="status">{t('difference.count', { count: total })}</span>
        {query.data.more > 0 ? <span className={classes.muted}>{t('difference.shown', { count: query.data.items.length })}</span> : null}
        <span className={classes.spring} />
        <TextInput
          className={classes.search ?? ''}
          aria-label={t('difference.filter')}
          placeholder={t('difference.filter')}
          leftSection={<Icon name="search" size={14} />}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
      </div>
      <VirtualRows
        label={t('view.differences')}
        rows={rows}
        columns={columns}
        empty={<EmptyState icon="search" title={t('noneFound')} />}
      />
    </div>
  );
}
