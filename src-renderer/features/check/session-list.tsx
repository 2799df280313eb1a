import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { CheckSession } from '#shared/contract/check.ts';
import { useUiStore } from '../../app/ui-store.ts';
import { type GridColumn, textColumn } from '../../ui/data-grid/column.ts';
import { DataGrid } from '../../ui/data-grid/data-grid.tsx';
import type { GridMenuItem } from '../../ui/data-grid/grid-menu.tsx';
import { OpenCell } from '../../ui/data-grid/open-cell.tsx';
import { useLocalRows } from '../../ui/data-grid/rows.ts';
import { useGridSelection } from '../../ui/data-grid/use-grid-selection.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/icons.tsx';
import { formatDateTime } from '../../ui/time.ts';
import classes from './check.module.css';
import { showCheckDialog } from './check-store.ts';
import { countOf, doneOf, totalOf } from './check-text.ts';
import { ProgressBar } from './progress-bar.tsx';

const idOf = ({ id }: CheckSession) => String(id);
const rowProps = ({ name }: CheckSession) => ({ 'data-testid': 'check-session', 'data-session': name });
const open = ({ id }: CheckSession) => useUiStore.getState().showCheck(id);

function useColumns(): readonly GridColumn<CheckSession>[] {
  const { t } = useTranslation('check');
  return useMemo(() => {
    const number = (id: string, name: string, of: (session: CheckSession) => number): GridColumn<CheckSession> => ({
      // the longest header is "Check again"
      ...textColumn(id, name, id === 'check_again' ? 96 : 76, (session: CheckSession) => String(of(session))),
      align: 'right',
    });
    return [
      {
        id: 'name',
        name: t('column.name'),
        width: 180,
        grows: 2,
        isRowHeader: true,
        cell: (session) => <OpenCell name={session.name} onOpen={() => open(session)} />,
        text: ({ name }) => name,
      },
      {
        id: 'progress',
        name: t('column.progress'),
        width: 114,
        grows: 1,
        cell: ({ counts }) => (
          <span className={classes.cellBar}>
            <ProgressBar counts={counts} />
          </span>
        ),
      },
      number('items', t('column.items'), ({ items }) => items),
      ...(['passed', 'accepted', 'failed', 'check_again', 'blocked'] as const).map((state) =>
        number(state, t(`state.${state}`), ({ counts }) => countOf(counts, state)),
      ),
      number('open', t('column.open'), ({ counts }) => totalOf(counts) - doneOf(counts)),
      number('results', t('column.results'), ({ results }) => results),
      textColumn('created', t('column.created'), 166, ({ created_at }: CheckSession) => formatDateTime(created_at).slice(0, 19)),
    ];
  }, [t]);
}

/** What can be done with a session, in its menu here and in its own header. */
export function useSessionItems(session: CheckSession | undefined): readonly GridMenuItem[] {
  const { t } = useTranslation('check');
  if (!session) return [];
  const { id, results } = session;
  return [
    { id: 'edit-check', words: t('action.edit'), icon: 'edit', reason: null, run: () => showCheckDialog({ kind: 'edit', sessionId: id }) },
    {
      id: 'record-check',
      words: t('action.record'),
      icon: 'download',
      reason: null,
      run: () => showCheckDialog({ kind: 'record', sessionId: id }),
    },
    {
      id: 'delete-check',
      words: t('action.delete'),
      icon: 'trash',
      reason: results > 0 ? t('why.hasResults') : null,
      run: () => showCheckDialog({ kind: 'delete', sessionId: id }),
    },
  ];
}

/** Every session in a line: how far it is, and what is left. */
export function SessionList({ sessions }: { readonly sessions: readonly CheckSession[] }) {
  const { t } = useTranslation('check');
  const rows = useLocalRows(sessions, idOf);
  const columns = useColumns();
  const selection = useGridSelection(rows);
  const selected = selection.now();
  const items = useSessionItems(selected.length === 1 ? selected[0] : undefined);
  const first = (
    <Button leftSection={<Icon name="plus" size={14} />} onClick={() => showCheckDialog({ kind: 'new' })} data-testid="check-new-open">
      {t('action.new')}
    </Button>
  );
  return (
    <section className={classes.root} aria-label={t('sessions')} data-testid="check-sessions">
      <header className={classes.head}>
        <h1 className={classes.title}>{t('sessions')}</h1>
        <span className={classes.spacer} />
        <Button
          variant="default"
          leftSection={<Icon name="upload" size={14} />}
          onClick={() => showCheckDialog({ kind: 'file' })}
          data-testid="check-file-open"
        >
          {t('action.file')}
        </Button>
        {sessions.length > 0 ? first : null}
      </header>
      {sessions.length === 0 ? (
        <EmptyState icon="prove" title={t('none')} hint={t('noneHint')}>
          {first}
        </EmptyState>
      ) : (
        <DataGrid
          name="checks"
          label={t('sessions')}
          rows={rows}
          columns={columns}
          selection={selection}
          rowProps={rowProps}
          menu={() => items}
          onOpen={open}
          onKey={(event, { row }) => {
            if (event.key !== 'Enter' || !row) return;
            open(row);
            event.preventDefault();
          }}
        />
      )}
    </section>
  );
}
