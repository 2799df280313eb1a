/**
 * Load records (identifiers 06xx): a read may say how many blocks it wants, and from which moment on (DL/T 645-2007, 7.1: N, or N and
 * mm hh DD MM YY behind the identifier).
 */
import { type FieldIssue, fieldIssue } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { PointConfig } from '../spi/index.ts';
import { encodeBcd } from './codec/bcd.ts';
import { diText } from './dictionary/dictionary.ts';
import { editionOfPoint } from './meter-point.ts';

const NOTHING = new Uint8Array(0);
const TIME = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)$/;
/** DI0 of a block at a given time. */
const AT_TIME = 0x01;

type RecordPoint = Pick<PointConfig, 'protocol'> & { readonly address?: number | undefined };

/** Octets behind the identifier of a read; none for what is no load record, or says nothing. */
export function recordSelection({ protocol }: Pick<PointConfig, 'protocol'>): Uint8Array {
  const { record_blocks: blocks, record_time: time } = protocol;
  if (typeof blocks !== 'number' && typeof time !== 'string') return NOTHING;
  const count = typeof blocks === 'number' ? blocks : 1;
  const digits = typeof time === 'string' ? digitsOf(time) : null;
  // low octet first: minute, hour, day, month, year
  return digits === null ? Uint8Array.of(count) : Uint8Array.of(count, ...encodeBcd(digits));
}

/** What is wrong with the choice of a load record; issue paths are contract names. */
export function recordIssues(point: RecordPoint): FieldIssue[] {
  const { record_blocks: blocks, record_time: time } = point.protocol;
  const { address = 0 } = point;
  const isRecord = editionOfPoint(point) === 2007 && address >>> 24 === 6;
  const issues: FieldIssue[] = [];
  for (const [name, value] of Object.entries({ record_blocks: blocks, record_time: time })) {
    if (value !== undefined && !isRecord) issues.push(fieldIssue(`protocol.${name}`, say('point.dlt645_records_only')));
  }
  if (typeof time === 'string' && digitsOf(time) === null) {
    issues.push(fieldIssue('protocol.record_time', say('point.dlt645_record_time', { given: time })));
  }
  const isAtTime = (address & 0xff) === AT_TIME;
  if (isRecord && !isAtTime && time !== undefined) {
    issues.push(fieldIssue('protocol.record_time', say('point.dlt645_record_block', { di: diText(address, 2007) })));
  }
  return issues;
}

/** YYMMDDhhmm; null for a moment that the calendar has not. */
function digitsOf(time: string): string | null {
  const [, year, month, day, hour, minute] = TIME.exec(time.trim()) ?? [];
  if (!year) return null;
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute));
  const digits = new Date(at).toISOString().slice(2, 16).replaceAll(/\D/g, '');
  return digits === `${year.slice(2)}${month}${day}${hour}${minute}` ? digits : null;
}
