import { Group, NumberInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel, ProtocolDescriptor } from '#shared/contract/channels.ts';
import { useAction } from '../../api/hooks.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { useTerms } from '../channels/protocol-facts.ts';
import classes from './tools.module.css';

interface IdentifySectionProps {
  readonly channel: Channel;
  readonly tools: NonNullable<ProtocolDescriptor['tools']>;
}

/** Asks a device who made it, and shows what it says. */
export function IdentifySection({ channel, tools }: IdentifySectionProps) {
  const { t } = useTranslation(['tools', 'fields']);
  const terms = useTerms(channel.protocol_type);
  const [slave, setSlave] = useState<number | string>(1);
  const identify = useAction('identifyDevice');
  const answer = identify.data?.data;
  const hint = t(tools.wildcards ? 'identify.hintMeters' : 'identify.hint');
  const isStarted = channel.status === 'running';
  return (
    <section aria-label={t('identify.title')}>
      <h2 className={classes.title}>{t('identify.title')}</h2>
      <p className={classes.hint}>{hint}</p>
      <Group gap="xs" align="flex-end" mt={6}>
        <NumberInput
          label={tools.wildcards ? t('fields:place.slave', { context: terms.slave }) : t('slave')}
          value={slave}
          onChange={setSlave}
          min={0}
          max={tools.most_address}
          w={tools.most_address > 255 ? 140 : 90}
          data-testid="identify-slave"
        />
        <GuardedButton
          reason={isStarted ? null : t('notStarted')}
          hint={hint}
          variant="default"
          leftSection={<Icon name="info" size={14} />}
          loading={identify.isPending}
          onClick={() => identify.mutate({ channel_id: channel.id, slave_id: Number(slave) })}
          testId="identify-start"
        >
          {t('identify.run')}
        </GuardedButton>
      </Group>
      <div style={{ marginTop: 8 }}>
        <ErrorNotice error={identify.error} compact />
      </div>
      {answer ? (
        <dl className={classes.identity} data-testid="identity">
          {answer.objects.map((object) => (
            <div key={object.id}>
              <dt title={object.hex}>
                {object.id} · {object.name || t('identify.maker')}
              </dt>
              <dd>{object.text || '–'}</dd>
            </div>
          ))}
          {answer.objects.length === 0 ? <dt>{t('identify.empty')}</dt> : null}
          <dt>{t('identify.conformity', { level: answer.conformity })}</dt>
        </dl>
      ) : null}
    </section>
  );
}
