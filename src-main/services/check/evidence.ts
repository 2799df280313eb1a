import type { CheckSeen } from '#shared/contract/check.ts';
import type { FrameEntry } from '#shared/contract/frames.ts';
import type { EventRecord } from '../../runtime/logs/event-log.ts';
import { framesOfPoint } from '../frames.ts';
import { isoTime, NEVER_READ, pointTextsOf, valueTextOf } from '../rows.ts';
import type { NewEntry } from './chain.ts';
import type { CheckedChannel, CheckedPoint } from './elsewhere/checked-channel.ts';
import { isOwn } from './elsewhere/checked-channel.ts';
import { channelFacts, mappingOf, type PointThen, pointFacts } from './mapping.ts';

/** Frames of a value: a request with its answer, and a read of several frames. */
const MOST_FRAMES = 6;

/** A value as it stands in the table now. */
export function seenNow({ channel, point }: CheckedPoint): CheckSeen {
  const state = channel.points.state(point.id) ?? NEVER_READ;
  const isRead = state.updatedAt !== null;
  return {
    ...channelOf(channel),
    point_id: point.id,
    code: point.code,
    value: isRead && Number.isFinite(state.value) ? state.value : null,
    value_text: valueTextOf(state, pointTextsOf(point)),
    unit: point.unit,
    raw_hex: state.rawHex,
    quality: state.quality,
    flags: [...state.flags],
    source_time: isoTime(state.sourceTime),
    received_at: isoTime(state.updatedAt),
    ...arrival(channel.elsewhere?.arrivedAt(point.id)),
  };
}

/** Which channel it is: of another service its name and the number there. */
function channelOf({ id, elsewhere }: CheckedChannel): Pick<CheckSeen, 'channel_id' | 'service'> {
  return elsewhere ? { channel_id: elsewhere.channelId, service: elsewhere.service.name } : { channel_id: id };
}

/** What a service received came to here later: both times count, each by its own clock. */
function arrival(at: number | null | undefined): Pick<CheckSeen, 'arrived_at'> {
  return at === null || at === undefined ? {} : { arrived_at: isoTime(at) };
}

/** The value that an event brought; `rawHex`: its octets; `arrivedAt`: when one of another service came to here, UTC milliseconds. */
export function seenIn(found: CheckedPoint, event: EventRecord, rawHex: string, arrivedAt: number | null = null): CheckSeen {
  const { channel, point } = found;
  const { value, flags, text, deviceTime, receivedAt: updatedAt, isInvalid } = event;
  return {
    ...channelOf(channel),
    point_id: point.id,
    code: point.code,
    value,
    value_text: value === null ? text : valueTextOf({ value, valueText: text, updatedAt }, pointTextsOf(point)),
    unit: point.unit,
    raw_hex: rawHex,
    quality: isInvalid || value === null ? 'invalid' : 'good',
    flags: [...flags],
    source_time: isoTime(deviceTime),
    received_at: isoTime(updatedAt),
    ...arrival(arrivedAt),
  };
}

/** The frames that carried the point last, requests and answers. Throws what keeps another service from telling them. */
export async function framesOf({ channel, point }: CheckedPoint): Promise<FrameEntry[]> {
  if (isOwn(channel)) return framesOfPoint({ channel, point }, MOST_FRAMES);
  return channel.elsewhere?.framesOf(point, MOST_FRAMES) ?? [];
}

/** What a point and its channel are, of an entry. */
export type PlaceFacts = Pick<NewEntry, 'point' | 'channel' | 'mapping'>;

/** What a point and its channel are, or were. */
export function placeOf(found: PointThen): PlaceFacts {
  return {
    point: json(pointFacts(found.point)),
    channel: json(channelFacts(found.channel)),
    mapping: json(mappingOf(found)),
  };
}

type Json = NewEntry['point'];

/** Settings are JSON; what is undefined among them is left out. */
function json(value: object): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}
