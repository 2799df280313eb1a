import { MultiSelect, NumberInput, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel, ProtocolDescriptor } from '#shared/contract/channels.ts';
import type { InputOf } from '#shared/contract/index.ts';
import { type FindJob, ScanBody } from '#shared/contract/jobs.ts';
import { useOperation } from '../../api/hooks.ts';
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
  /** Null: the one that is meant as long as nobody says another. */
  readonly slave: number | string | null;
  readonly functions: readonly string[];
  readonly start: number | string;
  readonly quantity: number | string;
  readonly smallest: number | string;
}

const INITIAL: Fields = { slave: null, functions: ['3'], start: 0, quantity: 1000, smallest: 1 };

/** The slave that is probably meant: one that has answered on this channel, else one that a search found at its address, else 1. */
function useUsualSlave({ id, ip, port, com_port }: Channel): number {
  const stats = useOperation('lineStats', { channel_id: id }).data;
  const jobs = useOperation('listJobs', {}).data;
  const answering = stats?.slaves.find(({ responses }) => responses > 0)?.slave_id;
  if (answering !== undefined) return answering;
  const isHere = (found: FindJob['channel']) =>
    found !== null && (com_port === null ? found.ip === ip && found.port === port : found.com_port === com_port);
  const search = jobs?.find((job): job is FindJob => job.kind === 'find' && isHere(job.channel));
  return search?.findings[0]?.slave_id ?? 1;
}

/** Which registers to scan. */
export function ScanForm({ channel, tools, isRunning, onStart }: ScanFormProps) {
  const { t } = useTranslation('tools');
  const functionText = useFunctionText();
  const [fields, setFields] = useState(INITIAL);
  const usualSlave = useUsualSlave(channel);
  const slave = fields.slave ?? usualSlave;
  const set = (key: keyof Fields) => (value: number | string) => setFields({ ...fields, [key]: value });
  const parsed = ScanBody.safeParse({
    channel_id: channel.id,
    slave_id: slave,
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
      <NumberInput label={t('slave')} value={slave} onChange={set('slave')} min={0} max={255} w={76} data-path="scan_slave" />
      <MultiSelect
        label={t('scan.functions')}
        data={tools.scan_functions.map((item) => ({
          value: String(item.code),
          label: functionText(item.code) ?? `${item.code} ${item.name}`,
        }))}
        value={[...fields.functions]}
        onChange={(functions) => setFields({ ...fields, functions })}
        size="xs"
        style={{ flex: '1 1 200px', maxWidth: 520 }}
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
          w={116}
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
