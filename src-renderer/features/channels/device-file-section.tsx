import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isServing } from '#shared/domain/enums.ts';
import { Icon } from '../../ui/icons.tsx';
import { DeviceFileDialog } from '../device-file/device-file-dialog.tsx';
import type { ChannelFormState } from './use-channel-form.ts';

/** Fills a new channel in from a file that describes its device; the file goes with the channel. Nothing where the protocol knows no such files. */
export function DeviceFileSection({
  state,
  isOpenAtFirst = false,
  given = null,
}: {
  readonly state: ChannelFormState;
  readonly isOpenAtFirst?: boolean;
  /** A file that is looked at at once. */
  readonly given?: File | null;
}) {
  const { t } = useTranslation('channels');
  const [isOpen, setOpen] = useState(isOpenAtFirst || given !== null);
  const { deviceFile, descriptor, connType } = state;
  const facts = descriptor.model;
  if (!deviceFile || !facts || facts.extensions.length === 0) return null;
  const { taken } = deviceFile;
  const isWithout = taken !== null && taken.address === null && !isServing(connType);
  return (
    <>
      <Group gap="xs" data-testid="device-file">
        <Button
          variant="default"
          leftSection={<Icon name="upload" size={14} />}
          onClick={() => setOpen(true)}
          data-testid="device-file-open"
        >
          {t(taken ? 'fromFile.other' : 'fromFile.open')}
        </Button>
        {taken ? (
          <>
            <Text size="sm" style={{ overflowWrap: 'anywhere', flex: 1 }} data-testid="device-file-taken">
              {t('fromFile.taken', { device: taken.value, file: taken.file.name })}
              {isWithout ? ` ${t('fromFile.noAddress')}` : ''}
            </Text>
            <Button variant="subtle" onClick={deviceFile.drop} data-testid="device-file-drop">
              {t('fromFile.drop')}
            </Button>
          </>
        ) : (
          <Text size="sm" c="dimmed">
            {t('fromFile.hint')}
          </Text>
        )}
      </Group>
      {isOpen ? (
        <DeviceFileDialog
          descriptor={descriptor}
          facts={facts}
          given={taken === null ? given : null}
          onTake={(device) => {
            deviceFile.take(device);
            setOpen(false);
          }}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  );
}
