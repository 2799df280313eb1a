import { NumberInput, Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { READ_MODES, type ReadMode } from '#shared/domain/enums.ts';
import { useOperation } from '../../api/hooks.ts';
import { CYCLE_BOUNDS, isWithin, PAUSE_BOUNDS } from './task-config.ts';
import type { Reading } from './use-reading.ts';

interface IntervalFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly value: number | null;
  readonly bounds: { readonly min: number; readonly max: number };
  readonly step: number;
  readonly isLocked: boolean;
  readonly testId: string;
  onChange(value: number | null): void;
}

/** A time in milliseconds; what is wrong with it stands at the field. */
function IntervalField(props: IntervalFieldProps) {
  const { t } = useTranslation('reading');
  return (
    <NumberInput
      {...(props.isLocked ? { variant: 'filled' } : {})}
      label={props.label}
      title={props.isLocked ? t('locked') : props.hint}
      suffix={` ${t('ms')}`}
      thousandSeparator=" "
      allowDecimal={false}
      allowNegative={false}
      step={props.step}
      clampBehavior="none"
      readOnly={props.isLocked}
      hideControls
      value={props.value ?? ''}
      onChange={(value) => props.onChange(typeof value === 'number' ? value : null)}
      error={isWithin(props.value, props.bounds) ? undefined : t('bounds', props.bounds)}
      data-testid={props.testId}
    />
  );
}

/** Mode, cycle and pause of the next task; those of the running one while it runs. */
export function TaskFields({ channel, reading }: { readonly channel: Channel; readonly reading: Reading }) {
  const { t } = useTranslation('reading');
  const protocols = useOperation('listProtocols', {});
  const { draft, setDraft, isLocked } = reading;
  const modes = protocols.data?.find((item) => item.protocol_type === channel.protocol_type)?.modes ?? [draft.mode];
  return (
    <>
      <Select
        {...(isLocked ? { variant: 'filled' } : {})}
        label={t('mode')}
        title={isLocked ? t('locked') : t(`modeHint.${draft.mode}`)}
        allowDeselect={false}
        // its list is part of the popover: a click in it is none beside it
        comboboxProps={{ withinPortal: false }}
        readOnly={isLocked}
        data={modes.map((mode) => ({ value: mode, label: t(`modes.${mode}`) }))}
        value={draft.mode}
        onChange={(value) => setDraft({ ...draft, mode: READ_MODES.find((mode): mode is ReadMode => mode === value) ?? 'batch' })}
        data-testid="read-mode"
      />
      <IntervalField
        label={t('cycle')}
        hint={t('cycleHint')}
        value={draft.cycleMs}
        bounds={CYCLE_BOUNDS}
        step={100}
        isLocked={isLocked}
        testId="read-cycle"
        onChange={(cycleMs) => setDraft({ ...draft, cycleMs })}
      />
      <IntervalField
        label={t('pause')}
        hint={t('pauseHint')}
        value={draft.pauseMs}
        bounds={PAUSE_BOUNDS}
        step={10}
        isLocked={isLocked}
        testId="read-pause"
        onChange={(pauseMs) => setDraft({ ...draft, pauseMs })}
      />
    </>
  );
}
