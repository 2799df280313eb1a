/** Defaults of points, and what is wrong with them. */
import { describeDecode, findDecode } from '#shared/domain/decode.ts';
import { FrameType } from '#shared/domain/enums.ts';
import { type FieldIssue, fieldIssue } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { scaled } from '../../protocol-kit/scaling.ts';
import { pointFieldsOf } from '../kit/point-fields.ts';
import { plainIssues } from '../kit/point-issues.ts';
import type { NormalPoint, PointConfig, PointDraft } from '../spi/index.ts';
import { isWildcard, parseAddress } from './codec/address.ts';
import { decodeNumber } from './codec/bcd.ts';
import { type ItemFormat, parseFormat } from './codec/format.ts';
import { type DataItem, diText, findItem } from './dictionary/dictionary.ts';
import { adviceFor } from './explain/hint.ts';
import { recordIssues } from './load-records.ts';
import { editionOfPoint } from './meter-point.ts';

const HIGHEST_METER = 999_999_999_999;

/** Meter of a point where none is named (decisions, "Points"). */
const DEFAULT_METER = 1;
/**
 * Contract names of the point fields that mean something here, by frame type, in form order. A decode code
 * means the old style of tables and is not offered.
 */
export const POINT_FIELDS = pointFieldsOf(['code', 'name', 'slave_id', 'address'], ['bit', 'reverse']);

/** A point with its defaults, and what is wrong or probably not meant. */
interface CheckedPoint {
  readonly point: NormalPoint;
  readonly issues: readonly FieldIssue[];
  readonly warnings: readonly FieldIssue[];
}

/**
 * Fills in the defaults: name and unit of a known identifier are those of the dictionary. A `meter_address` of digits is kept as `slave_id`,
 * which means the same. Issue paths are contract names. Pure.
 */
export function normalizeMeterPoint(draft: PointDraft): CheckedPoint {
  const issues: FieldIssue[] = [];
  const edition = editionOfPoint(draft);
  const { slave_id: slaveId, protocol } = meterOf(draft, issues);
  const item = draft.address === undefined ? null : findItem(edition, draft.address);
  const decode = draft.decode?.trim() ?? '';
  const point: NormalPoint = {
    ...draft,
    name: draft.name || item?.nameZh || draft.code,
    address: draft.address ?? 0,
    slave_id: slaveId,
    func_code: null,
    decode: findDecode(decode)?.code ?? decode,
    unit: draft.unit || (hasUnit(draft) ? (item?.unit ?? '') : ''),
    protocol,
  };
  if (decode !== '' && !findDecode(decode)) issues.push(fieldIssue('decode', say('point.dlt645_decode', { decode })));
  issues.push(
    ...checkMeter(slaveId),
    ...checkItem(draft, item),
    ...recordIssues(draft),
    ...plainIssues(point),
    ...checkSignal(point, item),
  );
  return { point, issues, warnings: issues.length > 0 ? [] : oldStyleWarnings(point, item) };
}

/** A signal shows no unit. */
function hasUnit({ frame_type: frameType }: PointDraft): boolean {
  return frameType === FrameType.yc || frameType === FrameType.yt;
}

function meterOf(draft: PointDraft, issues: FieldIssue[]): Pick<NormalPoint, 'slave_id' | 'protocol'> {
  const written = draft.protocol.meter_address;
  if (typeof written !== 'string' || written === '') return { slave_id: draft.slave_id ?? DEFAULT_METER, protocol: draft.protocol };
  const address = parseAddress(written);
  if (address === null) {
    issues.push(fieldIssue('protocol.meter_address', say('point.dlt645_address', { written, count: written.length })));
    return { slave_id: draft.slave_id ?? DEFAULT_METER, protocol: draft.protocol };
  }
  if (isWildcard(address)) return { slave_id: draft.slave_id ?? 0, protocol: { ...draft.protocol, meter_address: address } };
  const { meter_address: _, ...protocol } = draft.protocol;
  const number = Number(address);
  // the default says nothing: forms and tables write it where nobody chose a meter
  if (draft.slave_id !== undefined && draft.slave_id !== number && draft.slave_id !== DEFAULT_METER) {
    issues.push(fieldIssue('protocol.meter_address', say('point.dlt645_two_meters', { address, other: draft.slave_id })));
  }
  return { slave_id: number, protocol };
}

function checkMeter(slaveId: number): FieldIssue[] {
  if (Number.isInteger(slaveId) && slaveId >= 0 && slaveId <= HIGHEST_METER) return [];
  return [fieldIssue('slave_id', say('point.dlt645_meter', { most: HIGHEST_METER, given: slaveId }))];
}

function checkItem(draft: PointDraft, item: DataItem | null): FieldIssue[] {
  const { address } = draft;
  const edition = editionOfPoint(draft);
  if (address === undefined)
    return [fieldIssue('address', say('point.dlt645_identifier', { example: edition === 2007 ? '0x02010100' : '0x9010' }))];
  if (edition === 1997 && address > 0xffff) {
    return [fieldIssue('address', say('point.dlt645_short', { given: diText(address, 2007) }))];
  }
  const { format } = draft.protocol;
  if (typeof format === 'string' && format !== '') {
    return parseFormat(format) ? [] : [fieldIssue('protocol.format', say('point.dlt645_format', { format }))];
  }
  // relay control is told by its command, not by an identifier
  if (draft.frame_type === FrameType.yk || item) return [];
  return [fieldIssue('protocol.format', adviceFor(address, edition))];
}

function checkSignal(point: NormalPoint, item: DataItem | null): FieldIssue[] {
  if (point.bit === null) return [];
  if (point.frame_type !== FrameType.yx) return [fieldIssue('bit', say('point.dlt645_bit_type'))];
  const part = (formatOf(point) ?? item?.format)?.parts[0];
  if (part?.kind !== 'bits') return [fieldIssue('bit', say('point.dlt645_bit_word'))];
  const most = 8 * part.size - 1;
  return point.bit <= most ? [] : [fieldIssue('bit', say('point.bit_range', { most, bit: point.bit }))];
}

function formatOf({ protocol }: Pick<PointConfig, 'protocol'>): ItemFormat | null {
  return typeof protocol.format === 'string' && protocol.format !== '' ? parseFormat(protocol.format) : null;
}

/**
 * A decode code makes the digits of the item an integer without a decimal point, as tables in the old style count: 0x41 with mul_coe 0.01.
 * The warning says what will be shown.
 */
function oldStyleWarnings(point: NormalPoint, item: DataItem | null): FieldIssue[] {
  const part = (formatOf(point) ?? item?.format)?.parts[0];
  if (point.decode === '' || point.frame_type === FrameType.yx || point.frame_type === FrameType.yk || part?.kind !== 'number') return [];
  const example = decodeNumber(
    Uint8Array.from({ length: part.size }, (_, at) => EXAMPLE[at] ?? 0),
    part.decimals,
    false,
  );
  const value = scaled(point, example.integer);
  const shown = `${value}${point.unit ? ` ${point.unit}` : ''}`;
  const isRight = value === example.value + point.add_coe;
  const params = { code: describeDecode(point.decode), factor: point.mul_coe, shown: example.text, value: shown };
  return [fieldIssue('decode', say(isRight ? 'point.dlt645_same' : 'point.dlt645_other', params))];
}

/** Digits of the example in the warning, low octet first. */
const EXAMPLE = [0x56, 0x34, 0x12];
