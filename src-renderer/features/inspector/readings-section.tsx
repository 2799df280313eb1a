import { useTranslation } from 'react-i18next';
import type { Point, PointReadings } from '#shared/contract/points.ts';
import { findDecode } from '#shared/domain/decode.ts';
import { describeRegisters } from '#shared/domain/registers.ts';
import { exactNumber, shortNumber } from '../points/point-text.ts';
import classes from './inspector.module.css';
import { KnownValue } from './known-value.tsx';

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
  return (
    <>
      <KnownValue point={point} onTakenOver={onTakenOver} />
      <h3 className={classes.heading}>{t('readings')}</h3>
      <table className={classes.readings}>
        <tbody>
          {items.map(({ decode, protocol = point.protocol, raw, value, value_text, is_present }) => {
            const registers = describeRegisters({ decode, protocol });
            return (
              <tr key={registers} aria-current={is_present ? 'true' : undefined} title={raw}>
                <th scope="row">{registers}</th>
                <td>{value_text || (value === null ? raw : readingText(decode, value))}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </>
  );
}

/** With the digits that the type can tell apart. */
function readingText(decode: string, value: number): string {
  return findDecode(decode)?.type === 'float32' ? shortNumber(value) : exactNumber(value);
}
