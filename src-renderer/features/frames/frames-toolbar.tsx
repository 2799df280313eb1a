import { Button, Chip, Group, Text } from '@mantine/core';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommand, useKeyHint } from '../../commands/registry.ts';
import { Icon } from '../../ui/icons.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import classes from './frames.module.css';
import { FramesExport } from './frames-export.tsx';
import { useFramesStore } from './frames-store.ts';
import { FRAME_FILTERS, type FrameFilter } from './tail.ts';

interface FramesToolbarProps {
  readonly channelId: number;
  readonly isPaused: boolean;
  readonly shown: number;
  readonly kept: number;
  readonly forgotten: number;
  readonly isClearing: boolean;
  /** The expression that holds. */
  readonly filter: string;
  onPause(): void;
  onClear(): void;
}

/** Filters of the frame list, pause, export and clear. */
export function FramesToolbar(props: FramesToolbarProps) {
  const { t } = useTranslation('frames');
  const { t: tCommands } = useTranslation('commands');
  const { kinds, text, setKinds, setText } = useFramesStore();
  const box = useRef<HTMLInputElement>(null);
  const key = useKeyHint('find-frames');
  useCommand({
    id: 'find-frames',
    keyId: 'find',
    group: 'points',
    words: tCommands('findFrames'),
    key: 'mod+F',
    reason: null,
    run: () => box.current?.focus(),
  });
  const toggle = (kind: FrameFilter) =>
    setKinds(FRAME_FILTERS.filter((item) => (item === kind ? !kinds.includes(kind) : kinds.includes(item))));
  return (
    <div className={classes.toolbar}>
      <Group gap={4} role="group" aria-label={t('filter.kinds')} wrap="nowrap">
        {FRAME_FILTERS.map((kind) => (
          <Chip key={kind} size="xs" checked={kinds.includes(kind)} onChange={() => toggle(kind)}>
            {t(`filter.${kind}`)}
          </Chip>
        ))}
      </Group>
      <SearchField
        ref={box}
        w={240}
        words={t('filter.text')}
        title={`${t('filter.text')}${key}`}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Text size="xs" c="dimmed" className={classes.note} aria-live="polite" data-testid="frames-count">
        {t('count', { shown: props.shown, kept: props.kept })}
        {props.forgotten > 0 ? ` · ${t('forgotten', { count: props.forgotten })}` : ''}
        {props.isPaused ? ` · ${t('paused')}` : ''}
      </Text>
      <Button
        variant={props.isPaused ? 'light' : 'default'}
        leftSection={<Icon name={props.isPaused ? 'play' : 'pause'} size={14} />}
        onClick={props.onPause}
        data-testid="frames-pause"
      >
        {props.isPaused ? t('resume') : t('pause')}
      </Button>
      <FramesExport channelId={props.channelId} filter={props.filter} />
      <Button
        variant="default"
        leftSection={<Icon name="trash" size={14} />}
        title={t('clearLong')}
        loading={props.isClearing}
        onClick={props.onClear}
        data-testid="frames-clear"
      >
        {t('clear')}
      </Button>
    </div>
  );
}
