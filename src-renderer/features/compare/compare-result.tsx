import { Button, Loader, SegmentedControl, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Comparison, DIFFERENCE_KINDS, type Difference, type SideFacts } from '#shared/contract/table-compare.ts';
import { type AppError, toAppError } from '#shared/domain/errors.ts';
import { api } from '../../api/client.ts';
import { POLL, useAction, useOperation } from '../../api/hooks.ts';
import { useOperationRows } from '../../api/operation-rows.ts';
import { i18n } from '../../i18n/index.ts';
import { DataGrid } from '../../ui/data-grid/data-grid.tsx';
import { useGridSelection } from '../../ui/data-grid/use-grid-selection.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { notifyError } from '../../ui/notify.ts';
import { saveFile } from '../../ui/save-file.ts';
import { useOfferUndo } from '../point-edit/history.tsx';
import { IssueTable } from '../point-files/issue-table.tsx';
import classes from './compare.module.css';
import { useDifferenceColumns } from './difference-columns.tsx';
import { DifferenceDetail } from './difference-detail.tsx';
import { touchSum } from './touch-words.ts';
import type { CompareState } from './use-compare.ts';

const LARGEST_PAGE = 1000;
const TAKEN = DIFFERENCE_KINDS.filter((kind) => kind !== 'faulty');
const SHOWN = ['all', ...DIFFERENCE_KINDS] as const;
type Shown = (typeof SHOWN)[number];
const idOf = ({ code }: Difference) => code;
const rowProps = ({ kind, code }: Difference) => ({ 'data-testid': 'difference', 'data-kind': kind, 'data-code': code });

/** How many of the chosen points were changed meanwhile, as a refusal names them; null: it is another failure. */
function changedOf(error: AppError | null): number | null {
  const data = error?.data as { readonly codes?: unknown } | null | undefined;
  return error?.code === 'STATE_CONFLICT' && Array.isArray(data?.codes) ? data.codes.length : null;
}

/** What is wrong with the files, opened when somebody wants to see it. */
function Issues({ side, protocolType }: { readonly side: SideFacts; readonly protocolType: Comparison['protocol_type'] }) {
  const { t } = useTranslation('tables');
  const [shown, setShown] = useState<'errors' | 'warnings' | null>(null);
  const { name, counts } = side;
  return (
    <>
      {(['errors', 'warnings'] as const).map((kind) =>
        counts[kind] > 0 ? (
          <Button
            key={kind}
            size="compact-xs"
            variant="subtle"
            color={kind === 'errors' ? 'red' : 'amber'}
            aria-expanded={shown === kind}
            onClick={() => setShown(shown === kind ? null : kind)}
            data-testid={`compare-${kind}`}
          >
            {t(`compare.${kind}`, { name, count: counts[kind] })}
          </Button>
        ) : null,
      )}
      {shown === null ? null : (
        <div className={classes.issues} style={{ flexBasis: '100%', height: 160 }}>
          <IssueTable
            issues={side[shown]}
            label={t(`compare.${shown}`, { name, count: counts[shown] })}
            filter=""
            protocolType={protocolType}
            isError={shown === 'errors'}
            hasSheets={side[shown].some(({ sheet }) => sheet !== '')}
          />
        </div>
      )}
    </>
  );
}

function Head({ state, result, nameOf }: { readonly state: CompareState; readonly result: Comparison; nameOf(side: SideFacts): string }) {
  const { t } = useTranslation('tables');
  return (
    <div className={classes.line}>
      <span className={classes.names} data-testid="compare-names">
        <span className="lc-ellipsis">{nameOf(result.before)}</span>
        <span className={classes.muted}>{t('compare.points', { count: result.before.points })}</span>
        <Icon name="right" size={14} />
        <span className="lc-ellipsis">{nameOf(result.after)}</span>
        <span className={classes.muted}>{t('compare.points', { count: result.after.points })}</span>
      </span>
      {state.isComparing ? <Loader size="xs" /> : null}
      <Button
        size="compact-xs"
        variant="default"
        onClick={state.swap}
        disabled={state.sides.after.of === 'step'}
        data-testid="compare-swap"
      >
        {t('compare.swap')}
      </Button>
      <Button size="compact-xs" variant="default" onClick={state.run} data-testid="compare-again">
        {t('compare.again')}
      </Button>
      <Button size="compact-xs" variant="default" onClick={state.leave}>
        {t('compare.others')}
      </Button>
    </div>
  );
}

interface CompareResultProps {
  readonly state: CompareState;
  readonly result: Comparison;
  nameOf(side: SideFacts): string;
  /** Behind the buttons of the comparison. */
  readonly children: ReactNode;
}

/** What differs between two tables, looked at, saved, and taken over as far as somebody chooses. */
export function CompareResult({ state, result: made, nameOf, children }: CompareResultProps) {
  const { t } = useTranslation('tables');
  const [shown, setShown] = useState<Shown>('all');
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text.trim(), 250);
  const comparison_id = made.comparison_id;
  const result = useOperation('comparison', { comparison_id }, { pollMs: POLL.slow }).data ?? made;
  const query = { comparison_id, ...(shown === 'all' ? {} : { kind: shown }), ...(search === '' ? {} : { search }) };
  const { rows, isKnown, error, retry } = useOperationRows('comparisonRows', query, { pollMs: POLL.slow, largest: LARGEST_PAGE, idOf });
  const selection = useGridSelection(rows);
  const columns = useDifferenceColumns(result);
  const offerUndo = useOfferUndo(result.before.channel_id ?? 0);
  const take = useAction('takeDifferences', ['pointTable', 'listChannels', 'pointHistory', 'tableCheck']);
  const save = useMutation({
    mutationFn: async (format: 'xlsx' | 'csv') => {
      const lang = i18n.language.startsWith('zh') ? 'zh' : 'en';
      saveFile((await api.call('exportComparison', { comparison_id, format, lang })).data);
    },
    retry: false,
    onError: (failure) => notifyError(toAppError(failure)),
  });
  const chosen = result.can_take ? [...selection.rows.values()].filter(({ kind }) => kind !== 'faulty').map(idOf) : [];
  const { counts } = result;
  const takeable = counts.added + counts.removed + counts.changed + counts.renamed;
  const active = rows.at(selection.activeIndex) ?? null;
  const conflict = changedOf(take.error);

  function onTake(wanted: { readonly codes: string[] } | { readonly kinds: (typeof TAKEN)[number][] }, count: number) {
    take.mutate(
      { comparison_id, ...wanted },
      {
        onSuccess: ({ data }) => {
          offerUndo(t('compare.taken', { count }), data.step_id);
          selection.none();
          state.run();
        },
      },
    );
  }

  const noTake = result.can_take ? null : t('compare.noTarget');
  return (
    <>
      <Head state={state} result={result} nameOf={nameOf} />
      <div className={classes.line}>
        <SegmentedControl
          size="xs"
          aria-label={t('compare.kindLabel')}
          value={shown}
          onChange={(next) => setShown(SHOWN.find((each) => each === next) ?? 'all')}
          data={SHOWN.map((value) => ({
            value,
            label: value === 'all' ? t('compare.all') : `${t(`compare.kind.${value}`)} ${counts[value]}`,
          }))}
          data-testid="compare-kinds"
        />
        <span className={classes.muted}>
          {t('compare.kind.same')} {counts.same}
        </span>
        <span className={classes.spacer} />
        <Issues side={result.before} protocolType={result.protocol_type} />
        <Issues side={result.after} protocolType={result.protocol_type} />
        <TextInput
          type="search"
          w={170}
          aria-label={t('compare.search')}
          placeholder={t('compare.search')}
          leftSection={<Icon name="search" size={14} />}
          value={text}
          maxLength={200}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </div>
      {error ? <ErrorNotice error={error} compact onRetry={retry} /> : null}
      <div className={classes.work}>
        <div className={classes.grid}>
          <DataGrid
            name="differences"
            label={t('compare.kindLabel')}
            rows={rows}
            columns={columns}
            selection={selection}
            topKey={JSON.stringify(query)}
            rowProps={rowProps}
            empty={isKnown ? t(takeable + counts.faulty === 0 ? 'compare.same' : 'compare.noneFit') : null}
          />
        </div>
        <DifferenceDetail row={active} protocolType={result.protocol_type} />
      </div>
      <div className={classes.notice} role="status" data-testid="compare-notice">
        {conflict === null && result.is_current ? (
          <span className={classes.muted}>{result.touches ? `${t('compare.touches')}: ${touchSum(result.touches, t)}` : ''}</span>
        ) : (
          <span className={classes.noticeWarn}>
            <Icon name="warn" size={14} /> {conflict === null ? t('compare.outdated') : t('compare.conflict', { count: conflict })}
          </span>
        )}
      </div>
      {take.error && conflict === null ? <ErrorNotice error={take.error} compact /> : null}
      {state.error ? <ErrorNotice error={state.error} compact /> : null}
      <div className={classes.footer}>
        <Button
          variant="default"
          leftSection={<Icon name="download" size={14} />}
          loading={save.isPending}
          onClick={() => save.mutate('xlsx')}
          data-testid="compare-xlsx"
        >
          {t('compare.exportXlsx')}
        </Button>
        <Button variant="default" onClick={() => save.mutate('csv')} data-testid="compare-csv">
          {t('compare.exportCsv')}
        </Button>
        <span className={classes.spacer} />
        {children}
        <GuardedButton
          variant="default"
          reason={noTake ?? (takeable === 0 ? t('compare.same') : null)}
          hint=""
          loading={take.isPending}
          onClick={() => onTake({ kinds: [...TAKEN] }, takeable)}
          testId="compare-take-all"
        >
          {t('compare.takeAll', { count: takeable })}
        </GuardedButton>
        <GuardedButton
          reason={noTake ?? (chosen.length === 0 ? t('compare.noneChosen') : null)}
          hint=""
          loading={take.isPending || selection.isLoading}
          onClick={() => onTake({ codes: chosen }, chosen.length)}
          testId="compare-take"
        >
          {t('compare.take', { count: chosen.length })}
        </GuardedButton>
      </div>
    </>
  );
}
