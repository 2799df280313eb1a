import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { TableIssue } from '#shared/contract/point-files.ts';
import { type GridColumn, textColumn } from '../../ui/data-grid/column.ts';
import { useTerms } from '../channels/protocol-facts.ts';
import { FileTable } from './file-table.tsx';
import { issueText } from './issue-text.ts';
import { Nothing } from './nothing.tsx';
import { useFiltered } from './use-filtered.ts';

interface IssueTableProps {
  readonly issues: readonly TableIssue[];
  readonly label: string;
  readonly filter: string;
  readonly protocolType: Channel['protocol_type'];
  readonly isError: boolean;
  /** False for a csv, which has no sheets to name. */
  readonly hasSheets: boolean;
}

/** Errors or warnings, each with its place in the file. */
export function IssueTable({ issues, label, filter, protocolType, isError, hasSheets }: IssueTableProps) {
  const { t } = useTranslation('files');
  const terms = useTerms(protocolType);
  const textOf = useMemo(
    () => (issue: TableIssue) => [issue.sheet, issue.row, issue.cell, issue.column, issueText(issue, t, terms)].join(' '),
    [t, terms],
  );
  const rows = useFiltered(issues, textOf, filter);
  const columns = useMemo((): readonly GridColumn<TableIssue>[] => {
    const column = textColumn<TableIssue>;
    const sheet = column('sheet', t('column.sheet'), 96, (issue) => issue.sheet || t('wholeFile'));
    const words = (issue: TableIssue) => issueText(issue, t, terms);
    return [
      ...(hasSheets ? [sheet] : []),
      { ...column('row', t('column.row'), 62, (issue) => String(issue.row ?? '')), align: 'right' },
      { ...column('cell', t('column.cell'), 74, (issue) => issue.cell), className: 'lc-mono' },
      column('column', t('column.header'), 140, (issue) => issue.column),
      { ...column('message', isError ? t('column.message') : t('column.note'), 240, words), grows: 1 },
    ];
  }, [t, terms, hasSheets, isError]);
  const none = isError ? t('noErrors') : t('noWarnings');
  const empty = <Nothing text={issues.length > 0 ? t('noneFound') : none} isGood={issues.length === 0} />;
  return (
    <FileTable
      name={isError ? 'import-errors' : 'import-warnings'}
      label={label}
      rows={rows}
      all={issues}
      columns={columns}
      empty={empty}
    />
  );
}
