import { MultiSelect, NumberInput, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel, ProtocolDescriptor } from '#shared/contract/channels.ts';
import type { InputOf } from '#shared/contract/index.ts';
import { ScanBody } from '#shared/contract/jobs.ts';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { useFunctionText } from '../point-form/point-form.tsx';
import classes from './tools.module.css';

interface ScanFormProps {
  readonly channel: Channel;
  readonly tools: NonNullable<ProtocolDescriptor['tools']>;
  readonly isRunning: boolean;
  onStart(input: InputOf<'startScan'>): void;
}

interface Fields {
  readonly slave: number | string;
  readonly functions: readonly string[];
  readonly start: number | string;
  readonly quantity: number | string;
  readonly smallest: number | string;
}

const INITIAL: Fields = { slave: 1, functions: ['3'], start: 0, quantity: 1000, smallest: 1 };

/** Which registers to scan. */
export function ScanForm({ channel, tools, isRunning, onStart }: ScanFormProps) {
  const { t } = useTranslation('tools');
  const functionText = useFunctionText();
  const [fields, setFields] = useState(INITIAL);
  const set = (key: keyof Fields) => (value: number | string) => setFields({ ...fields, [key]: value });
  const parsed = ScanBody.safeParse({
    channel_id: channel.id,
    slave_id: fields.slave,
    func_codes: fields.functions.map(Number),
    start: fields.start,
    quantity: fields.quantity,
    smallest_block: fields.smallest,
  });
  const isStarted = channel.status === 'running';
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (parsed.success && isStarted && !isRunning) onStart(parsed.data);
      }}
    >
      <NumberInput label={t('slave')} value={fields.slave} onChange={set('slave')} min={0} max={255} w={76} data-path="scan_slave" />
      <MultiSelect
        label={t('scan.functions')}
        data={tools.scan_functions.map((item) => ({
          value: String(item.code),
          label: functionText(item.code) ?? `${item.code} ${item.name}`,
        }))}
        value={[...fields.functions]}
        onChange={(functions) => setFields({ ...fields, functions })}
        size="xs"
        style={{ flex: '1 1 200px' }}
        data-path="scan_functions"
      />
      <NumberInput
        label={t('scan.start')}
        value={fields.start}
        onChange={set('start')}
        min={0}
        max={65_535}
        w={100}
        data-path="scan_start"
      />
      <NumberInput
        label={t('scan.quantity')}
        value={fields.quantity}
        onChange={set('quantity')}
        min={1}
        max={65_536}
        w={100}
        data-path="scan_quantity"
      />
      <Tooltip label={t('scan.smallestHint')}>
        <NumberInput
          label={t('scan.smallest')}
          value={fields.smallest}
          onChange={set('smallest')}
          min={1}
          max={2000}
          w={90}
          data-path="scan_smallest"
        />
      </Tooltip>
      <GuardedButton
        reason={isStarted ? null : t('notStarted')}
        hint={t('scan.hint')}
        leftSection={<Icon name="search" size={14} />}
        loading={isRunning}
        onClick={() => parsed.success && onStart(parsed.data)}
        testId="scan-start"
      >
        {t('scan.run')}
      </GuardedButton>
    </form>
  );
}
