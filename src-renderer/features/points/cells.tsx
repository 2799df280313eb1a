import { memo } from 'react';
import type { Point } from '#shared/contract/points.ts';
import { FrameType, isServing, type Quality } from '#shared/domain/enums.ts';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { formatDateTime } from '../../ui/time.ts';
import { useSeconds } from '../../ui/use-seconds.ts';
import { isOpen, writeObstacle } from '../write/write-rules.ts';
import { useWriteStore } from '../write/write-store.ts';
import type { CellWords } from './cell-words.ts';
import { ageOf, DASH, exactNumber, hasValue, numberText, valueText } from './point-text.ts';
import classes from './points.module.css';
import { shortMarks, timeDetails, valueDetails } from './reading-detail.ts';
import type { RowFacts } from './row-facts.ts';

interface CellProps {
  readonly point: Point;
  readonly words: CellWords;
}

/** The value in the look of its quality; amber with a mark while a write to it is under way. */
export function ValueCell({ point, words }: CellProps) {
  const written = useWriteStore((state) => state.pending[point.id]);
  if (written !== undefined) {
    const text = words.state(written, point.frame_type, numberText(written, point));
    const told = words.t('pending', { value: text });
    return (
      <span className={classes.pending} title={told}>
        <Icon name="send" size={12} label={told} />
        {text}
      </span>
    );
  }
  const title = hasValue(point)
    ? point.value_text || exactNumber(point.value)
    : point.error === null
      ? words.never
      : words.said(point.error_message, point.error);
  return (
    <span className={classes[point.quality]} title={title} data-testid="value">
      {shownValue(point, words)}
    </span>
  );
}

/** States that are no plain 0 or 1, and those the device has words for, are said in the language of the page. */
function shownValue(point: Point, words: CellWords): string {
  const plain = valueText(point);
  const isWord = hasValue(point) && (point.value_text !== '' || (point.frame_type === FrameType.yx && point.value > 1));
  return isWord ? words.state(point.value, point.frame_type, plain, point.value_text) : plain;
}

const QUALITY_ICON: Readonly<Record<Quality, IconName | null>> = { good: null, never: null, stale: 'question', invalid: 'bad' };

/** Quality and limit alarm: word, icon and colour together. */
export function qualityCell(point: Point, words: CellWords) {
  const icon = QUALITY_ICON[point.quality];
  const marks = shortMarks(point);
  // a box of its own to lay out only where something stands beside the word
  const isPlain = icon === null && marks.length === 0 && point.alarm === '';
  if (isPlain)
    return (
      <span className={classes[point.quality]} data-testid="quality">
        {words.quality(point.quality)}
      </span>
    );
  return (
    <span className={`${classes.quality} ${classes[point.quality]}`} data-testid="quality">
      {icon ? <Icon name={icon} size={12} /> : null}
      {words.quality(point.quality)}
      {marks.map((mark) => ` ${mark}`)}
      {point.alarm === '' ? null : (
        <span className={classes.alarm}>
          <Icon name={point.alarm === 'high' ? 'up' : 'down'} size={12} />
          {words.t(`alarm.${point.alarm}`)}
        </span>
      )}
    </span>
  );
}

/** Why a read failed, what the device told beside the value, and the limit that is passed, a line each. */
export function qualityTitle(point: Point, words: CellWords): string | undefined {
  const details = [
    ...(point.error === null ? [] : [words.said(point.error_message, point.error)]),
    ...valueDetails(point, words.events),
    ...(point.alarm === 'low' ? [words.t('alarm.lowLong', { limit: point.min_limit ?? '' })] : []),
    ...(point.alarm === 'high' ? [words.t('alarm.highLong', { limit: point.max_limit ?? '' })] : []),
  ];
  return details.length === 0 ? undefined : details.join('\n');
}

/** How old the value is. */
export const AgeCell = memo(function AgeCell({ at, words }: { readonly at: string | null; readonly words: CellWords }) {
  const age = ageOf(at, useSeconds());
  return age ? words.age(`${age.unit} ${age.count}`) : <span className={classes.muted}>{DASH}</span>;
});

/** The exact times behind an age, a line each. */
export function ageTitle(point: Point, words: CellWords): string | undefined {
  const times = [
    ...(point.updated_at === null ? [] : [words.t('updatedAt', { time: formatDateTime(point.updated_at) })]),
    ...(point.source_time ? [words.t('sourceTime', { time: formatDateTime(point.source_time) })] : []),
    ...timeDetails(point, words.events),
  ];
  return times.length === 0 ? undefined : times.join('\n');
}

interface RowActions {
  onRead(point: Point): void;
  onWrite(point: Point): void;
}

/** Buttons of a row for the mouse; the keyboard has the same actions in the bar above the table and in the menu of the row. */
export function actionsCell(point: Point, words: CellWords, facts: RowFacts, { onRead, onWrite }: RowActions) {
  const obstacle = writeObstacle(facts, point, facts.isServiceReadOnly);
  const write = words.action(isServing(facts.conn_type) ? 'serveLong' : 'writeLong');
  return (
    <>
      {rowButton({
        icon: 'read',
        action: words.action('readLong'),
        code: point.code,
        reason: isOpen(facts) ? null : words.why('notStarted'),
        onClick: () => onRead(point),
      })}
      {obstacle === 'notCommand'
        ? null
        : rowButton({
            icon: 'send',
            action: write,
            code: point.code,
            reason: obstacle ? words.why(obstacle) : null,
            onClick: () => onWrite(point),
          })}
    </>
  );
}

interface RowButton {
  readonly icon: 'read' | 'send';
  readonly action: ReturnType<CellWords['action']>;
  readonly code: string;
  /** Why it cannot be pressed; null when it can. */
  readonly reason: string | null;
  onClick(): void;
}

/** A button of a row: a plain one with its icon as its ground, for a table has many of them. */
function rowButton({ icon, action, code, reason, onClick }: RowButton) {
  return (
    <button
      type="button"
      className={`${classes.rowButton} ${classes[icon]}`}
      tabIndex={-1}
      disabled={reason !== null}
      title={reason ?? action.words}
      aria-label={action.forPoint(code)}
      onClick={onClick}
    />
  );
}
