import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProtocolDescriptor } from '#shared/contract/channels.ts';
import type { DocumentDevices } from '#shared/contract/iec61850.ts';
import { formatBytes } from '../../ui/format.ts';
import { guideTo } from '../guide/guide.ts';
import { DocumentDrop } from '../model/document-drop.tsx';
import { DocumentWarnings } from '../model/document-warnings.tsx';
import { type DeviceRow, deviceRows } from './device-rows.ts';
import { DeviceTable } from './device-table.tsx';
import { type DeviceFileState, useDeviceFile } from './use-device-file.ts';

/** What was chosen of a file. */
export interface TakenDevice {
  readonly file: File;
  /** Goes into the setting of the channel that names the device. */
  readonly value: string;
  readonly name: string;
  /** Null: the file has none for it. */
  readonly address: DeviceRow['address'];
}

interface DialogProps {
  readonly descriptor: ProtocolDescriptor;
  readonly facts: NonNullable<ProtocolDescriptor['model']>;
  /** A file that is read at once; null: one is asked for. */
  readonly given: File | null;
  onTake(device: TakenDevice): void;
  onClose(): void;
}

interface FoundProps {
  readonly file: File;
  readonly devices: DocumentDevices;
  readonly state: DeviceFileState;
  onTake(device: TakenDevice): void;
}

/** The devices of the file that was read; the only one is chosen at once. */
function Found({ file, devices, state, onTake }: FoundProps) {
  const { t } = useTranslation('model');
  const rows = useMemo(() => deviceRows(devices), [devices]);
  const [picked, setPicked] = useState<DeviceRow | null>(null);
  const choose = useCallback((row: DeviceRow) => setPicked(row), []);
  const chosen = picked ?? (rows.length === 1 ? (rows[0] ?? null) : null);
  const take = () => {
    if (chosen) onTake({ file, value: chosen.choice.value, name: chosen.device, address: chosen.address });
  };
  return (
    <>
      <Text size="sm" data-testid="device-file-title">
        {`${devices.name} · ${formatBytes(devices.octets)} · ${t('devices.list', { count: devices.choices.length })}`}
      </Text>
      {rows.length > 0 ? <DeviceTable rows={rows} chosen={chosen} onChoose={choose} /> : null}
      {rows.some(({ address }) => address === null) ? (
        <Text size="sm" c="dimmed">
          {t('devices.noAddressHint')}
        </Text>
      ) : null}
      <DocumentWarnings warnings={devices.warnings} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={state.reset}>
          {t('document.other')}
        </Button>
        <Button disabled={!chosen} onClick={take} data-testid="device-take">
          {t('devices.take')}
        </Button>
      </Group>
    </>
  );
}

/** A file from disk, its devices, and the one that a new channel is for. Nothing is stored here. */
export function DeviceFileDialog({ descriptor, facts, given, onTake, onClose }: DialogProps) {
  const { t } = useTranslation(['model', 'app']);
  const state = useDeviceFile(descriptor.protocol_type, facts.max_octets, given);
  return (
    <Modal
      {...guideTo('walk-ied')}
      opened
      onClose={onClose}
      size={920}
      title={t('model:devices.title')}
      closeButtonProps={{ 'aria-label': t('app:action.close') }}
      closeOnClickOutside={false}
    >
      <Stack gap="sm" data-testid="device-file-dialog">
        {state.found && !state.isReading ? (
          <Found {...state.found} state={state} onTake={onTake} />
        ) : (
          <DocumentDrop state={state} facts={facts} hasDocument={false} />
        )}
      </Stack>
    </Modal>
  );
}
