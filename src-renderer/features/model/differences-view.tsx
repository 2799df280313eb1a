import { Loader, TextInput } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelDifference } from '#shared/contract/iec61850.ts';
import { POLL, useOperation } from '../../api/hooks.ts';
import { type GridColumn, textColumn } from '../../ui/data-grid/column.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Icon } from '../../ui/icons.tsx';
import { FileTable } from '../point-files/file-table.tsx';
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

function typeText(type: string, t: TFunction<'model'>): string {
  for (const [pattern, word] of WORDS) {
    const found = pattern.exec(type);
    if (found) return t(`difference.${word}`, { count: Number(found[1] ?? 0), member: found[2] ?? '' });
  }
  return type || '–';
}

/** Where the file of the channel and the device differ. */
export function DifferencesView({ channelId, hasDocument, revision }: DifferencesViewProps) {
  const { t } = useTranslation('model');
  const query = useOperation('modelDifferences', { channel_id: channelId }, { pollMs: POLL.slow });
  const [filter, setFilter] = useState('');
  const items = query.data?.items;
  const columns = useMemo((): readonly GridColumn<ModelDifference>[] => {
    const column = (id: 'kind' | 'reference' | 'file' | 'device', width: number, textOf: (item: ModelDifference) => string) =>
      textColumn(id, t(`difference.column.${id}`), width, textOf);
    return [
      column('kind', 150, (item) => t(`difference.kind.${item.kind}`)),
      { ...column('reference', 380, (item) => item.reference), className: 'lc-mono' },
      { ...column('file', 120, (item) => typeText(item.file, t)), grows: 1 },
      { ...column('device', 120, (item) => typeText(item.device, t)), grows: 1 },
    ];
  }, [t]);
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
      <FileTable
        name="differences"
        label={t('view.differences')}
        rows={rows}
        all={query.data.items}
        columns={columns}
        empty={<EmptyState icon="search" title={t('noneFound')} />}
      />
    </div>
  );
}
