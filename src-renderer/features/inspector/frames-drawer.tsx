import { ActionIcon } from '@mantine/core';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { FrameEntry } from '#shared/contract/frames.ts';
import type { Point } from '#shared/contract/points.ts';
import { POLL } from '../../api/hooks.ts';
import { useCommand, useKeyHint } from '../../commands/registry.ts';
import { useWords } from '../../i18n/words.ts';
import { Icon } from '../../ui/icons.tsx';
import { formatTime } from '../../ui/time.ts';
import { FRAME_TYPE_LETTERS } from '../points/point-text.ts';
import classes from './frames-drawer.module.css';
import { useInspectorStore } from './inspector-store.ts';
import { useOpenFrame, usePointFrames } from './point-frames.ts';
import { useRested } from './use-rested.ts';

/** As many as somebody looks through without a search; the view of frames has them all. */
const SHOWN = 50;

/** F12: the frames of the row that the keyboard is on, below the table; they go with it from row to row. */
export function FramesDrawer({ chosen }: { readonly chosen: Point | null }) {
  const isOpen = useInspectorStore((state) => state.hasFrames);
  return (
    <>
      <ToggleCommand />
      {isOpen ? <Drawer chosen={chosen} /> : null}
    </>
  );
}

/** Apart from the drawer, which is another one for each row that the keyboard goes to. */
const ToggleCommand = memo(function ToggleCommand() {
  const { t } = useTranslation('commands');
  const { toggleFrames } = useInspectorStore.getState();
  useCommand({ id: 'point-frames', group: 'points', words: t('pointFrames'), key: 'F12', reason: null, run: toggleFrames });
  return null;
});

function Drawer({ chosen }: { readonly chosen: Point | null }) {
  const { t } = useTranslation('inspector');
  const { toggleFrames } = useInspectorStore.getState();
  const key = useKeyHint('point-frames');
  const title = t('frames');
  return (
    <section className={classes.drawer} aria-label={title} data-testid="frames-drawer">
      <header className={classes.head}>
        <h3 className={`${classes.title} lc-ellipsis`}>
          {chosen ? `${title} · ${FRAME_TYPE_LETTERS[chosen.frame_type]} ${chosen.code}` : title}
        </h3>
        <ActionIcon size="sm" aria-label={t('closeFrames')} title={`${t('closeFrames')}${key}`} onClick={toggleFrames}>
          <Icon name="close" size={14} />
        </ActionIcon>
      </header>
      {chosen ? <RestedRows point={chosen} /> : <p className={classes.none}>{t('none')}</p>}
    </section>
  );
}

function RestedRows({ point }: { readonly point: Point }) {
  const { isRested } = useRested(point);
  return isRested ? <FrameRows key={`${point.frame_type} ${point.id}`} point={point} /> : null;
}

/** The newest first: that is the one that brought the value. */
function FrameRows({ point }: { readonly point: Point }) {
  const { t } = useTranslation('inspector');
  const { items, isKnown } = usePointFrames(point, SHOWN, POLL.table);
  if (items.length === 0) return isKnown ? <p className={classes.none}>{t('framesNone')}</p> : null;
  return (
    <ul className={classes.rows}>
      {items.toReversed().map((entry) => (
        <li key={entry.seq}>
          <FrameRow entry={entry} />
        </li>
      ))}
    </ul>
  );
}

function FrameRow({ entry }: { readonly entry: FrameEntry }) {
  const { t } = useTranslation('frames');
  const words = useWords();
  const open = useOpenFrame();
  const text = words(entry.text_message, entry.text);
  return (
    <button type="button" className={classes.row} data-testid="drawer-frame" title={text} onClick={() => open(entry)}>
      <span className="lc-mono">{formatTime(entry.at)}</span>
      <span className={entry.kind === 'tx' ? classes.sent : classes.received}>
        <Icon name={entry.kind === 'tx' ? 'right' : 'left'} size={12} />
        {t(`kind.${entry.kind}`)}
      </span>
      <span className={`${classes.octets} lc-mono lc-ellipsis`} title={entry.hex}>
        {entry.hex}
      </span>
      <span className="lc-ellipsis">{text}</span>
    </button>
  );
}
