import { ActionIcon, Autocomplete, Button, Group, NativeSelect, NumberInput, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PointDeadBand } from '#shared/contract/history.ts';
import { useOperation } from '../../api/hooks.ts';
import { Icon } from '../../ui/icons.tsx';
import { OFFERED_POINTS, REST_MS } from './point-picker.tsx';
import classes from './trends.module.css';

/** A dead band while it is entered. */
export type EditedBand = Omit<PointDeadBand, 'dead_band'> & { readonly dead_band: number | string };

/** More rows than these are scrolled. */
const FIT = 4;
const KINDS = ['absolute', 'percent'] as const;

interface DeadBandsProps {
  readonly channelId: number;
  readonly bands: readonly EditedBand[];
  /** What is wrong with each, by its place. */
  readonly issues: Readonly<Record<number, string>>;
  onChange(bands: readonly EditedBand[]): void;
}

/** Dead bands of single points: code, width, and what it is measured in. */
export function DeadBands({ channelId, bands, issues, onChange }: DeadBandsProps) {
  const { t } = useTranslation('trends');
  const change = (place: number, what: Partial<EditedBand>) =>
    onChange(bands.map((band, index) => (index === place ? { ...band, ...what } : band)));
  return (
    <Stack gap={4} role="group" aria-label={t('recording.bands')}>
      <Text size="sm" fw={600}>
        {t('recording.bands')}
      </Text>
      <div className={bands.length > FIT ? `${classes.bands} ${classes.many}` : classes.bands}>
        {bands.map((band, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other name while its code is entered
          <Group key={index} gap={4} wrap="nowrap" align="start" data-testid="recording-band">
            <CodeInput channelId={channelId} code={band.code} error={issues[index] ?? null} onChange={(code) => change(index, { code })} />
            <NumberInput
              w={80}
              min={0}
              hideControls
              aria-label={t('recording.deadBand')}
              value={band.dead_band}
              onChange={(value) => change(index, { dead_band: value })}
            />
            <NativeSelect
              w={92}
              size="xs"
              aria-label={t('recording.bandKind')}
              data={KINDS.map((value) => ({ value, label: t(`recording.bandKinds.${value}`) }))}
              value={band.kind}
              onChange={(event) => change(index, { kind: KINDS.find((kind) => kind === event.currentTarget.value) ?? band.kind })}
            />
            <ActionIcon
              mt={4}
              size="sm"
              aria-label={t('recording.removeBand', { code: band.code })}
              onClick={() => onChange(bands.filter((_, place) => place !== index))}
            >
              <Icon name="close" size={12} />
            </ActionIcon>
          </Group>
        ))}
      </div>
      <Button
        size="compact-xs"
        variant="subtle"
        leftSection={<Icon name="plus" size={12} />}
        style={{ alignSelf: 'start' }}
        onClick={() => onChange([...bands, { code: '', dead_band: 0, kind: 'absolute' }])}
        data-testid="recording-add-band"
      >
        {t('recording.addBand')}
      </Button>
    </Stack>
  );
}

interface CodeInputProps {
  readonly channelId: number;
  readonly code: string;
  readonly error: string | null;
  onChange(code: string): void;
}

/** A code, completed from the points of the channel. */
function CodeInput({ channelId, code, error, onChange }: CodeInputProps) {
  const { t } = useTranslation('trends');
  const [isOpen, setIsOpen] = useState(false);
  const [asked] = useDebouncedValue(code.trim(), REST_MS);
  const found = useOperation(
    'pointTable',
    { channel_id: channelId, page: 1, page_size: OFFERED_POINTS, ...(asked === '' ? {} : { search: asked }) },
    { enabled: isOpen },
  );
  return (
    <Autocomplete
      style={{ flex: 1 }}
      aria-label={t('recording.bandCode')}
      placeholder={t('recording.bandCode')}
      data={[...new Set(found.data?.items.map((point) => point.code) ?? [])]}
      // the service has searched
      filter={({ options }) => options}
      value={code}
      onChange={onChange}
      onDropdownOpen={() => setIsOpen(true)}
      error={error}
      maxLength={500}
      comboboxProps={{ withinPortal: false }}
    />
  );
}
