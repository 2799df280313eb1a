import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { TableIssue } from '#shared/contract/point-files.ts';
import { useTerms } from '../channels/protocol-facts.ts';
import { issueText } from './issue-text.ts';
import { Nothing } from './nothing.tsx';
import { useFiltered } from './use-filtered.ts';
import { type Column, VirtualRows } from './virtual-rows.tsx';

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
  const columns: readonly Column<TableIssue>[] = [
    ...(hasSheets
      ? [{ key: 'sheet', title: t('column.sheet'), width: 96, cell: (issue: TableIssue) => issue.sheet || t('wholeFile') }]
      : []),
    { key: 'row', title: t('column.row'), width: 62, isNumber: true, cell: (issue) => issue.row ?? '' },
    { key: 'cell', title: t('column.cell'), width: 74, cell: (issue) => <span className="lc-mono">{issue.cell}</span> },
    { key: 'column', title: t('column.header'), width: 140, cell: (issue) => issue.column },
    { key: 'message', title: isError ? t('column.message') : t('column.note'), width: 0, cell: (issue) => issueText(issue, t, terms) },
  ];
  const none = isError ? t('noErrors') : t('noWarnings');
  const empty = <Nothing text={issues.length > 0 ? t('noneFound') : none} isGood={issues.length === 0} />;
  return <VirtualRows label={label} rows={rows} columns={columns} empty={empty} />;
}
