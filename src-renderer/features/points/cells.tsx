import { Tooltip } from '@mantine/core';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Point } from '#shared/contract/points.ts';
import { type FrameType, isServing, type Quality } from '#shared/domain/enums.ts';
import { useWords } from '../../i18n/words.ts';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { formatDateTime } from '../../ui/time.ts';
import { useSeconds } from '../../ui/use-seconds.ts';
import { useStateText } from '../write/value-words.ts';
import { isOpen, writeObstacle } from '../write/write-rules.ts';
import { useWriteStore } from '../write/write-store.ts';
import { ageOf, DASH, exactNumber, FRAME_TYPE_LETTERS, hasValue, numberText, valueText } from './point-text.ts';
import classes from './points.module.css';
import { shortMarks, timeDetails, valueDetails } from './reading-detail.ts';
import type { RowFacts } from './row-facts.ts';

const TYPE_WORDS = { 0: 'types.yc', 1: 'types.yx', 2: 'types.yk', 3: 'types.yt' } as const satisfies Record<FrameType, string>;

/** YC, YX, YK or YT, with its meaning as title. */
export const TypeCell = memo(function TypeCell({ type }: { readonly type: FrameType }) {
  const { t } = useTranslation('points');
  return <span title={t(TYPE_WORDS[type])}>{FRAME_TYPE_LETTERS[type]}</span>;
});

/** The value in the look of its quality; amber with a mark while a write to it is under way. */
export function ValueCell({ point }: { readonly point: Point }) {
  const { t } = useTranslation('points');
  const words = useWords();
  const stateText = useStateText();
  const written = useWriteStore((state) => state.pending[point.id]);
  if (written !== undefined) {
    const text = stateText(written, point.frame_type, numberText(written, point));
    return (
      <span className={classes.pending} title={t('pending', { value: text })}>
        <Icon name="send" size={12} label={t('pending', { value: text })} />
        {text}
      </span>
    );
  }
  const title = hasValue(point)
    ? point.value_text || exactNumber(point.value)
    : point.error === null
      ? t('never')
      : words(point.error_message, point.error);
  return (
    <span className={classes[point.quality]} title={title} data-testid="value">
      {valueText(point)}
    </span>
  );
}

const QUALITY_ICON: Readonly<Record<Quality, IconName | null>> = { good: null, never: null, stale: 'question', invalid: 'bad' };

/** Quality and limit alarm: word, icon and colour together; why a read failed is told on hover and focus of the row. */
export function QualityCell({ point }: { readonly point: Point }) {
  const { t } = useTranslation('points');
  const { t: events } = useTranslation('events');
  const words = useWords();
  const icon = QUALITY_ICON[point.quality];
  const details = [
    point.error === null ? null : words(point.error_message, point.error),
    ...valueDetails(point, events),
    point.alarm === 'low' ? t('alarm.lowLong', { limit: point.min_limit ?? '' }) : null,
    point.alarm === 'high' ? t('alarm.highLong', { limit: point.max_limit ?? '' }) : null,
  ].filter((text) => text !== null);
  const content = (
    <span className={`${classes.quality} ${classes[point.quality]}`} data-testid="quality">
      {icon ? <Icon name={icon} size={12} /> : null}
      {t(`quality.${point.quality}`)}
      {shortMarks(point).map((mark) => ` ${mark}`)}
      {point.alarm === '' ? null : (
        <span className={classes.alarm}>
          <Icon name={point.alarm === 'high' ? 'up' : 'down'} size={12} />
          {t(`alarm.${point.alarm}`)}
        </span>
      )}
    </span>
  );
  if (details.length === 0) return content;
  return <Tooltip label={<span className={classes.lines}>{details.join('\n')}</span>}>{content}</Tooltip>;
}

/** How old the value is; the exact times as title. */
export function AgeCell({ point }: { readonly point: Point }) {
  const { t } = useTranslation('points');
  const { t: events } = useTranslation('events');
  const age = ageOf(point.updated_at, useSeconds());
  const times = [
    ...(age ? [t('updatedAt', { time: formatDateTime(point.updated_at) })] : []),
    ...(point.source_time ? [t('sourceTime', { time: formatDateTime(point.source_time) })] : []),
    ...timeDetails(point, events),
  ];
  return (
    <span title={times.join('\n')} className={age ? undefined : classes.muted}>
      {age ? t(`age.${age.unit}`, { count: age.count }) : DASH}
    </span>
  );
}

interface ActionsCellProps {
  readonly point: Point;
  readonly facts: RowFacts;
  onRead(point: Point): void;
  onWrite(point: Point): void;
}

/** Buttons of a row for the mouse; the keyboard has the same actions in the bar above the table and in the menu of the row. */
export function ActionsCell({ point, facts, onRead, onWrite }: ActionsCellProps) {
  const { t } = useTranslation('points');
  const obstacle = writeObstacle(facts, point, facts.isServiceReadOnly);
  return (
    <span className={classes.actions}>
      <RowButton
        icon="read"
        code={point.code}
        label={t('action.readLong')}
        reason={isOpen(facts) ? null : t('why.notStarted')}
        onClick={() => onRead(point)}
      />
      {obstacle === 'notCommand' ? null : (
        <RowButton
          icon="send"
          code={point.code}
          label={isServing(facts.conn_type) ? t('action.serveLong') : t('action.writeLong')}
          reason={obstacle ? t(`why.${obstacle}`) : null}
          onClick={() => onWrite(point)}
        />
      )}
    </span>
  );
}

interface RowButtonProps {
  readonly icon: 'read' | 'send';
  readonly code: string;
  readonly label: string;
  /** Why it cannot be pressed; null when it can. */
  readonly reason: string | null;
  onClick(): void;
}

/** A button of a row: a plain one, for a table has many of them. */
function RowButton({ icon, code, label, reason, onClick }: RowButtonProps) {
  const { t } = useTranslation('points');
  return (
    <button
      type="button"
      className={classes.rowButton}
      tabIndex={-1}
      disabled={reason !== null}
      title={reason ?? label}
      aria-label={t('action.forPoint', { action: label, code })}
      onClick={onClick}
    >
      <Icon name={icon} size={14} />
    </button>
  );
}
