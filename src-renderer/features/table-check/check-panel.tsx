import { ActionIcon, Button, SegmentedControl, Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { InputOf } from '#shared/contract/index.ts';
import type { TableFinding } from '#shared/contract/table-check.ts';
import { isServing } from '#shared/domain/enums.ts';
import { FINDING_RULES, FINDING_SEVERITIES, type FindingRule } from '#shared/domain/table-findings.ts';
import { POLL, useAction } from '../../api/hooks.ts';
import { useOperationRows } from '../../api/operation-rows.ts';
import { DataGrid } from '../../ui/data-grid/data-grid.tsx';
import type { GridMenuItem } from '../../ui/data-grid/grid-menu.tsx';
import { useGridSelection } from '../../ui/data-grid/use-grid-selection.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { notifyError } from '../../ui/notify.ts';
import { useStable } from '../../ui/use-stable.ts';
import { useOfferUndo } from '../point-edit/history.tsx';
import { usePointsStore } from '../points/points-store.ts';
import { useTryTable } from '../table-job/use-try-table.ts';
import { useFindingColumns } from './finding-columns.tsx';
import classes from './table-check.module.css';
import { type FindingFilter, useTableCheckStore } from './table-check-store.ts';

const LARGEST_PAGE = 10_000;
const SEVERITIES = ['all', ...FINDING_SEVERITIES, 'ignored'] as const;
const idOf = ({ key }: TableFinding) => key;
const rowProps = ({ rule, code }: TableFinding) => ({ 'data-testid': 'finding', 'data-rule': rule, 'data-code': code });

function queryOf(channel_id: number, { rule, severity }: FindingFilter): Omit<InputOf<'tableCheck'>, 'page' | 'page_size'> {
  return {
    channel_id,
    ...(rule === null ? {} : { rule }),
    ...(severity === 'all' ? {} : severity === 'ignored' ? { ignored: 'only' as const } : { severity }),
  };
}

/** Mends and ignores findings; offers to take a mend back. */
function useFindingActions(channelId: number, revision: string | undefined) {
  const { t } = useTranslation('tables');
  const offerUndo = useOfferUndo(channelId);
  const mend = useAction('mendFindings', ['tableCheck', 'pointTable', 'listChannels', 'pointHistory']);
  const ignore = useAction('ignoreFindings', ['tableCheck']);
  type Chosen = { readonly keys: string[] } | { readonly rule: FindingRule };
  return {
    isBusy: mend.isPending || ignore.isPending,
    mend: (chosen: Chosen) =>
      mend.mutate(
        { channel_id: channelId, revision: revision ?? '', ...chosen },
        {
          onSuccess: ({ data }) => offerUndo(t('check.mended', { count: data.points }), data.step_id),
          onError: notifyError,
        },
      ),
    ignore: (chosen: Chosen, ignored: boolean) => ignore.mutate({ channel_id: channelId, ignored, ...chosen }, { onError: notifyError }),
  };
}

/** What was found in a table, below it: filtered, gone to, mended one by one or all of a kind, ignored and brought back. */
export default function CheckPanel({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation('tables');
  const { filter, narrow, close } = useTableCheckStore();
  const { rule, severity } = filter;
  const isIgnored = severity === 'ignored';
  const { rows, newest, isKnown, error, retry } = useOperationRows('tableCheck', queryOf(channel.id, filter), {
    pollMs: POLL.slow,
    largest: LARGEST_PAGE,
    idOf,
  });
  const selection = useGridSelection(rows, JSON.stringify(filter));
  const actions = useFindingActions(channel.id, newest?.revision);
  const onMend = useStable((finding: TableFinding) => actions.mend({ keys: [finding.key] }));
  const onIgnore = useStable((finding: TableFinding) => actions.ignore({ keys: [finding.key] }, !finding.ignored));
  const columns = useFindingColumns(channel.protocol_type, { onMend, onIgnore });
  const ofRule = newest?.rules.find((each) => each.rule === rule);
  const mendable = ofRule?.mendable ?? 0;
  const onTry = useTryTable();
  const jump = ({ point_id: id, code }: TableFinding) => usePointsStore.getState().want(channel.id, { id, code });

  function menu(): readonly GridMenuItem[] {
    const chosen = selection.now();
    const [only] = chosen;
    const mended = chosen.filter((finding) => finding.mend !== null).map(idOf);
    return [
      { id: 'finding-jump', words: t('check.jump'), icon: 'right', key: 'Enter', reason: null, run: () => only && jump(only) },
      {
        id: 'finding-mend',
        words: t('check.mendSelected', { count: mended.length }),
        icon: 'check',
        reason: mended.length > 0 ? null : t('check.noMend'),
        run: () => actions.mend({ keys: mended }),
      },
      {
        id: 'finding-ignore',
        words: isIgnored ? t('check.bring') : t('check.ignore'),
        reason: null,
        run: () => actions.ignore({ keys: chosen.map(idOf) }, !isIgnored),
      },
    ];
  }

  return (
    <section className={classes.panel} aria-label={t('check.title')} data-testid="check-panel">
      <div className={classes.bar}>
        <h2 className={classes.title}>{t('check.title')}</h2>
        <SegmentedControl
          size="xs"
          aria-label={t('check.severity.label')}
          value={severity}
          onChange={(next) => narrow({ severity: SEVERITIES.find((each) => each === next) ?? 'all' })}
          data={SEVERITIES.map((each) => ({
            value: each,
            label: `${t(`check.severity.${each}`)}${each === 'all' ? '' : ` ${newest?.counts[each] ?? ''}`}`,
          }))}
          data-testid="finding-severity"
        />
        <Select
          size="xs"
          w={180}
          aria-label={t('check.rule')}
          placeholder={t('check.allRules')}
          clearable
          clearButtonProps={{ 'aria-label': t('check.allRules') }}
          data={(newest?.rules ?? []).map((each) => ({
            value: each.rule,
            label: `${t(`check.names.${each.rule}`)} (${isIgnored ? each.ignored : each.error + each.warning + each.hint})`,
          }))}
          value={rule}
          onChange={(next) => narrow({ rule: FINDING_RULES.find((each) => each === next) ?? null })}
          data-testid="finding-rule"
        />
        <GuardedButton
          size="compact-xs"
          variant="default"
          reason={rule === null ? t('check.chooseRule') : mendable === 0 ? t('check.noneMendable') : null}
          hint=""
          loading={actions.isBusy}
          onClick={() => rule && actions.mend({ rule })}
          testId="mend-all"
        >
          {t('check.mendAll', { count: mendable })}
        </GuardedButton>
        <GuardedButton
          size="compact-xs"
          variant="default"
          reason={rule === null ? t('check.chooseRule') : null}
          hint=""
          onClick={() => rule && actions.ignore({ rule }, !isIgnored)}
          testId="ignore-all"
        >
          {isIgnored ? t('check.bringAll') : t('check.ignoreAll')}
        </GuardedButton>
        <span className={classes.spacer} />
        {isServing(channel.conn_type) ? null : (
          <Button
            size="compact-xs"
            variant="default"
            title={t('device.hint')}
            leftSection={<Icon name="search" size={12} />}
            onClick={onTry}
            data-testid="try-table"
          >
            {t('device.short')}
          </Button>
        )}
        <span className={classes.muted} role="status">
          {newest && !newest.is_current ? t('check.looking') : ''}
        </span>
        <ActionIcon size="sm" aria-label={t('check.close')} title={t('check.close')} onClick={close} data-testid="check-close">
          <Icon name="close" size={14} />
        </ActionIcon>
      </div>
      {error ? <ErrorNotice error={error} compact onRetry={retry} /> : null}
      <DataGrid
        name="findings"
        label={t('check.title')}
        rows={rows}
        columns={columns}
        selection={selection}
        topKey={JSON.stringify(filter)}
        rowProps={rowProps}
        menu={menu}
        onOpen={jump}
        onKey={(event, { row }) => {
          if (event.key !== 'Enter' || !row) return;
          jump(row);
          event.preventDefault();
        }}
        empty={isKnown ? t(rule === null && severity === 'all' ? 'check.none' : 'check.noneFit') : null}
      />
    </section>
  );
}
