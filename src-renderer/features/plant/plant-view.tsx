import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { useUiStore } from '../../app/ui-store.ts';
import { DataGrid } from '../../ui/data-grid/data-grid.tsx';
import { useLocalRows } from '../../ui/data-grid/rows.ts';
import { Icon } from '../../ui/icons.tsx';
import { isStarted } from '../channels/channel-text.ts';
import { useChannelActions, useChannels } from '../channels/use-channels.ts';
import classes from './plant.module.css';
import { type PlantRow, usePlantColumns } from './plant-columns.tsx';
import { useAllTasks, useWholeRounds } from './use-tasks.ts';

const NO_CHANNELS: readonly Channel[] = [];
const idOf = ({ channel }: PlantRow) => String(channel.id);
const rowProps = ({ channel }: PlantRow) => ({ 'data-testid': 'plant-row', 'data-plant': channel.name });

/** Every channel in a line: what it is, how it is read, what is wrong; started and stopped one by one or all together. */
export default function PlantView() {
  const { t } = useTranslation('plant');
  const channels = useChannels().data ?? NO_CHANNELS;
  const tasks = useAllTasks();
  const rounds = useWholeRounds(tasks);
  const list = useMemo(
    () => channels.map((channel): PlantRow => ({ channel, tasks: tasks.get(channel.id), round: rounds.get(channel.id) })),
    [channels, tasks, rounds],
  );
  const rows = useLocalRows(list, idOf);
  const columns = usePlantColumns();
  const selectChannel = useUiStore((state) => state.selectChannel);
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
      <DataGrid
        name="plant"
        label={t('title')}
        rows={rows}
        columns={columns}
        rowProps={rowProps}
        onOpen={({ channel }) => selectChannel(channel.id)}
        onKey={(event, { row }) => {
          if (event.key !== 'Enter' || !row) return;
          selectChannel(row.channel.id);
          event.preventDefault();
        }}
      />
    </section>
  );
}
