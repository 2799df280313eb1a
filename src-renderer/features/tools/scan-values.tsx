import { ActionIcon, Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ScanJob } from '#shared/contract/jobs.ts';
import { toAppError } from '#shared/domain/errors.ts';
import { api } from '../../api/client.ts';
import { POLL, useOperation } from '../../api/hooks.ts';
import { formatHex, modbusReference } from '../../ui/address.ts';
import { type GridColumn, textColumn } from '../../ui/data-grid/column.ts';
import { DataGrid } from '../../ui/data-grid/data-grid.tsx';
import { useLocalRows } from '../../ui/data-grid/rows.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/icons.tsx';
import { notifyError } from '../../ui/notify.ts';
import { saveFile } from '../../ui/save-file.ts';
import { MakePointsDialog } from './make-points-dialog.tsx';
import { linesOf, type ScanLine } from './scan-model.ts';
import classes from './tools.module.css';

const PAGE_SIZE = 5000;

function useColumns(): readonly GridColumn<ScanLine>[] {
  const { t } = useTranslation('tools');
  return useMemo(() => {
    const column = textColumn<ScanLine>;
    return [
      column('func_code', t('scan.function'), 34, (row) => String(row.func_code)),
      column('address', t('scan.address'), 66, (row) => String(row.address)),
      column('hex', t('scan.hexAddress'), 72, (row) => formatHex(row.address)),
      column('reference', t('scan.reference'), 76, (row) => modbusReference(row.address, row.func_code) ?? ''),
      column('raw', t('scan.raw'), 60, (row) => row.hex),
      column('value', t('scan.unsigned'), 78, (row) => String(row.value)),
      column('signed', t('scan.signed'), 72, (row) => String(row.signed)),
      column('abcd', 'float32 ABCD', 106, (row) => row.abcd),
      column('cdab', 'float32 CDAB', 106, (row) => row.cdab),
    ];
  }, [t]);
}

const idOf = (row: ScanLine) => `${row.func_code} ${row.address}`;

function useCsv(jobId: string) {
  return useMutation({
    mutationFn: async () => saveFile((await api.call('scanCsv', { job_id: jobId })).data),
    retry: false,
    onError: (error) => notifyError(toAppError(error)),
  });
}

/** Values of a scan, a page at a time, with the file and the points that can be made of them. */
export function ScanValues({ job }: { readonly job: ScanJob }) {
  const { t } = useTranslation('tools');
  const [page, setPage] = useState(1);
  const [isMaking, setIsMaking] = useState(false);
  const query = useOperation(
    'scanRows',
    { job_id: job.id, page, page_size: PAGE_SIZE },
    { pollMs: job.state === 'running' ? POLL.status : false },
  );
  const rows = query.data?.items ?? [];
  const total = job.found;
  const lines = useMemo(() => linesOf(query.data?.items ?? []), [query.data]);
  const grid = useLocalRows(lines, idOf);
  const columns = useColumns();
  const csv = useCsv(job.id);
  const from = (page - 1) * PAGE_SIZE + 1;
  const hasRows = total > 0;
  return (
    <div className={classes.values}>
      <div className={classes.bar}>
        <Button
          variant="default"
          leftSection={<Icon name="plus" size={14} />}
          disabled={!hasRows}
          onClick={() => setIsMaking(true)}
          data-testid="scan-make"
        >
          {t('make.open')}
        </Button>
        <Button
          variant="default"
          leftSection={<Icon name="download" size={14} />}
          disabled={!hasRows}
          loading={csv.isPending}
          onClick={() => csv.mutate()}
          data-testid="scan-csv"
        >
          {t('scan.csv')}
        </Button>
        {total > PAGE_SIZE ? (
          <>
            <ActionIcon aria-label={t('scan.previous')} disabled={page === 1} onClick={() => setPage(page - 1)}>
              <Icon name="left" />
            </ActionIcon>
            <span className={classes.hint}>{t('scan.page', { from, to: Math.min(total, page * PAGE_SIZE), total })}</span>
            <ActionIcon aria-label={t('scan.next')} disabled={page * PAGE_SIZE >= total} onClick={() => setPage(page + 1)}>
              <Icon name="right" />
            </ActionIcon>
          </>
        ) : null}
      </div>
      <DataGrid
        name="scan"
        label={t('scan.values')}
        rows={grid}
        columns={columns}
        empty={<EmptyState icon="list" title={t('scan.emptyResult')} />}
      />
      {isMaking && job.channel_id !== null ? (
        <MakePointsDialog channelId={job.channel_id} job={job} rows={rows} onClose={() => setIsMaking(false)} />
      ) : null}
    </div>
  );
}
