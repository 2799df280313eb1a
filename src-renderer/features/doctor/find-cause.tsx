import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { isServing } from '#shared/domain/enums.ts';
import { Icon } from '../../ui/icons.tsx';
import { useDoctor } from './use-doctor.ts';

interface FindCauseProps {
  readonly channel: Channel;
  /** Slaves, meters or common addresses it is about; empty: those of the point table. */
  readonly slaveIds: readonly number[];
  readonly testId: string;
}

/** Opens the connection doctor where a fault is told, for the slave that it is about. Nothing on a channel that asks nobody. */
export function FindCause({ channel, slaveIds, testId }: FindCauseProps) {
  const { t } = useTranslation('doctor');
  const openDoctor = useDoctor();
  if (isServing(channel.conn_type)) return null;
  return (
    <Button
      variant="subtle"
      size="compact-xs"
      flex="none"
      leftSection={<Icon name="doctor" size={14} />}
      aria-label={t('cause')}
      title={t('cause')}
      onClick={() => openDoctor(channel, slaveIds)}
      data-testid={testId}
    >
      {t('cause')}
    </Button>
  );
}
