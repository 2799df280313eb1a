import { VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { RemoteChannel } from '#shared/contract/remotes.ts';
import { english } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { shownService, showService } from '../../api/service-place.ts';
import { useWords } from '../../i18n/words.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import classes from '../channels/channel-list.module.css';
import { STATUS_ICON, STATUS_TONE } from '../channels/channel-text.ts';
import { useOwnChannels, useRemoteViews } from './use-remotes.ts';

interface ServiceGroupProps {
  /** Null: the service that the page came from. */
  readonly id: number | null;
  readonly name: string;
  readonly address: string;
  readonly trouble: Message | null;
  readonly channels: readonly RemoteChannel[];
}

function ServiceGroup({ id, name, address, trouble, channels }: ServiceGroupProps) {
  const { t } = useTranslation(['remotes', 'channels']);
  const words = useWords();
  return (
    <li data-service={name}>
      <div className={`${classes.item} ${classes.service}`}>
        <button
          type="button"
          className={classes.choose}
          title={trouble ? words(trouble, english(trouble)) : address}
          onClick={() => showService(id)}
        >
          <span className={`${classes.name} lc-ellipsis`}>{name}</span>
          <span className={classes.state}>
            <StatusBadge tone={trouble ? 'bad' : 'ok'} icon="server">
              <VisuallyHidden>{t(trouble ? 'remotes:unreached' : 'remotes:reached')}</VisuallyHidden>
            </StatusBadge>
          </span>
          <span className={trouble ? `${classes.hint} ${classes.hintBad}` : classes.hint}>
            {trouble ? t('remotes:unreached') : id === null ? '' : address.replace(/^https?:\/\//, '')}
          </span>
        </button>
      </div>
      <ul className={classes.inner} aria-label={name}>
        {channels.map((channel) => (
          <li key={channel.id} className={classes.item} data-remote-channel={channel.name}>
            <button
              type="button"
              className={`${classes.choose} ${classes.ofService}`}
              title={`${name} · ${channel.name} · ${t(`channels:status.${channel.status}`)}`}
              onClick={() => showService(id, channel.id)}
            >
              <span className={`${classes.name} lc-ellipsis`}>{channel.name}</span>
              <span className={classes.state}>
                <StatusBadge tone={STATUS_TONE[channel.status]} icon={STATUS_ICON[channel.status]}>
                  <VisuallyHidden>{t(`channels:status.${channel.status}`)}</VisuallyHidden>
                </StatusBadge>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </li>
  );
}

/** The other services with their channels, below those of the shown one; to change to one of them. Draws nothing where there is none. */
export function OtherServices() {
  const { t } = useTranslation('remotes');
  const views = useRemoteViews();
  const own = useOwnChannels();
  const others = views.filter(({ id }) => id !== shownService);
  if (others.length === 0 && shownService === null) return null;
  return (
    <>
      <li className={classes.servicesHead}>{t('title')}</li>
      {shownService === null ? null : <ServiceGroup id={null} name={t('own')} address={t('ownHint')} trouble={null} channels={own} />}
      {others.map((view) => (
        <ServiceGroup key={view.id} {...view} />
      ))}
    </>
  );
}
