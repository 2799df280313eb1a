import { ActionIcon, Button, Menu, SegmentedControl, Select } from '@mantine/core';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CheckItem, CheckSession } from '#shared/contract/check.ts';
import { CHECK_STATES } from '#shared/domain/check.ts';
import { channelPlace } from '#shared/domain/check-place.ts';
import { useOperation } from '../../api/hooks.ts';
import { useUiStore } from '../../app/ui-store.ts';
import { DataGrid } from '../../ui/data-grid/data-grid.tsx';
import type { GridMenuItem } from '../../ui/data-grid/grid-menu.tsx';
import type { KeyPlace } from '../../ui/data-grid/use-grid-keys.ts';
import { type GridSelection, useGridSelection } from '../../ui/data-grid/use-grid-selection.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { notifyProblem } from '../../ui/notify.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { FRAME_TYPE_LETTERS } from '../points/point-text.ts';
import classes from './check.module.css';
import { showCheckDialog, useCheckMemory } from './check-store.ts';
import { doneOf } from './check-text.ts';
import { HistoryDialog } from './history-dialog.tsx';
import { useItemColumns } from './item-columns.tsx';
import { EditItems, EnterResult, MoveItems, RemoveItems } from './item-dialogs.tsx';
import { useOrderItems } from './order-items.tsx';
import { ProgressBar, StateCounts } from './progress-bar.tsx';
import { useRun } from './run-queries.ts';
import { RunView } from './run-view.tsx';
import { useSessionItems } from './session-list.tsx';
import { StartDialog } from './start-dialog.tsx';
import { SummaryDialog } from './summary-dialog.tsx';
import { ALL_ITEMS, type ItemFilter, sortOf, useItemRows } from './use-item-rows.ts';
import { useStepItems } from './use-step-items.ts';

interface SessionProps {
  readonly session: CheckSession;
}

/** What is open over the table, with the items that were selected when it was opened. */
type Open =
  | { readonly kind: 'edit' | 'move' | 'remove' | 'result' | 'start'; readonly items: readonly CheckItem[] }
  | { readonly kind: 'history'; readonly items: readonly [CheckItem] }
  | { readonly kind: 'summary'; readonly items: readonly [] };

const rowProps = ({ code, state }: CheckItem) => ({ 'data-testid': 'check-item', 'data-code': code, 'data-state': state });

function Dialogs({ session, open, onClose }: SessionProps & { readonly open: Open | null; onClose(): void }) {
  if (open === null) return null;
  const props = { session, items: open.items, onClose };
  switch (open.kind) {
    case 'edit':
      return <EditItems {...props} />;
    case 'move':
      return <MoveItems {...props} />;
    case 'remove':
      return <RemoveItems {...props} />;
    case 'result':
      return <EnterResult {...props} />;
    case 'start':
      return <StartDialog {...props} />;
    case 'summary':
      return <SummaryDialog session={session} onClose={onClose} />;
    case 'history': {
      const [{ item, code }] = open.items;
      return <HistoryDialog sessionId={session.id} item={item} code={code} onClose={onClose} />;
    }
  }
}

/** What stands against a new check; null: nothing. */
function useStartReason({ session }: SessionProps): { readonly reason: string | null; readonly isOwnRun: boolean } {
  const { t } = useTranslation('check');
  const run = useRun(false).data?.run;
  const isRunning = run?.state === 'running';
  const isOwnRun = isRunning && run.session_id === session.id;
  if (isRunning) return { reason: t('why.running'), isOwnRun };
  return { reason: session.items === 0 ? t('why.noItems') : null, isOwnRun };
}

function Head({ session, onOpen }: SessionProps & { onOpen(open: Open): void }) {
  const { t } = useTranslation('check');
  const { showCheck } = useUiStore.getState();
  const items = [...useSessionItems(session), ...useOrderItems(session)];
  const { reason, isOwnRun } = useStartReason({ session });
  return (
    <header className={classes.head}>
      <ActionIcon aria-label={t('action.back')} title={t('action.back')} onClick={() => showCheck(null)} data-testid="check-back">
        <Icon name="left" />
      </ActionIcon>
      <h1 className={classes.title} title={session.name}>
        {session.name}
      </h1>
      <span className={classes.headBar}>
        <ProgressBar counts={session.counts} />
      </span>
      <span className={classes.muted} style={{ whiteSpace: 'nowrap' }} data-testid="check-progress">
        {t('progress', { done: doneOf(session.counts), count: session.items })}
      </span>
      <StateCounts counts={session.counts} />
      <Button variant="default" onClick={() => onOpen({ kind: 'summary', items: [] })} data-testid="check-counts-open">
        {t('action.counts')}
      </Button>
      <Button variant="default" onClick={() => showCheckDialog({ kind: 'add', sessionId: session.id })} data-testid="check-add-open">
        {t('action.add')}
      </Button>
      {isOwnRun ? (
        <Button leftSection={<Icon name="play" size={14} />} onClick={() => showCheck(session.id, true)} data-testid="check-resume">
          {t('action.resume')}
        </Button>
      ) : (
        <GuardedButton
          reason={reason}
          hint=""
          leftSection={<Icon name="play" size={14} />}
          onClick={() => onOpen({ kind: 'start', items: [] })}
          testId="check-start-open"
        >
          {t('action.start')}
        </GuardedButton>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={t('action.more')} title={t('action.more')} data-testid="check-more">
            <Icon name="dots" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {items.map(({ id, words, icon, reason: why, run }) => (
            <Menu.Item
              key={id}
              leftSection={icon ? <Icon name={icon} /> : null}
              disabled={why !== null}
              title={why ?? ''}
              onClick={run}
              data-testid={id}
            >
              {words}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </header>
  );
}

interface FiltersProps extends SessionProps {
  readonly filter: ItemFilter;
  onChange(change: Partial<ItemFilter>): void;
}

function Filters({ session, filter, onChange }: FiltersProps) {
  const { t } = useTranslation('check');
  const channels = useOperation('checkSummary', { session_id: session.id }).data?.channels ?? [];
  const types = Object.entries(FRAME_TYPE_LETTERS);
  return (
    <>
      <SegmentedControl
        aria-label={t('column.type')}
        size="xs"
        value={filter.frameType === null ? 'all' : String(filter.frameType)}
        onChange={(next) => onChange({ frameType: next === 'all' ? null : (Number(next) as ItemFilter['frameType']) })}
        data={[{ value: 'all', label: t('filter.allTypes') }, ...types.map(([value, label]) => ({ value, label }))]}
      />
      <SearchField
        words={t('filter.search')}
        value={filter.search}
        maxLength={200}
        onChange={(event) => onChange({ search: event.currentTarget.value })}
        data-testid="check-search"
      />
      <Select
        aria-label={t('filter.state')}
        placeholder={t('filter.allStates')}
        w={130}
        clearable
        data={[{ value: 'open', label: t('filter.open') }, ...CHECK_STATES.map((state) => ({ value: state, label: t(`state.${state}`) }))]}
        value={filter.state}
        onChange={(next) => onChange({ state: next === 'open' ? next : (CHECK_STATES.find((state) => state === next) ?? null) })}
        data-testid="check-filter-state"
      />
      <Select
        aria-label={t('filter.channel')}
        placeholder={t('filter.allChannels')}
        w={150}
        clearable
        data={channels
          .filter(({ channel_id }) => channel_id > 0)
          .map(({ channel_id, ...place }) => ({ value: `${channel_id} ${place.service ?? ''}`, label: channelPlace(place) }))}
        value={filter.place === null ? null : `${filter.place.channel_id} ${filter.place.service ?? ''}`}
        onChange={(next) => {
          const chosen = channels.find(({ channel_id, service = '' }) => next === `${channel_id} ${service}`);
          onChange({ place: chosen ? { channel_id: chosen.channel_id, ...(chosen.service && { service: chosen.service }) } : null });
        }}
      />
    </>
  );
}

interface ItemActions {
  readonly session: CheckSession;
  readonly selection: GridSelection<CheckItem>;
  readonly isSorted: boolean;
  onOpen(open: Open): void;
  onStep(distance: 1 | -1): void;
}

/** What can be done with the selected items. */
function useItemActions({ session, selection, isSorted, onOpen, onStep }: ItemActions): readonly GridMenuItem[] {
  const { t } = useTranslation('check');
  const { reason: startReason } = useStartReason({ session });
  const count = selection.rows.size;
  const some = count === 0 ? t('why.some') : null;
  const one = count === 1 ? null : t('why.one');
  const sorted = isSorted ? t('why.sorted') : null;
  const open = (kind: 'edit' | 'move' | 'remove' | 'result' | 'start') => () => onOpen({ kind, items: selection.now() });
  return [
    {
      id: 'item-history',
      words: t('action.history'),
      icon: 'record',
      reason: one,
      run: () => {
        const [item] = selection.now();
        if (item) onOpen({ kind: 'history', items: [item] });
      },
    },
    { id: 'item-result', words: t('action.result'), icon: 'prove', reason: some, run: open('result') },
    { id: 'item-guided', words: t('action.guidedSelected'), icon: 'play', reason: some ?? startReason, run: open('start') },
    { id: 'item-edit', words: t('action.expectation'), icon: 'edit', reason: some, run: open('edit') },
    { id: 'item-up', words: t('action.up'), icon: 'up', key: 'Alt+↑', reason: some ?? sorted, run: () => onStep(-1) },
    { id: 'item-down', words: t('action.down'), icon: 'down', key: 'Alt+↓', reason: some ?? sorted, run: () => onStep(1) },
    { id: 'item-move', words: t('action.move'), icon: 'list', reason: some, run: open('move') },
    { id: 'item-remove', words: t('action.remove'), icon: 'trash', reason: some, run: open('remove') },
  ];
}

/** One session: its items with their states, what can be done with them, and the check that is under way over all of it. */
export function SessionView({ session }: SessionProps) {
  const { t } = useTranslation('check');
  const [filter, setFilter] = useState<ItemFilter>(ALL_ITEMS);
  const [open, setOpen] = useState<Open | null>(null);
  const showsRun = useUiStore((state) => state.check?.showsRun ?? false);
  const list = useItemRows(session.id, filter);
  const { sort, ...narrowed } = filter;
  const selection = useGridSelection(list.rows, JSON.stringify(narrowed));
  const columns = useItemColumns();
  const step = useStepItems(session, list.rows);
  const onStep = (distance: 1 | -1) => step(selection.now(), distance);
  const actions = useItemActions({ session, selection, isSorted: sort !== null, onOpen: setOpen, onStep });
  useEffect(() => {
    useCheckMemory.setState({ sessionId: session.id });
  }, [session.id]);
  /** Up, down, and back to the order of the session. */
  function onSort(column: string) {
    const by = sortOf(column);
    if (by === null) return;
    if (sort?.by !== by) setFilter({ ...filter, sort: { by, order: 'asc' } });
    else setFilter({ ...filter, sort: sort.order === 'asc' ? { by, order: 'desc' } : null });
  }
  function onKey(event: KeyboardEvent, { row, show }: KeyPlace<CheckItem>) {
    const isStep = event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown');
    if (isStep && sort !== null) notifyProblem(t('why.sorted'));
    else if (isStep) {
      const to = onStep(event.key === 'ArrowUp' ? -1 : 1);
      if (to !== null) show(to);
    } else if (event.key === 'Enter' && row) setOpen({ kind: 'history', items: [row] });
    else return;
    event.preventDefault();
  }
  return (
    <section className={classes.root} aria-label={session.name} data-testid="check-session-view">
      <Head session={session} onOpen={setOpen} />
      <div className={classes.tools}>
        <Filters session={session} filter={filter} onChange={(change) => setFilter((present) => ({ ...present, ...change }))} />
        <span className={classes.spacer} />
        <span className={classes.selected}>{selection.rows.size > 0 ? t('selected', { count: selection.rows.size }) : ''}</span>
        {actions.slice(0, 4).map(({ id, words, reason, run }) => (
          <GuardedButton key={id} variant="default" reason={reason} hint="" onClick={run} testId={id}>
            {words}
          </GuardedButton>
        ))}
      </div>
      <ErrorNotice error={list.error} onRetry={list.retry} />
      <DataGrid
        name="check-items"
        label={session.name}
        rows={list.rows}
        topKey={JSON.stringify(filter)}
        onSort={onSort}
        {...(sort === null ? {} : { sort: { column: sort.by === 'last' ? 'at' : sort.by, order: sort.order } })}
        columns={columns}
        selection={selection}
        rowProps={rowProps}
        menu={() => actions}
        onOpen={(item) => setOpen({ kind: 'history', items: [item] })}
        onKey={onKey}
        empty={list.isKnown ? t(session.items === 0 ? 'why.noItems' : 'emptyItems') : null}
      />
      <Dialogs session={session} open={open} onClose={() => setOpen(null)} />
      {showsRun ? <RunView session={session} /> : null}
    </section>
  );
}
