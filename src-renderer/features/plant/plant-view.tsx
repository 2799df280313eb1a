import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../ui/icons.tsx';
import { isStarted } from '../channels/channel-text.ts';
import { useChannelActions, useChannels } from '../channels/use-channels.ts';
import classes from './plant.module.css';
import { PlantRow } from './plant-row.tsx';
import { useAllTasks } from './use-tasks.ts';

const COLUMNS = ['channel', 'protocol', 'state', 'reading', 'cycle', 'read', 'failed', 'silent', 'lastError'] as const;
const NUMBERS: ReadonlySet<string> = new Set(['read', 'failed', 'silent']);

/** Every channel in a line: what it is, how it is read, what is wrong; started and stopped one by one or all together. */
export default function PlantView() {
  const { t } = useTranslation('plant');
  const channels = useChannels().data ?? [];
  const tasks = useAllTasks();
  const { start, stop } = useChannelActions();
  const stopped = channels.filter((channel) => channel.status === 'stopped' || channel.status === 'error');
  const started = channels.filter((channel) => isStarted(channel.status));
  return (
    <section className={classes.root} aria-label={t('title')} data-testid="plant">
      <header className={classes.head}>
        <h1 className={classes.title}>{t('title')}</h1>
        <span className={classes.muted}>{t('summary', { count: channels.length, started: started.length })}</span>
        <span className={classes.spacer} />
        <Button
          variant="default"
          leftSection={<Icon name="play" size={14} />}
          disabled={stopped.length === 0}
          onClick={() => {
            for (const { id } of stopped) start(id);
          }}
          data-testid="plant-start-all"
        >
          {t('startAll')}
        </Button>
        <Button
          variant="default"
          leftSection={<Icon name="stop" size={14} />}
          disabled={started.length === 0}
          onClick={() => {
            for (const { id } of started) stop(id);
          }}
          data-testid="plant-stop-all"
        >
          {t('stopAll')}
        </Button>
      </header>
      <div className={classes.scroll}>
        <table className={classes.table}>
          <thead>
            <tr>
              {COLUMNS.map((name) => (
                <th key={name} scope="col" className={NUMBERS.has(name) ? classes.number : undefined}>
                  {t(`column.${name}`)}
                </th>
              ))}
              <td />
            </tr>
          </thead>
          <tbody>
            {channels.map((channel) => (
              <PlantRow key={channel.id} channel={channel} tasks={tasks.get(channel.id)} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
