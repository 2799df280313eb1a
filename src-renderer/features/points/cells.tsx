import { ActionIcon, Tooltip } from '@mantine/core';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Point } from '#shared/contract/points.ts';
import { type FrameType, isServing, type Quality } from '#shared/domain/enums.ts';
import { hexAddress, slaveText } from '#shared/domain/notation.ts';
import { useWords } from '../../i18n/words.ts';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { formatDateTime } from '../../ui/time.ts';
import { termsOf } from '../channels/protocol-facts.ts';
import { useStateText } from '../write/value-words.ts';
import { isOpen, writeObstacle } from '../write/write-rules.ts';
import { ageOf, DASH, decodeText, exactNumber, FRAME_TYPE_LETTERS, hasValue, numberText, rawText, valueText } from './point-text.ts';
import classes from './points.module.css';
import { usePointsContext } from './points-context.ts';
import { shortMarks, timeDetails, valueDetails } from './reading-detail.ts';

/** Text of a column header, with its long form as title where the short one is cryptic. */
export function HeaderText({ id }: { readonly id: HeaderKey }) {
  const { t } = useTranslation(['points', 'fields']);
  const terms = termsOf(usePointsContext().notation);
  if (id === 'select') return <span className={classes.hiddenText}>{t('points:column.select')}</span>;
  if (id === 'actions') return <span className={classes.hiddenText}>{t('points:column.actions')}</span>;
  if (id === 'slave')
    return <span title={t('fields:place.slave', { context: terms.slave })}>{t('points:column.slave', { context: terms.slave })}</span>;
  if (id === 'address')
    return (
      <span title={t('fields:place.address', { context: terms.address })}>{t('points:column.address', { context: terms.address })}</span>
    );
  if (id === 'hex') return <span>{t('points:column.hex', { context: terms.address })}</span>;
  return <span title={id === 'function' ? t('points:column.functionLong') : undefined}>{t(`points:column.${id}`)}</span>;
}
type HeaderKey =
  | 'select'
  | 'address'
  | 'hex'
  | 'reference'
  | 'slave'
  | 'bit'
  | 'function'
  | 'type'
  | 'code'
  | 'name'
  | 'decode'
  | 'raw'
  | 'value'
  | 'unit'
  | 'quality'
  | 'age'
  | 'actions';

/** Check box of a row. The keyboard selects with Space in the grid, so it is no tab stop of its own. */
export function SelectCell({ point }: { readonly point: Point }) {
  const { t } = useTranslation('points');
  const { selected, onToggle } = usePointsContext();
  return (
    <input
      type="checkbox"
      tabIndex={-1}
      className={classes.check}
      checked={selected.has(point.id)}
      aria-label={`${t('column.select')} ${point.code}`}
      onChange={() => onToggle(point)}
      onClick={(event) => event.stopPropagation()}
    />
  );
}

interface NumberCellProps {
  readonly value: number | null;
  /** Set when the number is a slave id, which some protocols write in their own way. */
  readonly slaveOf?: Point;
}

/** A whole number, a dash for none. */
export function NumberCell({ value, slaveOf }: NumberCellProps) {
  const { notation } = usePointsContext();
  if (value === null) return <span className={classes.muted}>{DASH}</span>;
  return <>{slaveOf ? slaveText(value, notation) : String(value)}</>;
}

/** The address in hexadecimal. */
export function AddressCell({ point }: { readonly point: Point }) {
  const { notation } = usePointsContext();
  return <span className={classes.mono}>{hexAddress(point.address, notation)}</span>;
}

/** The reference of a point that has one in place of an address. */
export function ReferenceCell({ point }: { readonly point: Point }) {
  return (
    <span className={classes.mono} title={point.reference}>
      {point.reference}
    </span>
  );
}

const TYPE_WORDS = { 0: 'types.yc', 1: 'types.yx', 2: 'types.yk', 3: 'types.yt' } as const satisfies Record<FrameType, string>;

/** YC, YX, YK or YT, with its meaning as title. */
export const TypeCell = memo(function TypeCell({ type }: { readonly type: FrameType }) {
  const { t } = useTranslation('points');
  return <span title={t(TYPE_WORDS[type])}>{FRAME_TYPE_LETTERS[type]}</span>;
});

/** Text that may be cut off; the title has all of it. */
export const TextCell = memo(function TextCell({ text }: { readonly text: string }) {
  return <span title={text}>{text}</span>;
});

/** The name; its note as title where there is one. */
export function NameCell({ point }: { readonly point: Point }) {
  return <span title={point.note ? `${point.name}\n${point.note}` : point.name}>{point.name}</span>;
}

/** Decode code with letters, or the raw octets. */
export function RawCell({ point, part }: { readonly point: Point; readonly part: 'decode' | 'raw' }) {
  const text = part === 'raw' ? rawText(point.raw_hex) : decodeText(point);
  return (
    <span className={classes.small} title={text}>
      {text}
    </span>
  );
}

/** The value in the look of its quality; amber with a mark while a write to it is under way. */
export function ValueCell({ point }: { readonly point: Point }) {
  const { t } = useTranslation('points');
  const { pending } = usePointsContext();
  const words = useWords();
  const stateText = useStateText();
  const written = pending[point.id];
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
  const { nowMs } = usePointsContext();
  const age = ageOf(point.updated_at, nowMs);
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

/** Buttons of a row for the mouse; the keyboard has the same actions in the bar above the table. */
export function ActionsCell({ point }: { readonly point: Point }) {
  const { t } = useTranslation('points');
  const { channel, isServiceReadOnly, onRead, onWrite } = usePointsContext();
  if (!channel) return null;
  const obstacle = writeObstacle(channel, point, isServiceReadOnly);
  const act = (event: React.MouseEvent) => {
    const button = (event.target as Element).closest<HTMLButtonElement>('button[data-action]');
    if (!button || button.disabled) return;
    event.stopPropagation();
    if (button.dataset.action === 'read') onRead(point);
    else onWrite(point);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: the clicks are those of the buttons inside
    <span className={classes.actions} onClick={act}>
      <RowButton action="read" code={point.code} label={t('action.readLong')} reason={isOpen(channel) ? null : t('why.notStarted')} />
      {obstacle === 'notCommand' ? null : (
        <RowButton
          action="write"
          code={point.code}
          label={isServing(channel.conn_type) ? t('action.serveLong') : t('action.writeLong')}
          reason={obstacle ? t(`why.${obstacle}`) : null}
        />
      )}
    </span>
  );
}

interface RowButtonProps {
  readonly action: 'read' | 'write';
  readonly code: string;
  readonly label: string;
  /** Why it cannot be pressed; null when it can. */
  readonly reason: string | null;
}

/** A button of a row. Rows change each second, their buttons hardly ever: the row takes the click, so that nothing of it is drawn anew. */
const RowButton = memo(function RowButton({ action, code, label, reason }: RowButtonProps) {
  const { t } = useTranslation('points');
  return (
    <ActionIcon
      size="sm"
      tabIndex={-1}
      disabled={reason !== null}
      title={reason ?? label}
      aria-label={t('action.forPoint', { action: label, code })}
      data-action={action}
    >
      <Icon name={action === 'read' ? 'reload' : 'send'} size={14} />
    </ActionIcon>
  );
});
