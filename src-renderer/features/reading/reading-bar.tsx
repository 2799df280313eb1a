import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { useCommand } from '../../commands/registry.ts';
import { AutoButton, AutoState } from './auto-control.tsx';
import { ManualButton, ManualProgress } from './manual-control.tsx';
import classes from './reading.module.css';
import { ReadingNotice } from './reading-notice.tsx';
import { ReadingTrouble } from './reading-trouble.tsx';
import { TaskSettings } from './task-settings.tsx';
import { type Reading, useReading } from './use-reading.ts';

/** F5 reads once, Ctrl+R starts or stops automatic reading; the browser's own reload is kept away from both. */
function useReadingCommands(reading: Reading) {
  const { t } = useTranslation(['commands', 'reading']);
  const reason = reading.obstacle === null ? null : t(`reading:why.${reading.obstacle}`);
  const isOn = reading.auto?.state === 'running';
  useCommand({ id: 'read-once', group: 'channel', words: t('commands:readOnce'), key: 'F5', reason, run: reading.readShown });
  useCommand({
    id: 'automatic',
    group: 'channel',
    words: t(isOn ? 'commands:stopAuto' : 'commands:startAuto'),
    key: 'mod+R',
    reason: isOn ? null : reason,
    run: () => (isOn ? reading.stopAuto() : reading.startAuto()),
  });
}

function Bar({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation('reading');
  const reading = useReading(channel);
  useReadingCommands(reading);
  return (
    <section className={classes.bar} aria-label={t('title')} data-testid="reading-bar">
      <div className={classes.told}>
        <div className={classes.counts}>
          <AutoState reading={reading} />
          <ManualProgress reading={reading} />
        </div>
        <ReadingTrouble channel={channel} reading={reading} />
      </div>
      <TaskSettings channel={channel} reading={reading} />
      <ManualButton reading={reading} />
      <AutoButton reading={reading} />
      <ReadingNotice reading={reading} />
    </section>
  );
}

/** How a channel is read: what and how often, one round now, or again and again in the background of the service. Part of the one line of its header. */
export function ReadingBar({ channel }: { readonly channel: Channel }) {
  return <Bar key={`${channel.id} ${channel.name}`} channel={channel} />;
}
