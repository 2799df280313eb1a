import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { CheckResult } from '#shared/contract/check.ts';
import { channelPlace } from '#shared/domain/check-place.ts';
import { english } from '#shared/messages/index.ts';
import { useWords } from '../../i18n/words.ts';
import { Icon } from '../../ui/icons.tsx';
import { toneClass } from '../../ui/status-badge.tsx';
import { formatTime } from '../../ui/time.ts';
import { useSeconds } from '../../ui/use-seconds.ts';
import { ageOf, exactNumber, FRAME_TYPE_LETTERS, shortNumber } from '../points/point-text.ts';
import { codeOfResult, seenText, useExpectationText, useFindingText, VERDICT_LOOK } from './check-text.ts';
import classes from './guided.module.css';
import type { Guided, GuidedItem } from './use-guided.ts';

/** Value, quality and age, readable at arm's length. */
function Present({ item }: { readonly item: GuidedItem }) {
  const { t } = useTranslation(['check', 'points']);
  const seconds = useSeconds();
  const { now } = item;
  const value = now ? seenText(now) : null;
  const quality = now?.quality ?? 'never';
  const known =
    quality === 'good' || quality === 'stale' || quality === 'invalid' || quality === 'never' ? t(`points:quality.${quality}`) : quality;
  const age = ageOf(now?.arrived_at ?? now?.received_at ?? null, seconds);
  const isGood = quality === 'good';
  return (
    <div className={classes.present}>
      <div className={classes.value} data-testid="guided-value" data-quality={quality}>
        {value ?? '–'}
        {now?.unit && value !== null ? <span className={classes.unit}>{now.unit}</span> : null}
      </div>
      <div className={classes.quality}>
        <span className={toneClass(isGood ? 'ok' : 'warn')}>
          <Icon name={isGood ? 'ok' : 'warn'} size={20} /> {[known, ...(now?.flags ?? [])].join(' ')}
        </span>
        <span className={classes.muted}>
          {age ? t('check:guided.age', { age: t(`points:age.${age.unit}`, { count: age.count }) }) : t('check:guided.never')}
        </span>
      </div>
    </div>
  );
}

/** What has to be seen, and what of it was seen already. */
function Wanted({ item }: { readonly item: GuidedItem }) {
  const { t } = useTranslation('check');
  const text = useExpectationText();
  return (
    <div className={classes.wanted} data-testid="guided-wanted">
      <span className={classes.label}>{t('guided.expected')}</span>
      <span>{text(item.expectation)}</span>
      {item.wanted.map(({ value, is_seen }) => (
        <span key={value} className={`${classes.chip} ${is_seen ? toneClass('ok') : classes.muted}`} data-seen={is_seen}>
          <Icon name={is_seen ? 'ok' : 'idle'} size={18} /> {exactNumber(value)} {t(is_seen ? 'guided.seen' : 'guided.open')}
        </span>
      ))}
    </div>
  );
}

/** What the program waits for. */
export function Status({ item, isSending }: { readonly item: GuidedItem; readonly isSending: boolean }) {
  const { t } = useTranslation('check');
  const said = useWords();
  const { kind } = item.expectation;
  const words = () => {
    if (isSending) return t('guided.sending');
    if (item.trouble) return said(item.trouble, english(item.trouble));
    if (!item.is_there) return t('guided.gone');
    if (kind === 'command' || kind === 'setpoint')
      return item.service === undefined ? t('guided.toSend') : t('guided.sentThere', { service: item.service });
    if (item.is_moving) return t('guided.moving');
    if (item.is_watched && !item.is_ready) return t('guided.notReady');
    return t(item.is_watched ? 'guided.waiting' : 'guided.asks');
  };
  return (
    <>
      <Icon name={item.is_moving || (item.is_watched && !item.is_ready) ? 'busy' : 'info'} size={20} /> {words()}
    </>
  );
}

/** An item that is being checked, with what is to be said of it below. */
export function RunItemView({ item, children }: { readonly item: GuidedItem; readonly children: ReactNode }) {
  const place = [channelPlace(item), FRAME_TYPE_LETTERS[item.frame_type], item.group].filter((part) => part !== '').join(' · ');
  return (
    <div className={classes.item}>
      <div className={classes.place}>{place}</div>
      <div className={classes.code} data-testid="guided-code">
        {item.code}
      </div>
      <div className={classes.name}>{item.name}</div>
      <Present item={item} />
      <Wanted item={item} />
      <div className={classes.status} role="status" data-testid="guided-status" data-ready={item.is_ready}>
        {children}
      </div>
    </div>
  );
}

/** The last results of a run, the newest first, with what was found. */
export function LastResults({ results }: { readonly results: readonly CheckResult[] }) {
  const { t } = useTranslation('check');
  const finding = useFindingText();
  return (
    <section>
      <h2 className={classes.heading}>{t('guided.last')}</h2>
      {results.length === 0 ? <p className={`${classes.line} ${classes.muted}`}>{t('guided.lastNone')}</p> : null}
      {results.map((result) => {
        const { tone, icon } = VERDICT_LOOK[result.verdict];
        const more = [...result.findings.map(finding), result.remark].filter((part) => part !== '').join(' · ');
        return (
          <div key={result.digest} className={classes.result} data-testid="guided-result" data-verdict={result.verdict}>
            <span className={toneClass(tone)}>
              <Icon name={icon} size={18} /> {t(`verdict.${result.verdict}`)}
            </span>
            <b>{codeOfResult(result)}</b>
            <span className={classes.muted}>{formatTime(result.at).slice(0, 8)}</span>
            {more === '' ? null : <span className={classes.more}>{more}</span>}
          </div>
        );
      })}
    </section>
  );
}

/** What is suspected of an item before it is decided. */
export function Suspects({ item }: { readonly item: GuidedItem | null }) {
  const { t } = useTranslation('check');
  const finding = useFindingText();
  if (!item || item.hint.length === 0) return null;
  return (
    <section>
      <h2 className={classes.heading}>{t('guided.suspects')}</h2>
      {item.hint.map((each) => (
        <p key={each.text} className={`${classes.line} ${toneClass('warn')}`}>
          {finding(each)}
        </p>
      ))}
    </section>
  );
}

/** What moved beside the item, what is suspected, and the last results. */
export function GuidedAside({ guided }: { readonly guided: Guided }) {
  const { t } = useTranslation('check');
  const { item, run } = guided;
  return (
    <aside className={classes.aside}>
      <Suspects item={item} />
      <section>
        <h2 className={classes.heading}>{t('guided.others')}</h2>
        {item && item.others.length > 0 ? (
          item.others.slice(0, 5).map(({ item: id, code, before, after }) => (
            <p key={id} className={classes.line}>
              <b>{code}</b> {shortNumber(before)} → {shortNumber(after)}
            </p>
          ))
        ) : (
          <p className={`${classes.line} ${classes.muted}`}>{t('guided.othersNone')}</p>
        )}
      </section>
      <LastResults results={run?.results ?? []} />
    </aside>
  );
}
