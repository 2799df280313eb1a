import { Button, Group, Loader, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Icon } from '../../ui/icons.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { formatTime } from '../../ui/time.ts';
import { StageTable } from '../write/stage-table.tsx';
import { DeviceFiles } from './device-files.tsx';
import { FoundPoints, type NewPoint } from './found-points.tsx';
import { resultFile, resultTables } from './operation-model.ts';
import classes from './operations.module.css';
import { endTone, endWord, type OperationReport, type OperationRun } from './operations-store.ts';
import { ResultView } from './result-view.tsx';

/** Operations whose results have a view of their own, so that their tables are not shown. */
const WITH_FILES = 'list_files';
/** The operation whose `points` are points as `addPoints` takes them. */
const WITH_POINTS = 'discover_sunspec';

interface ReportProps {
  readonly channel: Channel;
  readonly report: OperationReport;
  readonly operation: string;
}

function Report({ channel, report, operation }: ReportProps) {
  const { t, i18n } = useTranslation(['operations', 'points']);
  const hasFiles = operation === WITH_FILES && report.outcome === 'accepted';
  const { points: found, ...result } = report.result;
  const hasPoints = operation === WITH_POINTS && Array.isArray(found);
  const shown = hasPoints ? result : report.result;
  const tables = hasFiles ? [] : resultTables(shown, i18n.language).filter((table) => table.rows.length > 0);
  const file = resultFile(report.result);
  return (
    <>
      {tables.length > 0 ? <h3 className={classes.subtitle}>{t('operations:result')}</h3> : null}
      {tables.map((table) => (
        <ResultView key={table.name} table={table} operation={operation} />
      ))}
      {hasPoints ? <FoundPoints channel={channel} points={found as readonly NewPoint[]} /> : null}
      {hasFiles ? <DeviceFiles channel={channel} result={report.result} /> : null}
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
export function OperationOutcome({
  channel,
  run,
  operation,
}: {
  readonly channel: Channel;
  readonly run: OperationRun;
  readonly operation: string;
}) {
  const { t } = useTranslation('operations');
  const { end } = run;
  const element = useRef<HTMLDivElement>(null);
  const wasUnderWay = useRef(end === null);
  useEffect(() => {
    // what came while somebody waited; a result of before stays where it is
    if (end !== null && wasUnderWay.current) element.current?.scrollIntoView({ block: 'nearest' });
    wasUnderWay.current = end === null;
  }, [end]);
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
    <div ref={element} className={classes.outcome} data-testid="operation-outcome" data-outcome={word}>
      <Group gap="sm" role="status">
        <StatusBadge tone={endTone(end)} outlined {...(word === 'unknown' ? { icon: 'question' as const } : {})}>
          {t(`outcome.${word}`)}
        </StatusBadge>
        <Text>{t(`outcomeText.${word}`)}</Text>
        <Text c="dimmed" size="xs" ml="auto">
          {t('at', { time: formatTime(run.at) })}
        </Text>
      </Group>
      {end.kind === 'report' ? <Report channel={channel} report={end.report} operation={operation} /> : <ErrorNotice error={end.error} />}
    </div>
  );
}
