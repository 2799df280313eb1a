import { useTranslation } from 'react-i18next';
import type { FrameEntry } from '#shared/contract/frames.ts';
import type { Point } from '#shared/contract/points.ts';
import { POLL } from '../../api/hooks.ts';
import { useWords } from '../../i18n/words.ts';
import { Icon } from '../../ui/icons.tsx';
import { formatTime } from '../../ui/time.ts';
import classes from './inspector.module.css';
import { useOpenFrame, usePointFrames } from './point-frames.ts';

const SHOWN = 6;

/** The newest frames that asked for the point, carried or operated it; each leads to its explanation. */
export function FramesSection({ point }: { readonly point: Point }) {
  const { t } = useTranslation('inspector');
  const { items, isKnown } = usePointFrames(point, SHOWN, POLL.slow);
  return (
    <section>
      <h3 className={classes.heading}>{t('frames')}</h3>
      {items.length === 0 && isKnown ? <p className={classes.muted}>{t('framesNone')}</p> : null}
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
  const open = useOpenFrame();
  const text = words(entry.text_message, entry.text);
  return (
    <button
      type="button"
      className={classes.frame}
      data-testid="inspector-frame"
      title={`${text}\n${entry.hex}`}
      onClick={() => open(entry)}
    >
      <span className="lc-mono">{formatTime(entry.at)}</span>
      <Icon name={entry.kind === 'tx' ? 'right' : 'left'} size={12} label={t(`kind.${entry.kind}`)} />
      <span className="lc-ellipsis">{text}</span>
    </button>
  );
}
