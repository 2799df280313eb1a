import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { isServing } from '#shared/domain/enums.ts';
import type { FormRecord } from '../../ui/form/record-form.ts';
import { addressText } from '../channels/channel-text.ts';
import writeClasses from '../write/write.module.css';
import type { Operation } from './operation-model.ts';
import { useOperationText } from './operation-text.ts';

interface OperationConfirmProps {
  readonly channel: Channel;
  readonly operation: Operation;
  readonly params: FormRecord;
  onSend(): void;
  onClose(): void;
}

/** The whole sentence to agree to before something is changed in a device. */
export function OperationConfirm({ channel, operation, params, onSend, onClose }: OperationConfirmProps) {
  const { t } = useTranslation(['operations', 'app', 'fields']);
  const { nameOf, paramOf, valueText } = useOperationText();
  const name = nameOf(operation.name);
  const given = Object.entries(params).map(([key, value]) => `${paramOf(key, operation.name)}: ${valueText(key, value)}`);
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t('operations:confirmTitle')}
      closeButtonProps={{ 'aria-label': t('app:action.close') }}
    >
      <Stack gap="sm">
        <dl className={writeClasses.target} data-testid="operation-target">
          <dt>{t('operations:channel')}</dt>
          <dd>{channel.name}</dd>
          <dt>{t('fields:place.address')}</dt>
          <dd>{addressText(channel)}</dd>
          <dt>{t('operations:operation')}</dt>
          <dd>
            <b>{name}</b>
          </dd>
          <dt>{t('operations:params')}</dt>
          <dd>{given.join(' · ') || '–'}</dd>
        </dl>
        <Text className={writeClasses.confirmText ?? ''} data-testid="operation-confirm-text">
          {t('operations:confirm', { operation: name, channel: channel.name, address: addressText(channel) })}
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t('operations:back')}
          </Button>
          <Button color={isServing(channel.conn_type) ? 'steel' : 'amber'} onClick={onSend} data-testid="operation-send">
            {t('operations:send')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
