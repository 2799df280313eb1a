import { useTranslation } from 'react-i18next';
import type { Point, PointReadings } from '#shared/contract/points.ts';
import { findDecode } from '#shared/domain/decode.ts';
import { describeRegisters } from '#shared/domain/registers.ts';
import { type SmallColumn, SmallTable } from '../../ui/data-grid/small-table.tsx';
import { exactNumber, shortNumber } from '../points/point-text.ts';
import classes from './inspector.module.css';
import { KnownValue } from './known-value.tsx';

type Reading = PointReadings['items'][number];

interface ReadingsSectionProps {
  readonly point: Point;
  /** Null while they are not known. */
  readonly items: PointReadings['items'] | null;
  onTakenOver(): void;
}

/** What the octets of the point mean by each type and order, and the search for what the device shows. */
export function ReadingsSection({ point, items, onTakenOver }: ReadingsSectionProps) {
  const { t } = useTranslation('inspector');
  if (items === null) return null;
  if (items.length === 0) return <p className={classes.muted}>{point.raw_hex === '' ? t('notRead') : t('readingsNone')}</p>;
  const namesOf = ({ decode, protocol = point.protocol }: Reading) => describeRegisters({ decode, protocol });
  const columns: readonly SmallColumn<Reading>[] = [
    { id: 'registers', name: null, isRowHeader: true, cell: namesOf },
    { id: 'value', name: null, align: 'right', isNumber: true, cell: valueText },
  ];
  return (
    <>
      <KnownValue point={point} onTakenOver={onTakenOver} />
      <h3 className={classes.heading}>{t('readings')}</h3>
      <SmallTable label={t('readings')} columns={columns} rows={items} keyOf={namesOf} rowData={lookOf} isPlain isDense />
    </>
  );
}

const lookOf = ({ raw, is_present }: Reading) => ({ title: raw, ...(is_present ? { 'aria-current': 'true' as const } : {}) });

function valueText({ decode, raw, value, value_text }: Reading): string {
  return value_text || (value === null ? raw : readingText(decode, value));
}

/** With the digits that the type can tell apart. */
function readingText(decode: string, value: number): string {
  return findDecode(decode)?.type === 'float32' ? shortNumber(value) : exactNumber(value);
}
