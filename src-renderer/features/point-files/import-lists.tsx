import { Tabs, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportReport, TableChange, TableIssue } from '#shared/contract/point-files.ts';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { FRAME_TYPE_LETTERS } from '../points/point-text.ts';
import { changeText } from './change-text.ts';
import classes from './import-dialog.module.css';
import { holdsFor, issueText } from './issue-text.ts';
import type { ImportMode } from './use-import.ts';
import { type Column, VirtualRows } from './virtual-rows.tsx';

const LISTS = ['errors', 'warnings', 'changes'] as const;
type ListName = (typeof LISTS)[number];

const LIST_ICONS: Record<ListName, IconName> = { errors: 'bad', warnings: 'warn', changes: 'edit' };
const KIND_ICONS: Record<TableChange['kind'], IconName> = { added: 'plus', changed: 'edit', removed: 'trash' };

function isList(value: string | null): value is ListName {
  return LISTS.some((name) => name === value);
}

/** Rows of one list with their texts, reduced to those that contain the filter. */
function useFiltered<Row>(rows: readonly Row[], textOf: (row: Row) => string, filter: string): readonly Row[] {
  return useMemo(() => {
    const wanted = filter.trim().toLowerCase();
    return wanted === '' ? rows : rows.filter((row) => textOf(row).toLowerCase().includes(wanted));
  }, [rows, textOf, filter]);
}

function IssueTable({
  issues,
  label,
  filter,
  isError,
}: {
  readonly issues: readonly TableIssue[];
  readonly label: string;
  readonly filter: string;
  readonly isError: boolean;
}) {
  const { t } = useTranslation('files');
  const textOf = useMemo(
    () => (issue: TableIssue) => [issue.sheet, issue.row, issue.cell, issue.column, issueText(issue, t)].join(' '),
    [t],
  );
  const rows = useFiltered(issues, textOf, filter);
  const columns: readonly Column<TableIssue>[] = [
    { key: 'sheet', title: t('column.sheet'), width: 90, cell: (issue) => issue.sheet || (issue.row === null ? t('wholeFile') : '') },
    { key: 'row', title: t('column.row'), width: 62, isNumber: true, cell: (issue) => issue.row ?? '' },
    { key: 'cell', title: t('column.cell'), width: 74, cell: (issue) => <span className="lc-mono">{issue.cell}</span> },
    { key: 'column', title: t('column.header'), width: 140, cell: (issue) => issue.column },
    { key: 'message', title: isError ? t('column.message') : t('column.note'), width: 0, cell: (issue) => issueText(issue, t) },
  ];
  const none = isError ? t('noErrors') : t('noWarnings');
  const empty = <Nothing text={issues.length > 0 ? t('noneFound') : none} isGood={issues.length === 0} />;
  return <VirtualRows label={label} rows={rows} columns={columns} empty={empty} />;
}

function ChangeTable({
  changes,
  label,
  filter,
}: {
  readonly changes: readonly TableChange[];
  readonly label: string;
  readonly filter: string;
}) {
  const { t } = useTranslation(['files', 'fields']);
  const textOf = useMemo(
    () => (change: TableChange) => [t(`files:${change.kind}`), change.code, change.name, change.decode, changeText(change, t)].join(' '),
    [t],
  );
  const rows = useFiltered(changes, textOf, filter);
  const columns: readonly Column<TableChange>[] = [
    {
      key: 'kind',
      title: t('files:column.kind'),
      width: 96,
      cell: (change) => (
        <span style={{ display: 'inline-flex', alignItems: 'center', gap: 4 }}>
          <Icon name={KIND_ICONS[change.kind]} size={14} /> {t(`files:${change.kind}`)}
        </span>
      ),
    },
    { key: 'type', title: t('files:column.type'), width: 52, cell: (change) => FRAME_TYPE_LETTERS[change.frame_type] },
    { key: 'code', title: t('files:column.code'), width: 150, cell: (change) => <span className="lc-mono">{change.code}</span> },
    { key: 'name', title: t('files:column.name'), width: 170, cell: (change) => change.name },
    { key: 'address', title: t('files:column.address'), width: 76, isNumber: true, cell: (change) => change.address },
    { key: 'decode', title: t('files:column.decode'), width: 170, cell: (change) => <span className="lc-mono">{change.decode}</span> },
    { key: 'fields', title: t('files:column.fields'), width: 0, cell: (change) => changeText(change, t) },
  ];
  const empty = <Nothing text={changes.length > 0 ? t('files:noneFound') : t('files:noChanges')} isGood={false} />;
  return <VirtualRows label={label} rows={rows} columns={columns} empty={empty} />;
}

function Nothing({ text, isGood }: { readonly text: string; readonly isGood: boolean }) {
  return (
    <div className={classes.empty}>
      {isGood ? <Icon name="ok" /> : null} {text}
    </div>
  );
}

/** What the preview found: errors, warnings and changes, each with its place, as far as they hold for the chosen mode. */
export function ImportLists({ report, mode }: { readonly report: ImportReport; readonly mode: ImportMode }) {
  const { t } = useTranslation('files');
  const [filter, setFilter] = useState('');
  const holds = holdsFor(mode);
  const lists = { errors: report.errors.filter(holds), warnings: report.warnings.filter(holds), changes: report.changes.filter(holds) };
  const first: ListName = lists.errors.length > 0 ? 'errors' : lists.changes.length > 0 ? 'changes' : 'warnings';
  const [chosen, setChosen] = useState<ListName | null>(null);
  const shown = chosen ?? first;
  const tally = report.counts[mode];
  const totals = {
    errors: Math.max(lists.errors.length, report.errors.length === lists.errors.length ? report.counts.errors : 0),
    warnings: Math.max(lists.warnings.length, report.warnings.length === lists.warnings.length ? report.counts.warnings : 0),
    changes: tally ? tally.added + tally.changed + tally.removed : lists.changes.length,
  };
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
        <TextInput
          type="search"
          w={180}
          mb={4}
          ml={10}
          aria-label={t('filter')}
          placeholder={t('filter')}
          leftSection={<Icon name="search" size={14} />}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
      </div>
      {LISTS.map((name) => (
        <Tabs.Panel key={name} value={name} className={classes.panel ?? ''}>
          {name === 'changes' ? (
            <ChangeTable changes={lists.changes} label={t('tabs.changes')} filter={filter} />
          ) : (
            <IssueTable issues={lists[name]} label={t(`tabs.${name}`)} filter={filter} isError={name === 'errors'} />
          )}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
