import { ActionIcon } from '@mantine/core';
import { memo, type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { Point } from '#shared/contract/points.ts';
import { hexAddress } from '#shared/domain/notation.ts';
import { POLL, useOperation } from '../../api/hooks.ts';
import { useKeyHint } from '../../commands/registry.ts';
import { useWords } from '../../i18n/words.ts';
import { formatHex, modbusReference } from '../../ui/address.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Icon } from '../../ui/icons.tsx';
import { PaneEdge, usePaneWidth } from '../../ui/split-pane.tsx';
import { formatDateTime } from '../../ui/time.ts';
import { useNotation } from '../channels/protocol-facts.ts';
import { PointCheckFacts } from '../check/point-check-cell.tsx';
import { DASH, FRAME_TYPE_LETTERS, rawText, valueText } from '../points/point-text.ts';
import { timeDetails, valueDetails } from '../points/reading-detail.ts';
import { useRowText } from '../write/value-words.ts';
import { FramesSection } from './frames-section.tsx';
import classes from './inspector.module.css';
import { INSPECTOR } from './inspector-place.tsx';
import { useInspectorStore } from './inspector-store.ts';
import { ReadingsSection } from './readings-section.tsx';
import { SeveralPoints } from './several-points.tsx';
import { Trend } from './trend.tsx';
import { useRested } from './use-rested.ts';

interface InspectorProps {
  readonly channel: Channel;
  /** As it was when it was chosen; null while none is. */
  readonly chosen: Point | null;
  /** In place of it where more than one is selected. */
  readonly several?: Omit<Parameters<typeof SeveralPoints>[0], 'channel'> | null;
  /** The buttons of the point as it is now. */
  actionsOf(point: Point): ReactNode;
  /** The settings of the point were changed. */
  onTakenOver(point: Point): void;
}

/** All that is known of one point, at arm's length: value, quality and why, times, octets and what else they may mean. */
export function Inspector({ channel, chosen, several = null, actionsOf, onTakenOver }: InspectorProps) {
  const { t } = useTranslation('inspector');
  const width = usePaneWidth(INSPECTOR);
  return (
    <aside className={classes.root} style={{ width }} aria-label={t('title')}>
      <PaneEdge size={INSPECTOR} label={t('edge')} side="left" />
      <div className={classes.inside}>
        <header className={classes.head}>
          <span className={`${classes.code} lc-ellipsis`} title={several ? undefined : chosen?.code}>
            {chosen && !several ? `${FRAME_TYPE_LETTERS[chosen.frame_type]} ${chosen.code}` : t('title')}
          </span>
          <CloseButton />
        </header>
        {several ? (
          <SeveralPoints channel={channel} {...several} />
        ) : chosen ? (
          <Inspected {...{ channel, chosen, actionsOf, onTakenOver }} />
        ) : (
          <p className={`${classes.body} ${classes.muted}`}>{t('none')}</p>
        )}
      </div>
    </aside>
  );
}

const CloseButton = memo(function CloseButton() {
  const { t } = useTranslation('inspector');
  const { toggle } = useInspectorStore.getState();
  const key = useKeyHint('inspector');
  return (
    <ActionIcon size="sm" aria-label={t('close')} title={`${t('close')}${key}`} onClick={toggle}>
      <Icon name="close" size={14} />
    </ActionIcon>
  );
});

/**
 * The point, asked for by itself: the table around it may be scrolled away, sorted anew or narrowed. While the keyboard goes from row to row it shows what the
 * table has of them, in the same elements; the rest is asked for where it stays.
 */
function Inspected({ channel, chosen, actionsOf, onTakenOver }: InspectorProps & { readonly chosen: Point }) {
  const { asked, isRested } = useRested(chosen);
  const readings = useOperation('pointReadings', asked, { pollMs: POLL.table });
  // what came before belongs to another point
  const found = isRested && !readings.isPlaceholderData ? readings : null;
  if (found?.error) {
    return (
      <div className={classes.body}>
        <ErrorNotice error={found.error} compact />
      </div>
    );
  }
  const point = found?.data?.point ?? chosen;
  return (
    <div className={classes.body}>
      <Reading point={point} />
      {isRested ? <PointCheckFacts key={`check ${chosen.id}`} point={point} /> : null}
      <div className={classes.actions}>{actionsOf(point)}</div>
      {isRested ? <Trend key={`trend ${chosen.id}`} point={point} /> : null}
      <FactList channel={channel} point={point} isRested={isRested} />
      {isRested ? (
        <ReadingsSection
          key={`readings ${chosen.id}`}
          point={point}
          items={found?.data?.items ?? null}
          onTakenOver={() => onTakenOver(point)}
        />
      ) : null}
      {isRested ? <FramesSection key={`frames ${chosen.id}`} point={point} /> : null}
    </div>
  );
}

/** Name, value and quality. */
function Reading({ point }: { readonly point: Point }) {
  const { t } = useTranslation('points');
  const { t: events } = useTranslation('events');
  const words = useWords();
  const rowText = useRowText();
  const details = [...(point.error === null ? [] : [words(point.error_message, point.error)]), ...valueDetails(point, events)];
  return (
    <section>
      <div className={classes.name}>{point.name}</div>
      <div className={`${classes.value} ${point.quality === 'good' ? '' : classes.doubtful}`} data-testid="inspector-value">
        {rowText(point, valueText(point))} <span className={classes.unit}>{point.unit}</span>
      </div>
      <div className={point.quality === 'invalid' ? classes.bad : classes.muted} data-testid="inspector-quality">
        {t(`quality.${point.quality}`)}
        {point.alarm === '' ? '' : ` · ${t(`alarm.${point.alarm}`)}`}
      </div>
      {details.map((text) => (
        <div key={text} className={classes.detail}>
          {text}
        </div>
      ))}
    </section>
  );
}

/** Times, addresses in every notation, octets and the related point. */
function FactList({ channel, point, isRested }: { readonly channel: Channel; readonly point: Point; readonly isRested: boolean }) {
  const { t } = useTranslation('inspector');
  const { t: events } = useTranslation('events');
  const address = useAddressText(channel, point);
  return (
    <dl className={classes.facts}>
      <Fact name={t('received')}>{formatDateTime(point.updated_at)}</Fact>
      {point.source_time === null ? null : <Fact name={t('deviceTime')}>{formatDateTime(point.source_time)}</Fact>}
      {timeDetails(point, events).map((text) => (
        <Fact key={text} name="">
          {text}
        </Fact>
      ))}
      <Fact name={t('address')}>{address}</Fact>
      <Fact name={t('raw')}>{point.raw_hex === '' ? DASH : <span className="lc-mono">{rawText(point.raw_hex)}</span>}</Fact>
      {point.related_code === '' ? null : (
        <Fact name={t('related')}>{isRested ? <Related key={point.id} point={point} /> : point.related_code}</Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The address in each notation of its protocol. */
function useAddressText(channel: Channel, point: Point): string {
  const { t } = useTranslation('inspector');
  const notation = useNotation(channel.protocol_type);
  return useMemo(() => {
    if (notation.address.form === 'reference') return point.reference;
    const { address, func_code: funcCode } = point;
    const wire = address - channel.address_base;
    const reference = notation.address.form === 'decimal' ? modbusReference(wire, funcCode) : null;
    return [
      ...(notation.address.form === 'decimal' ? [String(address)] : []),
      hexAddress(address, notation),
      ...(reference === null ? [] : [reference]),
      ...(channel.address_base !== 0 && wire >= 0 ? [t('onWire', { address: `${wire} ${formatHex(wire)}` })] : []),
    ].join(' · ');
  }, [t, notation, channel.address_base, point]);
}

/** Code and value of the related point. */
function Related({ point }: { readonly point: Point }) {
  const { t } = useTranslation('inspector');
  const rowText = useRowText();
  const query = { channel_id: point.channel_id, page: 1, page_size: 1000, search: point.related_code };
  const rows = useOperation('pointTable', query, { pollMs: POLL.table });
  const related = rows.data?.items.find(({ code }) => code === point.related_code);
  if (!rows.data || rows.isPlaceholderData) return point.related_code;
  return related
    ? `${related.code}: ${rowText(related, valueText(related))} ${related.unit}`.trim()
    : t('noRelated', { code: point.related_code });
}
