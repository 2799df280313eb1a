/** A point of the table as this protocol sees it: which meter, which item, how its octets become a value. */

import { FrameType } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { PointConfig, PointReading } from '../spi/index.ts';
import { BadValue, isAllFf } from './codec/bcd.ts';
import type { Edition } from './codec/control.ts';
import { decodeElement, type ItemFormat, type PartValue, parseFormat } from './codec/format.ts';
import { formatFor, splitElements } from './codec/items.ts';
import { type BlockPlace, blockOf, type DataItem, diText, findItem } from './dictionary/dictionary.ts';
import { addressOf, type MeterTarget } from './meter-request.ts';

export interface MeterPoint {
  readonly point: PointConfig;
  readonly target: MeterTarget;
  readonly item: DataItem | null;
  readonly format: ItemFormat;
  /** Elements a reply to the item has; null where the received length says it. */
  readonly elements: number | null;
  /** Octets a reply to the item has, as far as that is known. */
  readonly octets: number | null;
  /** Element the point takes, from 0. */
  readonly element: number;
  readonly block: BlockPlace | null;
}

/** The edition a point is read with. */
export function editionOfPoint({ protocol }: Pick<PointConfig, 'protocol'>): Edition {
  return protocol.edition === 1997 ? 1997 : 2007;
}

/** The meter of a point. */
export function targetOf(point: Pick<PointConfig, 'slave_id' | 'protocol'>): MeterTarget {
  return { slaveId: point.slave_id, address: addressOf(point.slave_id, point.protocol.meter_address), edition: editionOfPoint(point) };
}

/** How a point is read. Throws `CONFIG_INVALID` for an identifier that the dictionary does not have and the point gives no format for. */
export function meterPoint(point: PointConfig): MeterPoint {
  const target = targetOf(point);
  const item = findItem(target.edition, point.address);
  const written = typeof point.protocol.format === 'string' && point.protocol.format !== '' ? parseFormat(point.protocol.format) : null;
  const format = written ?? item?.format;
  if (!format) {
    const di = diText(point.address, target.edition);
    throw new AppError('CONFIG_INVALID', say('dlt645.no_format', { di, edition: target.edition }));
  }
  const element = typeof point.protocol.element === 'number' ? point.protocol.element - 1 : 0;
  const isOwnFormat = written !== null;
  return {
    point,
    target,
    item,
    format,
    elements: isOwnFormat ? null : (item?.elements ?? null),
    octets: isOwnFormat ? written.size : (item?.octets ?? null),
    element,
    block: isOwnFormat || element > 0 ? null : blockOf(target.edition, point.address),
  };
}

/** The reading of a point out of the data of a reply to its own identifier. */
export function readingOfItem(meter: MeterPoint, data: Uint8Array): PointReading {
  const { target, element, point } = meter;
  const isSingle = meter.elements === 1;
  const format = isSingle ? formatFor(data.length, meter.format, target.edition) : meter.format;
  try {
    const elements = splitElements(data, format, isSingle ? 1 : null);
    const bytes = elements[element];
    if (!bytes) throw new BadValue(say('dlt645frame.too_few_elements', { count: elements.length, wanted: element + 1 }));
    if (elements.length === 1) return readingOfElement(meter, bytes, format);
    const reading = readingOfElement(meter, bytes, format);
    if (reading.kind === 'failure' || element > 0) return reading;
    return { ...reading, raw: data, valueText: listText(elements, format), textBehind: undefined };
  } catch (thrown) {
    return { kind: 'failure', pointId: point.id, error: badValue(meter, thrown) };
  }
}

/** The reading of a point out of the octets of one element. */
export function readingOfElement(meter: MeterPoint, bytes: Uint8Array, format = meter.format): PointReading {
  const { point } = meter;
  try {
    const parts = decodeElement(bytes, format);
    const [first] = parts;
    const raw = Uint8Array.from(bytes);
    if (!first || first.value === null || first.integer === null) {
      return { kind: 'value', pointId: point.id, value: null, valueText: 'no value', raw, quality: 'invalid', flags: [], sourceTime: null };
    }
    const number = point.decode === '' ? first.value : first.integer;
    const isState = point.frame_type === FrameType.yx;
    return {
      kind: 'value',
      pointId: point.id,
      ...(isState ? { value: stateOf(point, number), form: 'state', valueText: '' } : { value: number, ...textOf(parts, format) }),
      raw,
      quality: 'good',
      flags: [],
      sourceTime: null,
    };
  } catch (thrown) {
    return { kind: 'failure', pointId: point.id, error: badValue(meter, thrown) };
  }
}

function badValue({ point, target }: MeterPoint, thrown: unknown): AppError {
  if (!(thrown instanceof BadValue)) throw thrown;
  const di = diText(point.address, target.edition);
  return new AppError('PROTOCOL_MALFORMED', say('dlt645.no_value', { meter: target.address, di, reason: thrown.message }));
}

/** The state of a signal: one bit of the number, or whether there is any. */
function stateOf({ bit }: Pick<PointConfig, 'bit'>, number: number): number {
  return bit === null ? Number(number !== 0) : Math.floor(number / 2 ** bit) % 2;
}

/** What a number cannot say: dates, text, status words, and the time that belongs to the value. */
function textOf(parts: readonly PartValue[], format: ItemFormat): { readonly valueText: string; readonly textBehind?: string } {
  const kind = format.parts[0]?.kind;
  const isNumber = kind === 'number';
  if (parts.length === 1 && isNumber) return { valueText: '' };
  if (parts.length === 1 && (kind === 'bits' || kind === 'identifier')) return { valueText: `0x${parts[0]?.text ?? ''}` };
  const words = parts.slice(isNumber ? 1 : 0).map((part) => (part.value === null ? '-' : part.text));
  return isNumber ? { valueText: '', textBehind: words.join(' ') } : { valueText: words.join(' ') };
}

const MOST_LISTED = 64;

function listText(elements: readonly Uint8Array[], format: ItemFormat): string {
  const texts = elements.slice(0, MOST_LISTED).map((bytes) => {
    if (isAllFf(bytes)) return '-';
    try {
      return decodeElement(bytes, format)
        .map((part) => part.text || '-')
        .join(' ');
    } catch {
      return '?';
    }
  });
  return texts.join(', ') + (elements.length > MOST_LISTED ? ', …' : '');
}
