import { Button, Group, Modal, NumberInput, Select, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ScanJob, ScanRow } from '#shared/contract/jobs.ts';
import { describeDecode } from '#shared/domain/decode.ts';
import { useAction } from '../../api/hooks.ts';
import { useSetTab } from '../../app/area.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { guideTo } from '../guide/guide.ts';
import { MAX_NEW_POINTS, type MakeForm, pointsFrom, SCAN_DECODES } from './scan-model.ts';

interface MakePointsDialogProps {
  readonly channelId: number;
  readonly job: ScanJob;
  readonly rows: readonly ScanRow[];
  onClose(): void;
}

function initial(job: ScanJob, rows: readonly ScanRow[]): MakeForm {
  const functionCode = rows[0]?.func_code ?? job.func_codes[0] ?? 3;
  return { functionCode, decode: '0x20', prefix: `S${job.slave_id}F${functionCode}_`, from: job.start, to: job.start + job.quantity - 1 };
}

function Fields({ form, job, onChange }: { readonly form: MakeForm; readonly job: ScanJob; onChange(form: MakeForm): void }) {
  const { t } = useTranslation('tools');
  const number = (value: number | string) => (value === '' ? 0 : Number(value));
  return (
    <>
      <Group grow align="flex-start" gap="sm">
        <Select
          label={t('make.function')}
          data={job.func_codes.map(String)}
          value={String(form.functionCode)}
          onChange={(value) => value && onChange({ ...form, functionCode: Number(value), prefix: `S${job.slave_id}F${value}_` })}
          allowDeselect={false}
        />
        <Select
          label={t('make.decode')}
          data={SCAN_DECODES.map((code) => ({ value: code, label: describeDecode(code) }))}
          value={form.functionCode <= 2 ? null : form.decode}
          onChange={(value) => value && onChange({ ...form, decode: value })}
          disabled={form.functionCode <= 2}
          allowDeselect={false}
          data-path="make_decode"
        />
        <TextInput
          label={t('make.prefix')}
          value={form.prefix}
          onChange={(event) => onChange({ ...form, prefix: event.currentTarget.value })}
          maxLength={40}
        />
      </Group>
      <Group grow align="flex-start" gap="sm">
        <NumberInput
          label={t('make.from')}
          value={form.from}
          onChange={(value) => onChange({ ...form, from: number(value) })}
          min={0}
          max={65_535}
          data-path="make_from"
        />
        <NumberInput
          label={t('make.to')}
          value={form.to}
          onChange={(value) => onChange({ ...form, to: number(value) })}
          min={0}
          max={65_535}
          data-path="make_to"
        />
      </Group>
    </>
  );
}

/** Makes points of the table out of scanned registers: one behind the other, with one decode. */
export function MakePointsDialog({ channelId, job, rows, onClose }: MakePointsDialogProps) {
  const { t } = useTranslation(['tools', 'app']);
  const [form, setForm] = useState(() => initial(job, rows));
  const add = useAction('addPoints', ['pointTable', 'listChannels', 'projectInfo']);
  const setTab = useSetTab();
  const points = pointsFrom(rows, form, job.slave_id);
  const [first, last] = [points[0]?.code ?? '', points.at(-1)?.code ?? ''];
  const submit = () =>
    add.mutate(
      { channel_id: channelId, points },
      {
        onSuccess: ({ data }) => {
          notifyDone(t('tools:make.done', { count: data.items.length }));
          onClose();
          setTab('points');
        },
      },
    );
  const isTooMany = points.length > MAX_NEW_POINTS;
  const preview = isTooMany
    ? t('tools:make.tooMany', { count: points.length, max: MAX_NEW_POINTS })
    : points.length > 0
      ? t('tools:make.preview', { count: points.length, first, last })
      : t('tools:make.none');
  return (
    <Modal
      {...guideTo('doctor')}
      opened
      onClose={onClose}
      size={620}
      title={t('tools:make.title')}
      closeButtonProps={{ 'aria-label': t('app:action.close') }}
    >
      <Stack gap="sm">
        <Fields form={form} job={job} onChange={setForm} />
        <Text role="status" data-testid="make-preview" style={{ overflowWrap: 'anywhere' }}>
          {preview}
        </Text>
        <ErrorNotice error={add.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('app:action.cancel')}
          </Button>
          <Button disabled={points.length === 0 || isTooMany} loading={add.isPending} onClick={submit} data-testid="make-add">
            {t('tools:make.add')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
