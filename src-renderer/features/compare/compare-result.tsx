import { SegmentedControl } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Comparison, DIFFERENCE_KINDS, type Difference, type SideFacts } from '#shared/contract/table-compare.ts';
import { POLL, useOperation } from '../../api/hooks.ts';
import { useOperationRows } from '../../api/operation-rows.ts';
import { DataGrid } from '../../ui/data-grid/data-grid.tsx';
import { useGridSelection } from '../../ui/data-grid/use-grid-selection.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Icon } from '../../ui/icons.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import classes from './compare.module.css';
import { CompareFooter } from './compare-footer.tsx';
import { CompareHead } from './compare-head.tsx';
import { useDifferenceColumns } from './difference-columns.tsx';
import { DifferenceDetail } from './difference-detail.tsx';
import { SideIssues } from './side-issues.tsx';
import { touchSum } from './touch-words.ts';
import type { CompareState } from './use-compare.ts';
import { type Taking, useTakeOver } from './use-take-over.ts';

const LARGEST_PAGE = 1000;
const SHOWN = ['all', ...DIFFERENCE_KINDS] as const;
type Shown = (typeof SHOWN)[number];
const idOf = ({ code }: Difference) => code;
const rowProps = ({ kind, code }: Difference) => ({ 'data-testid': 'difference', 'data-kind': kind, 'data-code': code });

/** What of the selected rows can be taken over. */
function takingOf(rows: Iterable<Difference>, { can_take }: Comparison): Taking {
  const taken = can_take ? [...rows].filter(({ kind }) => kind !== 'faulty') : [];
  return { codes: taken.map(idOf), count: taken.length, removed: taken.filter(({ kind }) => kind === 'removed').length };
}

interface FiltersProps {
  readonly result: Comparison;
  readonly shown: Shown;
  readonly text: string;
  onShown(shown: Shown): void;
  onText(text: string): void;
}

/** Which differences are shown, and what is wrong with the files. */
function Filters({ result, shown, text, onShown, onText }: FiltersProps) {
  const { t } = useTranslation('tables');
  const { counts, protocol_type: protocolType } = result;
  return (
    <div className={classes.line}>
      <SegmentedControl
        size="xs"
        aria-label={t('compare.kindLabel')}
        value={shown}
        onChange={(next) => onShown(SHOWN.find((each) => each === next) ?? 'all')}
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
      <SideIssues side={result.before} protocolType={protocolType} />
      <SideIssues side={result.after} protocolType={protocolType} />
      <SearchField
        w={170}
        words={t('compare.search')}
        value={text}
        maxLength={200}
        onChange={(event) => onText(event.currentTarget.value)}
      />
    </div>
  );
}

interface NoticeProps {
  readonly result: Comparison;
  /** Chosen points that were changed meanwhile; null: none. */
  readonly conflict: number | null;
}

/** What taking all of it over would touch; that the comparison is out of date, where it is. */
function Notice({ result: { touches, is_current }, conflict }: NoticeProps) {
  const { t } = useTranslation('tables');
  return (
    <div className={classes.notice} role="status" data-testid="compare-notice">
      {conflict === null && is_current ? (
        <span className={classes.muted}>{touches ? t('compare.touches', { what: touchSum(touches, t) }) : ''}</span>
      ) : (
        <span className={classes.noticeWarn}>
          <Icon name="warn" size={14} /> {conflict === null ? t('compare.outdated') : t('compare.conflict', { count: conflict })}
        </span>
      )}
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
  const { comparison_id } = made;
  const result = useOperation('comparison', { comparison_id }, { pollMs: POLL.slow }).data ?? made;
  const query = { comparison_id, ...(shown === 'all' ? {} : { kind: shown }), ...(search === '' ? {} : { search }) };
  const { rows, isKnown, error, retry } = useOperationRows('comparisonRows', query, { pollMs: POLL.slow, largest: LARGEST_PAGE, idOf });
  const selection = useGridSelection(rows);
  const columns = useDifferenceColumns(result);
  const take = useTakeOver(result, () => {
    selection.none();
    state.run();
  });
  const isSame = Object.entries(result.counts).every(([kind, count]) => kind === 'same' || count === 0);
  return (
    <>
      <CompareHead state={state} result={result} nameOf={nameOf} />
      <Filters result={result} shown={shown} text={text} onShown={setShown} onText={setText} />
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
            empty={isKnown ? t(isSame ? 'compare.same' : 'compare.noneFit') : null}
          />
        </div>
        <DifferenceDetail row={rows.at(selection.activeIndex) ?? null} protocolType={result.protocol_type} />
      </div>
      <Notice result={result} conflict={take.conflict} />
      {take.error || state.error ? <ErrorNotice error={take.error ?? state.error} compact /> : null}
      <CompareFooter result={result} take={take} chosen={takingOf(selection.rows.values(), result)} isChoosing={selection.isLoading}>
        {children}
      </CompareFooter>
    </>
  );
}
