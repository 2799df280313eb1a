import type { Channel } from '#shared/contract/channels.ts';
import type { Point } from '#shared/contract/points.ts';
import type { ReadingDetailFields } from '#shared/contract/reading-detail.ts';
import type { QualityFlag } from '#shared/domain/enums.ts';
import { english } from '#shared/messages/index.ts';
import type { PointConfig, ReadingDetail } from '../drivers/spi/index.ts';
import type { ChannelRuntime } from '../runtime/types.ts';
import type { PointState } from '../runtime/values/point-table.ts';

/** UTC milliseconds as ISO 8601 with milliseconds and Z; null stays null. */
export function isoTime(ms: number): string;
export function isoTime(ms: number | null): string | null;
export function isoTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

/** State of a point before its first read. */
export const NEVER_READ: PointState = {
  value: 0,
  valueText: '',
  rawHex: '',
  quality: 'never',
  flags: [],
  sourceTime: null,
  detail: null,
  updatedAt: null,
  error: null,
};

/** Under or over its limits. A value nobody can trust raises no alarm, and neither does the 0 of a point that never had one. */
export function alarmOf(
  point: Pick<PointConfig, 'min_limit' | 'max_limit'>,
  state: Pick<PointState, 'value' | 'quality' | 'updatedAt'>,
): Point['alarm'] {
  if (state.updatedAt === null || state.quality === 'never' || state.quality === 'invalid') return '';
  if (point.min_limit !== null && state.value < point.min_limit) return 'low';
  if (point.max_limit !== null && state.value > point.max_limit) return 'high';
  return '';
}

/** Texts by a number as text. */
export type EnumTexts = Readonly<Record<string, unknown>>;

/** The texts of a point: of single values, and of the bits of a value. */
export interface PointTexts {
  readonly values: EnumTexts | null;
  readonly bits: EnumTexts | null;
}

/** The texts a point has for its values; null for none. */
export function enumTextsOf(point: Pick<PointConfig, 'protocol'>): EnumTexts | null {
  return textsIn(point.protocol.enum_texts);
}

/** All texts a point has; null for none. */
export function pointTextsOf(point: Pick<PointConfig, 'protocol'>): PointTexts | null {
  const values = enumTextsOf(point);
  const bits = textsIn(point.protocol.bit_texts);
  return values === null && bits === null ? null : { values, bits };
}

function textsIn(setting: unknown): EnumTexts | null {
  return typeof setting === 'object' && setting !== null ? (setting as EnumTexts) : null;
}

/**
 * What stands in place of the value: the text the point has for its value or for the bits in it, else the exact text of the driver. Empty otherwise.
 * Words of the driver that are no number stay what they are.
 */
export function valueTextOf(state: Pick<PointState, 'value' | 'valueText' | 'updatedAt'>, texts: PointTexts | null): string {
  const { value, valueText } = state;
  if (texts === null || state.updatedAt === null || (valueText !== '' && !WHOLE.test(valueText))) return valueText;
  const written = valueText === '' ? String(value) : valueText;
  const text = texts.values?.[written];
  if (typeof text === 'string') return text;
  return texts.bits === null || !WHOLE.test(written) ? valueText : bitsText(BigInt(written), texts.bits, valueText);
}

const WHOLE = /^\d+$/;

/** The texts of the bits that are 1, the lowest first; one without a text is named by its number. */
function bitsText(value: bigint, texts: EnumTexts, otherwise: string): string {
  const set = [...value.toString(2)].reverse().flatMap((digit, bit) => (digit === '1' ? [String(texts[bit] ?? `bit ${bit}`)] : []));
  return set.length === 0 ? otherwise : set.join(', ');
}

const NO_DETAIL: ReadingDetailFields = {};

/** What the protocol told beside the value, in the names of the contract; without the fields it did not tell. */
export function detailFields(detail: ReadingDetail | null): ReadingDetailFields {
  if (detail === null) return NO_DETAIL;
  const { cause, negative, sequence, adjusted, carry, sourceTimeText, timeAccuracy } = detail;
  return {
    ...(cause && { cause: { code: cause.code, name: cause.name } }),
    ...(negative !== undefined && { negative }),
    ...(sequence !== undefined && { sequence }),
    ...(adjusted !== undefined && { adjusted }),
    ...(carry !== undefined && { carry }),
    ...(sourceTimeText !== undefined && { source_time_text: sourceTimeText }),
    ...(timeAccuracy !== undefined && { time_accuracy: timeAccuracy }),
  };
}

/** A row of the point table: settings and last value in the names of the contract. */
export function pointRow(point: PointConfig, state: PointState = NEVER_READ): Point {
  return {
    ...point,
    protocol: { ...point.protocol },
    value: state.value,
    raw_hex: state.rawHex,
    value_text: valueTextOf(state, pointTextsOf(point)),
    quality: state.quality,
    flags: state.flags as QualityFlag[],
    source_time: isoTime(state.sourceTime),
    updated_at: isoTime(state.updatedAt),
    alarm: alarmOf(point, state),
    error: state.error && english(state.error),
    ...(state.error && { error_message: state.error }),
    ...(state.exponent !== undefined && { exponent: state.exponent }),
    ...detailFields(state.detail),
  };
}

/** The row of one point of a running channel. The point must exist. */
export function rowOf(channel: ChannelRuntime, point: PointConfig): Point {
  return pointRow(point, channel.points.state(point.id));
}

/** A channel with status and health, in the names of the contract. */
export function channelRow(channel: ChannelRuntime): Channel {
  const state = channel.state();
  return {
    ...channel.settings,
    status: state.status,
    last_error: state.lastError && english(state.lastError),
    ...(state.lastError && { last_error_info: state.lastError }),
    since: isoTime(state.since),
    bound_port: state.boundPort,
    point_count: channel.points.size,
    health: state.health,
  };
}
