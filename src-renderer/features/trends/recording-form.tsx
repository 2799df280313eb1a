import { Button, Group, NumberInput, Popover, Select, Stack, Text, TextInput } from '@mantine/core';
import { memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { RecordingSettings } from '#shared/contract/history.ts';
import { issueMessage } from '#shared/domain/errors.ts';
import { POLL, useAction, useOperation } from '../../api/hooks.ts';
import { inWords } from '../../i18n/words.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { serviceIssues, unplacedError } from '../../ui/form/issues.ts';
import { Icon } from '../../ui/icons.tsx';
import { shownNumber } from '../../ui/number.ts';
import { formatDateTime } from '../../ui/time.ts';
import { DeadBands, type EditedBand } from './dead-bands.tsx';

const MODES = RecordingSettings.shape.mode.options;
const MIB = 1024 * 1024;

type NumberName = 'dead_band' | 'before_s' | 'after_s' | 'retention_days' | 'max_mb';
type Edited = Partial<Record<NumberName, number | string>> & {
  mode?: RecordingSettings['mode'];
  trigger?: string;
  dead_bands?: readonly EditedBand[];
};

/** What must be at least 1; the others may be 0. */
const FROM_ONE: ReadonlySet<NumberName> = new Set(['retention_days', 'max_mb']);

/** What is recorded of the channel, and how much is kept. */
export const RecordingForm = memo(function RecordingForm({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation('trends');
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Popover opened={isOpen} onChange={setIsOpen} width={380} position="bottom-end" shadow="md" trapFocus withinPortal>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<Icon name="tape" size={14} />}
          onClick={() => setIsOpen(!isOpen)}
          data-testid="recording-open"
        >
          {t('recording.open')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('recording.title', { channel: channel.name })}>
        {isOpen ? <Settings channel={channel} onDone={() => setIsOpen(false)} /> : null}
      </Popover.Dropdown>
    </Popover>
  );
});

const bandPath = (index: number) => `dead_bands.${index}.code`;

function bandIssues(bands: readonly EditedBand[], issues: Readonly<Record<string, string>>): Record<number, string> {
  const placed = bands.map((_, index): [number, string] => [index, issues[bandPath(index)] ?? '']);
  return Object.fromEntries(placed.filter(([, text]) => text !== ''));
}

function Settings({ channel, onDone }: { readonly channel: Channel; readonly onDone: () => void }) {
  const { t } = useTranslation('trends');
  const status = useOperation('recordingStatus', { channel_id: channel.id }, { pollMs: POLL.slow });
  const set = useAction('setRecording', ['recordingStatus', 'readHistory']);
  const [edited, setEdited] = useState<Edited>({});
  const now = status.data?.channels.find(({ channel_id }) => channel_id === channel.id);
  if (!status.data || !now) return <ErrorNotice error={status.error} compact />;
  const mode = edited.mode ?? now.mode;
  const wanted = { ...now, ...edited };
  const parsed = RecordingSettings.safeParse({
    mode,
    dead_band: wanted.dead_band,
    dead_bands: wanted.dead_bands,
    trigger: wanted.trigger,
    before_s: wanted.before_s,
    after_s: wanted.after_s,
    retention_days: wanted.retention_days,
    max_mb: wanted.max_mb,
  });
  const warned = set.data?.warnings ?? [];
  const issues = set.error
    ? serviceIssues(set.error)
    : Object.fromEntries(warned.map((issue) => [issue.path, inWords(issueMessage(issue), issue.message)]));
  const number = (name: NumberName) => ({
    value: wanted[name],
    onChange: (value: number | string) => setEdited({ ...edited, [name]: value }),
    min: FROM_ONE.has(name) ? 1 : 0,
    'data-testid': `recording-${name}`,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (parsed.success)
          set.mutate({ channel_id: channel.id, ...parsed.data }, { onSuccess: ({ warnings }) => warnings.length === 0 && onDone() });
      }}
    >
      <Stack gap={6}>
        <Text fw={600}>{t('recording.title', { channel: channel.name })}</Text>
        <Select
          label={t('recording.mode')}
          data={MODES.map((value) => ({ value, label: t(`recording.modes.${value}`) }))}
          value={mode}
          onChange={(value) => setEdited({ ...edited, mode: MODES.find((one) => one === value) ?? mode })}
          allowDeselect={false}
          comboboxProps={{ withinPortal: false }}
          data-testid="recording-mode"
        />
        {mode === 'changed' ? (
          <>
            <NumberInput label={t('recording.deadBand')} description={t('recording.deadBandHint')} {...number('dead_band')} />
            <DeadBands
              channelId={channel.id}
              bands={wanted.dead_bands}
              issues={bandIssues(wanted.dead_bands, issues)}
              onChange={(dead_bands) => setEdited({ ...edited, dead_bands })}
            />
          </>
        ) : null}
        {mode === 'trigger' ? (
          <>
            <TextInput
              label={t('recording.trigger')}
              description={t('recording.triggerHint')}
              value={wanted.trigger}
              onChange={(event) => setEdited({ ...edited, trigger: event.currentTarget.value })}
              error={issues.trigger ?? null}
              maxLength={500}
              styles={{ input: { fontFamily: 'var(--lc-mono)' } }}
              data-testid="recording-trigger"
            />
            <Group gap="xs" grow>
              <NumberInput label={t('recording.before')} allowDecimal={false} max={600} {...number('before_s')} />
              <NumberInput label={t('recording.after')} allowDecimal={false} max={86_400} {...number('after_s')} />
            </Group>
          </>
        ) : null}
        <NumberInput label={t('recording.days')} allowDecimal={false} max={3650} {...number('retention_days')} />
        <NumberInput label={t('recording.size')} allowDecimal={false} max={1_000_000} {...number('max_mb')} />
        <Text size="xs" c="dimmed" data-testid="recording-kept">
          {now.samples === 0
            ? t('recording.none')
            : t('recording.kept', {
                samples: shownNumber(String(now.samples)),
                oldest: formatDateTime(now.oldest),
                size: shownNumber((now.bytes / MIB).toFixed(1)),
              })}
          {now.lost > 0 ? ` ${t('recording.lost', { count: now.lost })}` : ''}
        </Text>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {t('recording.file', { file: status.data.file })}
        </Text>
        <ErrorNotice error={unplacedError(set.error, ['trigger', ...wanted.dead_bands.map((_, index) => bandPath(index))])} compact />
        <Button type="submit" loading={set.isPending} disabled={!parsed.success} data-testid="recording-save">
          {t('recording.save')}
        </Button>
      </Stack>
    </form>
  );
}
