import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { useWords } from '../../i18n/words.ts';
import { Icon } from '../../ui/icons.tsx';
import { silentSlaves } from '../channels/channel-text.ts';
import { useTerms } from '../channels/protocol-facts.ts';
import { FindCause } from '../doctor/find-cause.tsx';
import classes from './reading.module.css';
import { latestTask } from './task-config.ts';
import type { Reading } from './use-reading.ts';

/**
 * What is wrong on the channel, in one line of a height that stays: its own last error, else that of the read that began last; how many slaves
 * are silent; and what leads to the cause.
 */
export function ReadingTrouble({ channel, reading }: { readonly channel: Channel; readonly reading: Reading }) {
  const { t } = useTranslation(['reading', 'channels']);
  const words = useWords();
  const terms = useTerms(channel.protocol_type);
  const task = latestTask(reading.auto, reading.manual);
  const silent = silentSlaves(channel);
  const channelError = channel.last_error ? words(channel.last_error_info, channel.last_error) : null;
  const taskError = task?.last_error ? words(task.last_error_info, task.last_error) : null;
  if (channelError === null && taskError === null && silent.length === 0) return <div className={classes.trouble} />;
  const said = channelError === null ? taskError && t('reading:lastError', { message: taskError }) : channelError;
  return (
    <div className={classes.trouble}>
      <Icon name="warn" size={13} />
      {silent.length > 0 ? (
        <span className={classes.silent} title={[said, t('channels:health.suspendedHint')].filter(Boolean).join('\n')}>
          {t('channels:health.suspendedShort', { count: silent.length, context: terms.slave })}
        </span>
      ) : null}
      {said ? (
        <span className={classes.said}>
          <span
            className={`${classes.bad} lc-ellipsis`}
            title={said}
            data-testid={channelError === null ? 'reading-last-error' : 'last-error'}
          >
            {said}
          </span>
        </span>
      ) : null}
      <FindCause
        channel={channel}
        slaveIds={silent}
        testId={channelError === null ? (taskError === null ? 'health-cause' : 'reading-cause') : 'open-doctor'}
      />
    </div>
  );
}
