import { SegmentedControl, Select, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { LARGEST_TABLE_FILE } from '#shared/contract/point-files.ts';
import { useOperation } from '../../api/hooks.ts';
import { useWords } from '../../i18n/words.ts';
import { ChooseFile, DropZone } from '../../ui/drop-zone.tsx';
import { formatBytes } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { formatDateTime } from '../../ui/time.ts';
import { useChannels } from '../channels/use-channels.ts';
import { ACCEPTED } from '../point-files/file-drop.tsx';
import classes from './compare.module.css';
import { type ChosenSide, type SideName, tooLarge } from './use-compare.ts';

interface SidePickerProps {
  readonly name: SideName;
  /** Whose table it is about. */
  readonly channel: Channel;
  readonly side: ChosenSide;
  onChange(side: ChosenSide): void;
}

const KINDS = ['channel', 'file', 'step'] as const;

function emptySide(of: ChosenSide['of'], channelId: number): ChosenSide {
  if (of === 'file') return { of, file: null };
  return of === 'step' ? { of, channelId, stepId: null } : { of, channelId: null };
}

function FileChoice({ side, onChange }: { readonly side: ChosenSide & { of: 'file' }; onChange(side: ChosenSide): void }) {
  const { t } = useTranslation('tables');
  const take = (file: File) => onChange({ of: 'file', file });
  const large = tooLarge(side);
  return (
    <DropZone label={t('compare.of.file')} onFile={take}>
      <ChooseFile
        label={t('compare.file')}
        onFile={take}
        accept={ACCEPTED}
        leftSection={<Icon name="file" size={14} />}
        data-testid="compare-file"
      />
      <Text size="xs" c="dimmed">
        {side.file ? side.file.name : t('compare.dropFile')}
      </Text>
      {large === null ? null : (
        <Text size="xs" c="red" role="alert">
          {t('compare.tooLarge', { size: formatBytes(large), limit: formatBytes(LARGEST_TABLE_FILE) })}
        </Text>
      )}
    </DropZone>
  );
}

function StepChoice({ side, onChange }: { readonly side: ChosenSide & { of: 'step' }; onChange(side: ChosenSide): void }) {
  const { t } = useTranslation('tables');
  const words = useWords();
  const history = useOperation('pointHistory', { channel_id: side.channelId });
  const steps = history.data?.items.filter(({ undone }) => !undone) ?? [];
  return (
    <Select
      label={t('compare.step')}
      placeholder={history.data && steps.length === 0 ? t('compare.noSteps') : ''}
      data={steps.map(({ id, name, name_message, at }) => ({
        value: String(id),
        label: `${formatDateTime(at)} · ${words(name_message, name)}`,
      }))}
      value={side.stepId === null ? null : String(side.stepId)}
      onChange={(next) => onChange({ ...side, stepId: next === null ? null : Number(next) })}
      searchable
      data-testid="compare-step"
    />
  );
}

/** Which table stands on one side: that of a channel, a file, or an earlier state of the channel. */
export function SidePicker({ name, channel, side, onChange }: SidePickerProps) {
  const { t } = useTranslation('tables');
  const channels = useChannels().data ?? [];
  const kinds = name === 'before' ? KINDS.slice(0, 2) : KINDS;
  return (
    <section className={classes.side} aria-label={t(`compare.${name}`)} data-testid={`compare-${name}`}>
      <h3 className={classes.sideTitle}>{t(`compare.${name}`)}</h3>
      <SegmentedControl
        aria-label={t('compare.ofLabel')}
        value={side.of}
        onChange={(next) => onChange(emptySide(kinds.find((kind) => kind === next) ?? 'file', channel.id))}
        data={kinds.map((value) => ({ value, label: t(`compare.of.${value}`) }))}
      />
      {side.of === 'file' ? <FileChoice side={side} onChange={onChange} /> : null}
      {side.of === 'step' ? <StepChoice side={side} onChange={onChange} /> : null}
      {side.of === 'channel' ? (
        <Select
          label={t('compare.channel')}
          data={channels.map(({ id, name: label }) => ({ value: String(id), label }))}
          value={side.channelId === null ? null : String(side.channelId)}
          onChange={(next) => onChange({ of: 'channel', channelId: next === null ? null : Number(next) })}
          searchable
          data-testid="compare-channel"
        />
      ) : null}
    </section>
  );
}
