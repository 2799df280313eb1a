import { Button } from '@mantine/core';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FrameEntry } from '#shared/contract/frames.ts';
import { useWords } from '../../i18n/words.ts';
import type { GridColumn } from '../../ui/data-grid/column.ts';
import { DataGrid } from '../../ui/data-grid/data-grid.tsx';
import { useLocalRows } from '../../ui/data-grid/rows.ts';
import { Icon } from '../../ui/icons.tsx';
import { formatTime } from '../../ui/time.ts';
import classes from './frames.module.css';
import type { TailRow } from './tail.ts';

const KINDS = ['tx', 'rx', 'noise', 'late', 'opened', 'closed', 'note'] as const satisfies readonly FrameEntry['kind'][];

/** No window is so wide that it shows more octets of a frame in its row; the rest is in what is told on hover, and in the explanation. */
const SHOWN_HEX = 400;

const idOf = (row: TailRow) => `${row.kind === 'gap' ? 'gap' : 'row'} ${row.seq}`;

function useColumns(): readonly GridColumn<TailRow>[] {
  const { t } = useTranslation('frames');
  const words = useWords();
  return useMemo(() => {
    /** A column of frames; what is missing has no cells. */
    const column = (
      id: 'time' | 'since' | 'kind' | 'length' | 'latency' | 'hex' | 'text',
      width: number,
      textOf: (entry: FrameEntry) => string,
      more: Partial<GridColumn<TailRow>> = {},
    ): GridColumn<TailRow> => {
      const ofRow = (row: TailRow) => (row.kind === 'gap' ? '' : textOf(row));
      return { id, name: t(`column.${id}`), width, cell: ofRow, text: ofRow, ...more };
    };
    // said once for each row and kind: the rows that are scrolled past are the same ones again and again
    const texts = new WeakMap<FrameEntry, string>();
    const said = (entry: FrameEntry) => {
      const known = texts.get(entry) ?? words(entry.text_message, entry.text);
      texts.set(entry, known);
      return known;
    };
    const kinds = new Map(
      KINDS.map((kind) => [
        kind,
        <span key={kind} className={`${classes.kind} ${classes[kind]}`} title={t(`kindLong.${kind}`)}>
          {t(`kind.${kind}`)}
        </span>,
      ]),
    );
    return [
      column('time', 104, (entry) => formatTime(entry.at), { className: classes.mono ?? '' }),
      column('kind', 72, (entry) => t(`kind.${entry.kind}`), {
        cell: ({ kind }) => (kind === 'gap' ? null : kinds.get(kind)),
      }),
      column('latency', 66, ({ link, latency_ms: latency }) => (link === null ? '' : milliseconds(latency)), {
        align: 'right',
        hint: t('column.latencyHint'),
      }),
      column('since', 66, ({ since_ms: since }) => milliseconds(since), { align: 'right', isExtra: true, hint: t('column.sinceHint') }),
      column('length', 48, (entry) => (entry.length > 0 ? String(entry.length) : ''), { align: 'right' }),
      column('hex', 160, (entry) => entry.hex, {
        grows: 2,
        className: classes.mono ?? '',
        testId: 'frame-hex',
        cell: (row) => (row.kind === 'gap' ? '' : row.hex.slice(0, SHOWN_HEX)),
        titleOf: (row) => (row.kind === 'gap' ? undefined : row.hex),
      }),
      column('text', 200, said, {
        grows: 3,
        titleOf: (row) => (row.kind === 'gap' ? undefined : row.peer ? `${said(row)}\n${row.peer}` : said(row)),
      }),
    ];
  }, [t, words]);
}

/** To the hundredth below ten milliseconds. */
function milliseconds(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return '';
  return ms.toFixed(ms < 10 ? 2 : ms < 1000 ? 1 : 0);
}

interface FrameListProps {
  readonly rows: readonly TailRow[];
  readonly openSeq: number | null;
  /** The service keeps entries in front of the first row. */
  readonly hasOlder: boolean;
  /** Null: the page has no room for more. */
  readonly onOlder: (() => Promise<unknown>) | null;
  onOpen(entry: FrameEntry): void;
  /** Nobody looks back any more: the list stands at its end again. */
  onFollow(): void;
}

/**
 * The frame log as a list that follows the newest as long as it stands at its end, and goes back at its beginning as far as the service keeps it; a click or
 * Enter explains a frame.
 */
export function FrameList({ rows, openSeq, hasOlder, onOlder, onOpen, onFollow }: FrameListProps) {
  const { t } = useTranslation('frames');
  const [isFollowing, setIsFollowing] = useState(true);
  const [isAtTop, setIsAtTop] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const [reveal, setReveal] = useState<{ readonly index: number } | null>(null);
  const local = useLocalRows(rows, idOf);
  const grid = useMemo(() => ({ ...local, onSight: (first: number) => setIsAtTop(first === 0) }), [local]);
  /** The row that was the first one stays where it is looked at. */
  const anchor = useRef<string | null>(null);
  useEffect(() => {
    if (anchor.current === null) return;
    const index = local.indexOf(anchor.current);
    if (index <= 0) return;
    anchor.current = null;
    setReveal({ index });
  }, [local]);
  const columns = useColumns();
  const rowProps = useCallback(
    (row: TailRow) => ({
      'data-testid': row.kind === 'gap' ? 'frame-gap' : 'frame-row',
      'data-kind': row.kind,
      className: `${classes.row} ${row.seq === openSeq ? classes.open : ''}`,
    }),
    [openSeq],
  );
  const wholeRow = useCallback(
    (row: TailRow) =>
      row.kind === 'gap' ? (
        <span className={classes.gap}>
          <Icon name="warn" size={12} />
          {t('gap', { count: row.missing })}
        </span>
      ) : null,
    [t],
  );
  async function back() {
    if (!onOlder || !rows[0]) return;
    setIsFollowing(false);
    anchor.current = idOf(rows[0]);
    setIsAsking(true);
    await onOlder().finally(() => setIsAsking(false));
  }
  function onFollowing(isOn: boolean) {
    setIsFollowing(isOn);
    if (isOn && !isFollowing) onFollow();
  }
  const open = (row: TailRow | undefined) => (row && row.kind !== 'gap' ? onOpen(row) : undefined);
  return (
    <div className={classes.listBox}>
      <DataGrid
        name="frames"
        label={t('list')}
        rows={grid}
        columns={columns}
        rowProps={rowProps}
        wholeRow={wholeRow}
        follow={{ isOn: isFollowing, onChange: onFollowing }}
        reveal={reveal}
        onPick={open}
        onKey={(event, { row }) => {
          if (event.key !== 'Enter' || !row) return;
          open(row);
          event.preventDefault();
        }}
        testId="frames-scroll"
      />
      {hasOlder && isAtTop ? (
        <Button
          className={classes.older}
          variant="default"
          leftSection={<Icon name="up" size={14} />}
          disabled={onOlder === null}
          title={onOlder === null ? t('olderFull') : undefined}
          loading={isAsking}
          onClick={() => void back()}
          data-testid="frames-older"
        >
          {onOlder === null ? t('olderFull') : t('older')}
        </Button>
      ) : null}
      {isFollowing ? null : (
        <Button className={classes.follow} variant="default" leftSection={<Icon name="down" size={14} />} onClick={() => onFollowing(true)}>
          {t('follow')}
        </Button>
      )}
    </div>
  );
}
