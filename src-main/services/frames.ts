import type { ExplainNode, FrameEntry } from '#shared/contract/frames.ts';
import { type FrameType, isServing } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { isListening } from '#shared/domain/listening.ts';
import { say } from '#shared/messages/index.ts';
import type { DriverChannelSettings, ExplainContext, Explanation, FrameKind, PointConfig, ProtocolDriver } from '../drivers/spi/index.ts';
import { Turns } from '../platform/turns.ts';
import type { FrameRecord } from '../runtime/logs/frame-log.ts';
import { toDriverSettings } from '../runtime/settings.ts';
import type { ChannelRuntime } from '../runtime/types.ts';
import { configsInTurns } from '../runtime/values/configs-in-turns.ts';
import { entryTexts, spokenNode } from './frame-texts.ts';
import type { Handlers } from './handlers.ts';
import { type FoundPoint, findChannel, findPointOf } from './lookup.ts';
import { maskedHex, maskedNodes } from './masking.ts';
import type { ServiceDeps } from './ports.ts';
import { isoTime } from './rows.ts';

const DEFAULT_FRAMES = 200;
const DEFAULT_POINT_FRAMES = 10;
/** Entries in which frames of a point are looked for. */
const MOST_LOOKED_AT = 2000;
const FRAMES_A_LOOK = 20;
/** Most points of a frame that are told; points that are looked at between two turns. */
const MOST_POINTS = 200;
const POINTS_A_LOOK = 200;
const FRAME_KINDS: readonly string[] = ['tx', 'rx', 'noise', 'late', 'note'] satisfies FrameKind[];

/** The frame log: true octets with their explanation by the codecs that run. */
export function frameHandlers(
  deps: ServiceDeps,
): Pick<Handlers, 'listFrames' | 'pointFrames' | 'framePoints' | 'explainFrame' | 'clearFrames'> {
  return {
    listFrames({ channel_id, after_seq, limit }) {
      const channel = findChannel(deps.projects.current(), channel_id);
      const settings = toDriverSettings(channel.settings, channel.driver);
      const records = channel.frames.list({ afterSeq: after_seq, limit: limit ?? DEFAULT_FRAMES });
      return {
        items: records.map((record) => frameEntry(record, explain(channel, record, settings, true))),
        first_seq: channel.frames.firstSeq,
        last_seq: channel.frames.lastSeq,
        dropped: channel.frames.dropped,
      };
    },
    async pointFrames({ channel_id, point_id, frame_type, limit }) {
      const channel = findChannel(deps.projects.current(), channel_id);
      return { items: await framesOfPoint(findPointOf(channel, point_id, frame_type as FrameType), limit ?? DEFAULT_POINT_FRAMES) };
    },
    async framePoints({ channel_id, seq }) {
      const channel = findChannel(deps.projects.current(), channel_id);
      const points = await pointsOf(channel, findFrame(channel, seq));
      const items = points.slice(0, MOST_POINTS).map(({ id, frame_type, code, name }) => ({ point_id: id, frame_type, code, name }));
      return { total: points.length, items };
    },
    explainFrame({ channel_id, seq }) {
      const channel = findChannel(deps.projects.current(), channel_id);
      const record = findFrame(channel, seq);
      const settings = toDriverSettings(channel.settings, channel.driver);
      const context = contextOf(channel, record, settings);
      return {
        entry: frameEntry(record, explain(channel, record, settings, true)),
        nodes: context ? explainedNodes(channel.driver, record.bytes, context) : [],
      };
    },
    clearFrames({ channel_id }) {
      return { cleared: findChannel(deps.projects.current(), channel_id).frames.clear() };
    },
  };
}

/** The newest frames that carried a point, requests and answers, oldest first; at most so many. */
export async function framesOfPoint({ channel, point }: FoundPoint, most: number): Promise<FrameEntry[]> {
  const settings = toDriverSettings(channel.settings, channel.driver);
  const records = await carriers(channel, point, settings, most);
  return records.map((record) => frameEntry(record, explain(channel, record, settings, true)));
}

/**
 * The newest frames of each of many points of a channel among those behind `afterSeq`, in one pass over the log, bit by bit: each frame's points are told once.
 */
export async function framesOfPoints(
  channel: ChannelRuntime,
  points: readonly PointConfig[],
  afterSeq: number,
  most: number,
): Promise<Map<number, FrameEntry[]>> {
  const settings = toDriverSettings(channel.settings, channel.driver);
  const found = new Map<number, FrameEntry[]>();
  const turns = new Turns();
  const oldest = Math.max(channel.frames.firstSeq, afterSeq + 1);
  for (let seq = channel.frames.lastSeq; seq >= oldest; seq--) {
    await turns.breathe();
    const record = channel.frames.get(seq);
    const isCarried = record && carriedBy(channel, record, settings);
    if (!isCarried) continue;
    const entry = frameEntry(record, explain(channel, record, settings, true));
    for (const [at, point] of points.entries()) {
      if (at % POINTS_A_LOOK === POINTS_A_LOOK - 1) await turns.breathe();
      const known = found.get(point.id) ?? [];
      if (known.length >= most || !isCarried(point)) continue;
      known.unshift(entry);
      found.set(point.id, known);
    }
  }
  return found;
}

/** The tree of what a frame means, without its secrets. */
export function explainedNodes(driver: ProtocolDriver, bytes: Uint8Array, context: ExplainContext): ExplainNode[] {
  return maskedNodes(driver.explain(bytes, context)).map(spokenNode);
}

function findFrame(channel: ChannelRuntime, seq: number): FrameRecord {
  const record = channel.frames.get(seq);
  if (record) return record;
  const { firstSeq: first, lastSeq: last } = channel.frames;
  throw new AppError('CONFIG_NOT_FOUND', say('service.no_frame', { channel: channel.settings.name, seq, first, last }));
}

/** What tells the points of a frame; null for octets that were none, and for one that has none. */
export function carriedBy(channel: ChannelRuntime, record: FrameRecord, settings: DriverChannelSettings) {
  const context = record.kind === 'noise' ? null : contextOf(channel, record, settings);
  return (context && channel.driver.carries?.(record.bytes, context)) ?? null;
}

/** The points of a frame, a large table bit by bit. */
async function pointsOf(channel: ChannelRuntime, record: FrameRecord): Promise<PointConfig[]> {
  const isCarried = carriedBy(channel, record, toDriverSettings(channel.settings, channel.driver));
  if (!isCarried) return [];
  const turns = new Turns();
  const found: PointConfig[] = [];
  for (const [at, point] of (await configsInTurns(channel.points, turns.breathe)).entries()) {
    if (isCarried(point)) found.push(point);
    if (at % POINTS_A_LOOK === 0) await turns.breathe();
  }
  return found;
}

/** The newest frames that carry the point, oldest first. */
async function carriers(
  channel: ChannelRuntime,
  point: PointConfig,
  settings: DriverChannelSettings,
  most: number,
): Promise<FrameRecord[]> {
  const { frames } = channel;
  const found: FrameRecord[] = [];
  const turns = new Turns();
  const oldest = Math.max(frames.firstSeq, frames.lastSeq - MOST_LOOKED_AT + 1);
  for (let end = frames.lastSeq; end >= oldest && found.length < most; end -= FRAMES_A_LOOK) {
    const count = Math.min(FRAMES_A_LOOK, end - oldest + 1);
    for (const record of frames.list({ afterSeq: end - count, limit: count }).reverse()) {
      if (found.length === most) break;
      // the log moves on between the looks: what came meanwhile is not among these
      if (record.seq > end) continue;
      if (carriedBy(channel, record, settings)?.(point)) found.push(record);
    }
    await turns.breathe();
  }
  return found.reverse();
}

/** Explanation by the driver; null for entries without octets, which are events. */
export function explain(
  channel: ChannelRuntime,
  record: FrameRecord,
  settings: DriverChannelSettings,
  isSummaryOnly: boolean,
): Explanation | null {
  const context = contextOf(channel, record, settings);
  return context && channel.driver.explain(record.bytes, { ...context, isSummaryOnly });
}

/** What is known of a frame beside its octets; null for an event. */
function contextOf(
  channel: Pick<ChannelRuntime, 'frames' | 'settings' | 'model'>,
  record: FrameRecord,
  settings: DriverChannelSettings,
): ExplainContext | null {
  if (record.bytes.length === 0 || !FRAME_KINDS.includes(record.kind)) return null;
  const sendsRequests = !isServing(channel.settings.conn_type);
  return {
    kind: record.kind as FrameKind,
    // of what was overheard an answer has its request, and a request has none
    isRequest: isListening(channel.settings) ? record.link === null : (record.kind === 'tx') === sendsRequests,
    request: record.link === null ? null : (channel.frames.get(record.link)?.bytes ?? null),
    settings,
    dataSets: () => channel.model()?.dataSets() ?? [],
  };
}

/** An entry as the API tells it. */
export function frameEntry(record: FrameRecord, explanation: Explanation | null): FrameEntry {
  return {
    seq: record.seq,
    at: isoTime(record.wallMs),
    monotonic_ms: record.monotonicMs,
    kind: record.kind,
    hex: maskedHex(record.bytes, explanation?.secrets ?? []),
    length: record.length,
    link: record.link,
    connection: record.connection,
    peer: record.peer,
    ...entryTexts(explanation, record.text),
  };
}
