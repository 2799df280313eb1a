import { Button, Group, Loader, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Icon } from '../../ui/icons.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { formatTime } from '../../ui/time.ts';
import { StageTable } from '../write/stage-table.tsx';
import { type ResultTable, resultFile, resultTables } from './operation-model.ts';
import { useOperationText } from './operation-text.ts';
import classes from './operations.module.css';
import { endTone, endWord, type OperationReport, type OperationRun } from './operations-store.ts';

/** Texts of so many characters stay on one line. */
const SHORT_TEXT = 19;

function Cell({ text }: { readonly text: string }) {
  return <td className={text.length <= SHORT_TEXT ? classes.short : undefined}>{text}</td>;
}

function Result({ table, operation }: { readonly table: ResultTable; readonly operation: string }) {
  const { t } = useTranslation('operations');
  const { fieldOf, valueText } = useOperationText();
  return (
    <table className={classes.table} aria-label={table.name ? fieldOf(table.name) : t('result')}>
      <thead>
        <tr>
          {table.columns.map((column) => (
            <th key={column} scope="col">
              {fieldOf(column, table.name || operation)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows of one answer have no name of their own and never move
          <tr key={index}>
            {row.map((value, place) => (
              <Cell key={table.columns[place]} text={valueText(table.columns[place] ?? '', value)} />
            ))}
          </tr>
        ))}
        {table.rows.length === 0 ? (
          <tr>
            <td>{t('noRows')}</td>
          </tr>
        ) : null}
      </tbody>
    </table>
  );
}

function Report({ report, operation }: { readonly report: OperationReport; readonly operation: string }) {
  const { t, i18n } = useTranslation(['operations', 'points']);
  const tables = resultTables(report.result, i18n.language).filter((table) => table.rows.length > 0);
  const file = resultFile(report.result);
  return (
    <>
      {tables.length > 0 ? <h3 className={classes.subtitle}>{t('operations:result')}</h3> : null}
      {tables.map((table) => (
        <Result key={table.name} table={table} operation={operation} />
      ))}
      {file ? (
        <div>
          <Button
            variant="default"
            leftSection={<Icon name="download" size={14} />}
            onClick={() => saveFile({ ...file, mediaType: 'application/octet-stream' })}
            data-testid="operation-save-file"
          >
            {t('operations:saveFile', { name: file.name })}
          </Button>
        </div>
      ) : null}
      {report.stages.length > 0 ? <h3 className={classes.subtitle}>{t('operations:stages')}</h3> : null}
      <StageTable stages={report.stages} />
      {report.audit_id === undefined ? null : (
        <Text size="xs" c="dimmed">
          {t('points:write.audit', { id: report.audit_id })}
        </Text>
      )}
    </>
  );
}

/** What became of the last run of an operation: outcome, what it brought, and its stages. */
export function OperationOutcome({ run, operation }: { readonly run: OperationRun; readonly operation: string }) {
  const { t } = useTranslation('operations');
  const { end } = run;
  if (!end) {
    return (
      <Group gap="xs" role="status" className={classes.outcome ?? ''}>
        <Loader size="xs" />
        <Text>{t('underWay')}</Text>
      </Group>
    );
  }
  const word = endWord(end);
  return (
    <div className={classes.outcome} data-testid="operation-outcome" data-outcome={word}>
      <Group gap="sm" role="status">
        <StatusBadge tone={endTone(end)} outlined {...(word === 'unknown' ? { icon: 'question' as const } : {})}>
          {t(`outcome.${word}`)}
        </StatusBadge>
        <Text>{t(`outcomeText.${word}`)}</Text>
        <Text c="dimmed" size="xs" ml="auto">
          {t('at', { time: formatTime(run.at) })}
        </Text>
      </Group>
      {end.kind === 'report' ? <Report report={end.report} operation={operation} /> : <ErrorNotice error={end.error} />}
    </div>
  );
}
