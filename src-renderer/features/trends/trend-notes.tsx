import { Button } from '@mantine/core';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { POLL, useAction, useOperation } from '../../api/hooks.ts';
import { useWords } from '../../i18n/words.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Icon } from '../../ui/icons.tsx';
import { shownNumber } from '../../ui/number.ts';
import { formatDateTime } from '../../ui/time.ts';
import { placeOf, type TrendItem } from './chart-data.ts';
import { serviceKey, useTrendStore } from './trend-store.ts';
import classes from './trends.module.css';
import type { ServiceState } from './use-curves.ts';

interface TrendNotesProps {
  readonly items: readonly TrendItem[];
  readonly services: readonly ServiceState[];
}

/** What keeps curves from having everything, and what is to be known of them. */
export const TrendNotes = memo(function TrendNotes({ items, services }: TrendNotesProps) {
  const { t } = useTranslation('trends');
  const words = useWords();
  const { data } = useOperation('recordingStatus', {}, { pollMs: POLL.slow });
  return (
    <>
      {data?.suspended ? (
        <div className={`${classes.note} ${classes.warn}`} role="status">
          <Icon name="warn" size={14} /> {t('suspended', { reason: words(data.suspended_message, data.suspended) })}
        </div>
      ) : null}
      {services.map((service) => (
        <ServiceNote key={serviceKey(service.of)} service={service} />
      ))}
      <LiveNotes items={items} />
      {items.some(({ damaged_blocks }) => damaged_blocks > 0) ? (
        <div className={`${classes.note} ${classes.warn}`}>{t('damaged')}</div>
      ) : null}
      {items.some(({ samples }) => samples.kind === 'buckets') ? <div className={classes.note}>{t('together')}</div> : null}
    </>
  );
});

/** Another service that does not answer, and how far its clock is from that of the first one. */
function ServiceNote({ service: { of, error, knownTo, clock } }: { readonly service: ServiceState }) {
  const { t } = useTranslation('trends');
  const words = useWords();
  const points = useTrendStore((state) => state.points);
  const remove = useTrendStore((state) => state.remove);
  if (!of) return null;
  const { name } = of;
  if (error) {
    const reason = words(error.said, error.message);
    const time = knownTo === null ? null : formatDateTime(new Date(knownTo).toISOString());
    const removeAll = () => {
      for (const point of points) if (serviceKey(point.of) === serviceKey(of)) remove(point);
    };
    return (
      <div className={`${classes.note} ${classes.warn}`} role="status" data-testid="trend-service-away">
        <Icon name="warn" size={14} />{' '}
        {time === null ? t('service.away', { name, reason }) : t('service.awaySince', { name, reason, time })}
        <Button size="compact-xs" variant="subtle" style={{ flexShrink: 0 }} onClick={removeAll} data-testid="trend-service-remove">
          {t('service.remove')}
        </Button>
      </div>
    );
  }
  if (!clock) return null;
  const { aheadMs, doubtMs } = clock;
  const inSeconds = (ms: number) => shownNumber((Math.abs(ms) / 1000).toFixed(2));
  const isSame = Math.abs(aheadMs) <= doubtMs;
  const said = { name, seconds: inSeconds(isSame ? doubtMs : aheadMs), doubt: inSeconds(doubtMs) };
  return (
    <div className={isSame ? classes.note : `${classes.note} ${classes.warn}`} role="status" data-testid="trend-service-clock">
      <Icon name={isSame ? 'info' : 'warn'} size={14} /> {t(`service.${isSame ? 'same' : aheadMs > 0 ? 'ahead' : 'behind'}`, said)}
    </div>
  );
}

/** Channels that are not recorded; the recording of another service is switched on there. */
function LiveNotes({ items }: { readonly items: readonly TrendItem[] }) {
  const { t } = useTranslation('trends');
  const record = useAction('setRecording', ['recordingStatus', 'readHistory']);
  const live = new Map(items.filter(({ live_since }) => live_since).map((item) => [placeOf(item), item]));
  return (
    <>
      {[...live].map(([channel, { of, channel_id }]) => (
        <div key={channel} className={classes.note} role="status" data-testid="trend-not-recorded">
          <Icon name="info" size={14} /> {t('notRecorded', { channel })}
          {of ? null : (
            <Button
              size="compact-xs"
              variant="light"
              loading={record.isPending}
              onClick={() => record.mutate({ channel_id, mode: 'changed' })}
              data-testid="trend-record"
            >
              {t('record')}
            </Button>
          )}
        </div>
      ))}
      <ErrorNotice error={record.error} compact />
    </>
  );
}
