import { useTranslation } from 'react-i18next';
import type { FrameEntry } from '#shared/contract/frames.ts';
import type { Point } from '#shared/contract/points.ts';
import { POLL, useOperation } from '../../api/hooks.ts';
import { useSetTab } from '../../app/area.tsx';
import { useWords } from '../../i18n/words.ts';
import { Icon } from '../../ui/icons.tsx';
import { formatTime } from '../../ui/time.ts';
import { useFramesStore } from '../frames/frames-store.ts';
import classes from './inspector.module.css';

const SHOWN = 6;

/** The newest frames that asked for the point, carried or operated it; each leads to its explanation. */
export function FramesSection({ point }: { readonly point: Point }) {
  const { t } = useTranslation('inspector');
  const input = { channel_id: point.channel_id, point_id: point.id, frame_type: point.frame_type, limit: SHOWN };
  const frames = useOperation('pointFrames', input, { pollMs: POLL.slow });
  const items = frames.isPlaceholderData ? [] : (frames.data?.items ?? []);
  return (
    <section>
      <h3 className={classes.heading}>{t('frames')}</h3>
      {items.length === 0 && frames.isSuccess && !frames.isPlaceholderData ? <p className={classes.muted}>{t('framesNone')}</p> : null}
      <ul className={classes.frames}>
        {items.map((entry) => (
          <li key={entry.seq}>
            <FrameButton entry={entry} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function FrameButton({ entry }: { readonly entry: FrameEntry }) {
  const { t } = useTranslation('frames');
  const words = useWords();
  const setTab = useSetTab();
  const text = words(entry.text_message, entry.text);
  const open = () => {
    useFramesStore.getState().want(entry);
    setTab('frames');
  };
  return (
    <button type="button" className={classes.frame} data-testid="inspector-frame" title={`${text}\n${entry.hex}`} onClick={open}>
      <span className="lc-mono">{formatTime(entry.at)}</span>
      <Icon name={entry.kind === 'tx' ? 'right' : 'left'} size={12} label={t(`kind.${entry.kind}`)} />
      <span className="lc-ellipsis">{text}</span>
    </button>
  );
}
