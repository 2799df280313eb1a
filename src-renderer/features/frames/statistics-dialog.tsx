import { Modal, Text } from '@mantine/core';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { FrameStatisticsRow } from '#shared/contract/frames.ts';
import { written } from '#shared/domain/frame-filter/complete.ts';
import { useOperation } from '../../api/hooks.ts';
import { useWords } from '../../i18n/words.ts';
import type { GridColumn } from '../../ui/data-grid/column.ts';
import { DataGrid } from '../../ui/data-grid/data-grid.tsx';
import { useLocalRows } from '../../ui/data-grid/rows.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import classes from './frames.module.css';

const NONE: readonly FrameStatisticsRow[] = [];
const idOf = ({ slave, function: code, name }: FrameStatisticsRow) => JSON.stringify([slave, code, name]);

/** The filter that has the frames of a row. */
export function filterOfRow({ slave, function: code, name }: FrameStatisticsRow): string {
  const tests = [
    slave === null ? null : `slave == ${written(String(slave))}`,
    code !== null ? `function == ${code}` : name === null ? null : `function == ${written(name)}`,
  ].filter((test) => test !== null);
  return tests.join(' and ');
}

function useColumns(): readonly GridColumn<FrameStatisticsRow>[] {
  const { t } = useTranslation('frames');
  const words = useWords();
  return useMemo(() => {
    const column = (id: string, name: string, width: number, textOf: (row: FrameStatisticsRow) => string, isText = false) => ({
      id,
      name,
      width,
      cell: textOf,
      text: textOf,
      ...(isText ? { titleOf: textOf } : { align: 'right' as const }),
    });
    const ms = (value: number | undefined) => (value === undefined ? '' : value.toFixed(value < 10 ? 2 : 1));
    return [
      column('slave', t('statistics.slave'), 120, ({ slave }) => String(slave ?? ''), true),
      {
        ...column(
          'function',
          t('statistics.function'),
          190,
          ({ function: code, name, name_message: said }) =>
            [code, name === null ? null : words(said, name)].filter((part) => part !== null).join(' '),
          true,
        ),
        grows: 1,
      },
      column('frames', t('statistics.frames'), 74, ({ frames }) => String(frames)),
      column('octets', t('statistics.octets'), 84, ({ octets }) => String(octets)),
      column('errors', t('statistics.errors'), 64, ({ errors }) => String(errors)),
      column('unanswered', t('statistics.unanswered'), 104, ({ unanswered }) => String(unanswered)),
      column('least', t('statistics.least'), 84, ({ latency_ms: latency }) => ms(latency?.least)),
      column('mean', t('statistics.mean'), 84, ({ latency_ms: latency }) => ms(latency?.mean)),
      column('p95', t('statistics.p95'), 84, ({ latency_ms: latency }) => ms(latency?.p95)),
      column('most', t('statistics.most'), 84, ({ latency_ms: latency }) => ms(latency?.most)),
    ];
  }, [t, words]);
}

interface StatisticsDialogProps {
  readonly channelId: number;
  /** The filter that holds; what passes it is counted. */
  readonly filter: string;
  onFilter(filter: string): void;
  onClose(): void;
}

/** The frame log counted by slave and function; a row leads to its frames. */
export function StatisticsDialog({ channelId, filter, onFilter, onClose }: StatisticsDialogProps) {
  const { t } = useTranslation(['frames', 'app']);
  const counted = useOperation('frameStatistics', { channel_id: channelId, ...(filter === '' ? {} : { filter }) });
  const rows = useLocalRows(counted.data?.items ?? NONE, idOf);
  const columns = useColumns();
  const show = useCallback(
    (row: FrameStatisticsRow | undefined) => {
      const own = row ? filterOfRow(row) : '';
      if (own === '') return;
      onFilter(filter === '' || filter.includes(own) ? own : `(${filter}) and ${own}`);
      onClose();
    },
    [filter, onFilter, onClose],
  );
  return (
    <Modal
      opened
      onClose={onClose}
      size={1080}
      title={t('frames:statistics.title')}
      closeButtonProps={{ 'aria-label': t('app:action.close') }}
    >
      <Text size="sm" c="dimmed" mb="xs">
        {filter === '' ? t('frames:statistics.hint') : t('frames:statistics.hintFiltered', { filter })}
      </Text>
      <ErrorNotice error={counted.error} />
      <div className={classes.statistics}>
        <DataGrid
          name="frame-statistics"
          label={t('frames:statistics.title')}
          rows={rows}
          columns={columns}
          onOpen={show}
          onKey={(event, { row }) => {
            if (event.key !== 'Enter') return;
            show(row);
            event.preventDefault();
          }}
          rowProps={statisticsRow}
          empty={counted.data ? t('frames:statistics.none') : t('frames:loading')}
          testId="frame-statistics"
        />
      </div>
    </Modal>
  );
}

function statisticsRow(row: FrameStatisticsRow) {
  return { 'data-testid': 'statistics-row', 'data-filter': filterOfRow(row) };
}
