import { Tabs } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { ImportReport } from '#shared/contract/point-files.ts';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { ChangeTable } from './change-table.tsx';
import classes from './import-dialog.module.css';
import { IssueTable } from './issue-table.tsx';
import { holdsFor } from './issue-text.ts';
import type { ImportMode } from './use-import.ts';

const LISTS = ['errors', 'warnings', 'changes'] as const;
type ListName = (typeof LISTS)[number];

const LIST_ICONS: Record<ListName, IconName> = { errors: 'bad', warnings: 'warn', changes: 'edit' };

function isList(value: string | null): value is ListName {
  return LISTS.some((name) => name === value);
}

/** What holds for the chosen mode, and how much there is of it beyond what is listed. */
function listsOf(report: ImportReport, mode: ImportMode) {
  const holds = holdsFor(mode);
  const lists = { errors: report.errors.filter(holds), warnings: report.warnings.filter(holds), changes: report.changes.filter(holds) };
  const tally = report.counts[mode];
  const unlisted = (name: 'errors' | 'warnings') => report.counts[name] - report[name].length;
  const totals = {
    errors: lists.errors.length + Math.max(0, unlisted('errors')),
    warnings: lists.warnings.length + Math.max(0, unlisted('warnings')),
    changes: tally ? tally.added + tally.changed + tally.removed : lists.changes.length,
  };
  return { lists, totals };
}

interface ImportListsProps {
  readonly report: ImportReport;
  readonly mode: ImportMode;
  readonly protocolType: Channel['protocol_type'];
}

/** What the preview found: errors, warnings and changes, each with its place, as far as they hold for the chosen mode. */
export function ImportLists({ report, mode, protocolType }: ImportListsProps) {
  const { t } = useTranslation('files');
  const [filter, setFilter] = useState('');
  const [chosen, setChosen] = useState<ListName | null>(null);
  const { lists, totals } = listsOf(report, mode);
  const first: ListName = lists.errors.length > 0 ? 'errors' : lists.changes.length > 0 ? 'changes' : 'warnings';
  const shown = chosen ?? first;
  const isCut = lists[shown].length < totals[shown];
  return (
    <Tabs className={classes.tabs ?? ''} value={shown} onChange={(value) => isList(value) && setChosen(value)} keepMounted={false}>
      <div className={classes.tabBar}>
        <Tabs.List style={{ flex: 1 }}>
          {LISTS.map((name) => (
            <Tabs.Tab
              key={name}
              value={name}
              leftSection={<Icon name={LIST_ICONS[name]} size={14} />}
              data-testid={`import-tab-${name}`}
              {...(name === 'errors' && totals.errors > 0 ? { c: 'red' } : {})}
            >
              {t(`tabs.${name}`)} {totals[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {isCut ? <span className={classes.muted}>{t('listed', { listed: lists[shown].length, count: totals[shown] })}</span> : null}
        <SearchField w={180} mb={4} ml={10} words={t('filter')} value={filter} onChange={(event) => setFilter(event.currentTarget.value)} />
      </div>
      {LISTS.map((name) => (
        <Tabs.Panel key={name} value={name} className={classes.panel ?? ''}>
          {name === 'changes' ? (
            <ChangeTable changes={lists.changes} label={t('tabs.changes')} filter={filter} protocolType={protocolType} />
          ) : (
            <IssueTable
              issues={lists[name]}
              label={t(`tabs.${name}`)}
              filter={filter}
              protocolType={protocolType}
              isError={name === 'errors'}
              hasSheets={report.file.format !== 'csv'}
            />
          )}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
