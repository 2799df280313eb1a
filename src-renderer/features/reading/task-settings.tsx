import { Button, Group, Popover, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { formatInterval } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { FilterFields } from './filter-fields.tsx';
import classes from './reading.module.css';
import { CYCLE_BOUNDS, countFilters, DEFAULT_DRAFT, isWithin, latestTask, PAUSE_BOUNDS } from './task-config.ts';
import { TaskFields } from './task-fields.tsx';
import type { Reading } from './use-reading.ts';

/** Seconds with the digits that matter: `0.27`, `6.2`. */
function secondsText(ms: number): string {
  return (ms / 1000).toFixed(ms < 1000 ? 2 : 1);
}

/** How long a round takes where the line is slow enough to matter. */
function Prediction({ reading }: { readonly reading: Reading }) {
  const { t } = useTranslation('reading');
  const task = latestTask(reading.auto, reading.manual);
  const slow = task?.predicted_cycle_ms;
  if (slow === undefined) return null;
  return (
    <Text size="xs" data-testid="reading-predicted">
      {t('predicted', { seconds: secondsText(slow) })}
      {task?.last_cycle_ms === undefined ? null : ` ${t('took', { seconds: secondsText(task.last_cycle_ms) })}`}
    </Text>
  );
}

/** Mode and cycle in a word; what a task reads and how, behind it. */
export function TaskSettings({ channel, reading }: { readonly channel: Channel; readonly reading: Reading }) {
  const { t } = useTranslation('reading');
  const [opened, setOpened] = useState(false);
  const { draft, setDraft, isLocked } = reading;
  const filters = countFilters(draft);
  const isWrong = !isWithin(draft.cycleMs, CYCLE_BOUNDS) || !isWithin(draft.pauseMs, PAUSE_BOUNDS);
  const cycle = draft.cycleMs === null ? '–' : formatInterval(draft.cycleMs);
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" shadow="md" trapFocus width={340}>
      <Popover.Target>
        <Button
          variant={filters > 0 ? 'light' : 'default'}
          {...(isWrong ? { color: 'red', variant: 'light' } : {})}
          px={8}
          title={t('settings')}
          leftSection={<Icon name="settings" size={14} />}
          onClick={() => setOpened(!opened)}
          data-testid="read-settings"
        >
          {[t(`modes.${draft.mode}`), cycle, ...(filters > 0 ? [t('filtersCount', { count: filters })] : [])].join(' · ')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown data-testid="read-settings-panel">
        <Stack gap="xs">
          {isLocked ? (
            <Text size="xs" c="dimmed">
              {t('locked')}
            </Text>
          ) : null}
          <div className={classes.fields}>
            <TaskFields channel={channel} reading={reading} />
          </div>
          <Prediction reading={reading} />
          <FilterFields protocolType={channel.protocol_type} draft={draft} isLocked={isLocked} onChange={setDraft} />
          <Group justify="space-between">
            <Button
              variant="default"
              disabled={isLocked || filters === 0}
              onClick={() => setDraft({ ...DEFAULT_DRAFT, mode: draft.mode, cycleMs: draft.cycleMs, pauseMs: draft.pauseMs })}
            >
              {t('filter.clear')}
            </Button>
            <Button onClick={() => setOpened(false)}>{t('filter.done')}</Button>
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
