import { Button } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FrameEntry } from '#shared/contract/frames.ts';
import { useWords } from '../../i18n/words.ts';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { formatTime } from '../../ui/time.ts';
import classes from './frames.module.css';
import type { GapRow, TailRow } from './tail.ts';

const ROW_HEIGHT = 26;
/** Distance from the end, in pixels, within which the list follows what arrives. */
const FOLLOW_WITHIN = 40;

const GRID = { role: 'grid', tabIndex: 0 } as const;

const KIND_ICON: Readonly<Record<FrameEntry['kind'], IconName>> = {
  tx: 'right',
  rx: 'left',
  noise: 'warn',
  late: 'question',
  opened: 'plug',
  closed: 'close',
  note: 'info',
};

function EntryCells({ entry }: { readonly entry: FrameEntry }) {
  const { t } = useTranslation('frames');
  const words = useWords();
  const text = words(entry.text_message, entry.text);
  return (
    <>
      <td className={classes.mono}>{formatTime(entry.at)}</td>
      <td>
        <span className={`${classes.kind} ${classes[entry.kind]}`} title={t(`kindLong.${entry.kind}`)}>
          <Icon name={KIND_ICON[entry.kind]} size={12} />
          {t(`kind.${entry.kind}`)}
        </span>
      </td>
      <td className={classes.right}>{entry.length > 0 ? entry.length : ''}</td>
      <td className={classes.mono} title={entry.hex} data-testid="frame-hex">
        {entry.hex}
      </td>
      <td title={entry.peer ? `${text}\n${entry.peer}` : text}>{text}</td>
    </>
  );
}

function GapCells({ gap }: { readonly gap: GapRow }) {
  const { t } = useTranslation('frames');
  return (
    <td colSpan={5} className={classes.gap}>
      <span className={classes.kind}>
        <Icon name="warn" size={12} />
        {t('gap', { count: gap.missing })}
      </span>
    </td>
  );
}

interface FrameListProps {
  readonly rows: readonly TailRow[];
  readonly openSeq: number | null;
  onOpen(entry: FrameEntry): void;
}

/** Virtual rows that follow the newest as long as the list stands at its end. */
function useFollow(rows: readonly TailRow[]) {
  const scroll = useRef<HTMLDivElement>(null);
  const [isFollowing, setIsFollowing] = useState(true);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 14,
    scrollPaddingStart: ROW_HEIGHT,
    getItemKey: (index) => {
      const row = rows[index];
      return row ? `${row.kind === 'gap' ? 'gap' : 'row'} ${row.seq}` : index;
    },
  });
  const last = rows.at(-1)?.seq;
  useEffect(() => {
    if (isFollowing && last !== undefined && scroll.current) scroll.current.scrollTop = scroll.current.scrollHeight;
  }, [isFollowing, last]);
  function onScroll() {
    const box = scroll.current;
    if (box) setIsFollowing(box.scrollHeight - box.scrollTop - box.clientHeight < FOLLOW_WITHIN);
  }
  return { scroll, virtual, isFollowing, setIsFollowing, onScroll };
}

/** The frame log as a list; arrow keys move, Enter explains the frame. */
export function FrameList({ rows, openSeq, onOpen }: FrameListProps) {
  const { t } = useTranslation('frames');
  const { scroll, virtual, isFollowing, setIsFollowing, onScroll } = useFollow(rows);
  const [active, setActive] = useState<number | null>(null);
  const items = virtual.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = Math.max(0, virtual.getTotalSize() - (items.at(-1)?.end ?? 0));

  function moveTo(index: number) {
    const row = rows[Math.min(rows.length - 1, Math.max(0, index))];
    if (!row) return;
    setActive(row.seq);
    setIsFollowing(false);
    virtual.scrollToIndex(Math.min(rows.length - 1, Math.max(0, index)), { align: 'auto' });
  }

  function onKeyDown(event: KeyboardEvent) {
    const at = active === null ? rows.length : rows.findIndex((row) => row.seq === active);
    const row = rows[at];
    if (event.key === 'ArrowUp') moveTo(at - 1);
    else if (event.key === 'ArrowDown') moveTo(at + 1);
    else if (event.key === 'PageUp') moveTo(at - 15);
    else if (event.key === 'PageDown') moveTo(at + 15);
    else if (event.key === 'Home') moveTo(0);
    else if (event.key === 'End') moveTo(rows.length - 1);
    else if (event.key === 'Enter' && row && row.kind !== 'gap') onOpen(row);
    else return;
    event.preventDefault();
  }

  return (
    <div className={classes.listBox}>
      <div ref={scroll} className={classes.scroll} onScroll={onScroll} data-testid="frames-scroll">
        <table
          {...GRID}
          className={classes.table}
          aria-label={t('list')}
          aria-rowcount={rows.length + 1}
          {...(active === null ? {} : { 'aria-activedescendant': `frame-${active}` })}
          onKeyDown={onKeyDown}
        >
          <colgroup>
            <col className={classes.timeColumn} />
            <col className={classes.kindColumn} />
            <col className={classes.lengthColumn} />
            <col className={classes.hexColumn} />
            <col />
          </colgroup>
          <thead>
            <tr>
              <th scope="col">{t('column.time')}</th>
              <th scope="col">{t('column.kind')}</th>
              <th scope="col" className={classes.right}>
                {t('column.length')}
              </th>
              <th scope="col">{t('column.hex')}</th>
              <th scope="col">{t('column.text')}</th>
            </tr>
          </thead>
          <tbody>
            <tr className={classes.spacerRow} aria-hidden>
              <td colSpan={5} style={{ height: before }} />
            </tr>
            {items.map((item) => {
              const row = rows[item.index];
              if (!row) return null;
              return (
                <tr
                  key={item.key}
                  id={`frame-${row.seq}`}
                  data-testid={row.kind === 'gap' ? 'frame-gap' : 'frame-row'}
                  data-kind={row.kind}
                  className={`${classes.row} ${row.seq === active ? classes.active : ''}`}
                  aria-selected={row.seq === openSeq}
                  aria-rowindex={item.index + 2}
                  onClick={() => {
                    setActive(row.seq);
                    if (row.kind !== 'gap') onOpen(row);
                  }}
                >
                  {row.kind === 'gap' ? <GapCells gap={row} /> : <EntryCells entry={row} />}
                </tr>
              );
            })}
            <tr className={classes.spacerRow} aria-hidden>
              <td colSpan={5} style={{ height: after }} />
            </tr>
          </tbody>
        </table>
      </div>
      {isFollowing ? null : (
        <Button
          className={classes.follow}
          variant="default"
          leftSection={<Icon name="down" size={14} />}
          onClick={() => setIsFollowing(true)}
        >
          {t('follow')}
        </Button>
      )}
    </div>
  );
}
