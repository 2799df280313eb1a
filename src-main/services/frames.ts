import type { FrameEntry } from '#shared/contract/frames.ts';
import type { FrameType } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { DriverChannelSettings, PointConfig } from '../drivers/spi/index.ts';
import { cancelled } from '../platform/clock.ts';
import { Turns } from '../platform/turns.ts';
import type { FrameRecord } from '../runtime/logs/frame-log.ts';
import { toDriverSettings } from '../runtime/settings.ts';
import type { ChannelRuntime } from '../runtime/types.ts';
import { configsInTurns } from '../runtime/values/configs-in-turns.ts';
import { carriedBy, contextOf, explain, explainedNodes, frameEntry, pairedEntry } from './frame-entries.ts';
import { type FrameTest, frameTest } from './frame-filter.ts';
import { frameStatistics } from './frame-statistics.ts';
import type { Handlers } from './handlers.ts';
import { type FoundPoint, findChannel, findPointOf } from './lookup.ts';
import type { ServiceDeps } from './ports.ts';

const DEFAULT_FRAMES = 200;
const DEFAULT_POINT_FRAMES = 10;
/** Entries in which frames of a point are looked for. */
const MOST_LOOKED_AT = 2000;
const FRAMES_A_LOOK = 20;
/** Most points of a frame that are told; points that are looked at between two turns. */
const MOST_POINTS = 200;
const POINTS_A_LOOK = 200;
/** The frame log: true octets with their explanation by the codecs that run. */
export function frameHandlers(
  deps: ServiceDeps,
): Pick<Handlers, 'listFrames' | 'frameStatistics' | 'pointFrames' | 'framePoints' | 'explainFrame' | 'clearFrames'> {
  return {
    async listFrames({ channel_id, after_seq, before_seq, limit = DEFAULT_FRAMES, filter }, context) {
      const channel = findChannel(deps.projects.current(), channel_id);
      const { frames } = channel;
      const settings = toDriverSettings(channel.settings, channel.driver);
      const turns = new Turns();
      const test = await frameTest(channel, filter, turns);
      const gone = new AbortController();
      if (test) context.whenGone?.(() => gone.abort(cancelled()));
      const part = { afterSeq: after_seq, beforeSeq: before_seq, limit };
      const found = test ? await fitting(channel, { ...part, test, turns, gone: gone.signal }) : null;
      const records = found?.records ?? frames.list(part);
      return {
        items: records.map((record) => pairedEntry(channel, record, explain(channel, record, settings, true))),
        first_seq: frames.firstSeq,
        last_seq: frames.lastSeq,
        looked_to: found?.lookedTo ?? records.at(-1)?.seq ?? Math.max(after_seq ?? 0, frames.lastSeq),
        dropped: frames.dropped,
      };
    },
    async frameStatistics({ channel_id, filter }, context) {
      const channel = findChannel(deps.projects.current(), channel_id);
      const turns = new Turns();
      const gone = new AbortController();
      context.whenGone?.(() => gone.abort(cancelled()));
      return frameStatistics(channel, await frameTest(channel, filter, turns), turns, gone.signal);
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
        entry: pairedEntry(channel, record, explain(channel, record, settings, true)),
        nodes: context ? explainedNodes(channel.driver, record.bytes, context) : [],
      };
    },
    clearFrames({ channel_id }) {
      return { cleared: findChannel(deps.projects.current(), channel_id).frames.clear() };
    },
  };
}

interface Looking {
  readonly afterSeq: number | undefined;
  readonly beforeSeq: number | undefined;
  readonly limit: number;
  readonly turns: Turns;
  readonly gone: AbortSignal;
  readonly test: FrameTest;
}

/**
 * Entries in front of `beforeSeq` that pass a filter, oldest first: the first ones behind `afterSeq`, or without it the newest. `lookedTo`: the last entry that was looked at, behind
 * which the next call goes on.
 */
async function fitting({ frames }: ChannelRuntime, { afterSeq, beforeSeq = Infinity, limit, test, turns, gone }: Looking) {
  const records: FrameRecord[] = [];
  const last = Math.min(frames.lastSeq, beforeSeq - 1);
  if (afterSeq === undefined) {
    for (let seq = last; seq >= frames.firstSeq && records.length < limit; seq--) {
      await turns.breathe();
      gone.throwIfAborted();
      const record = frames.get(seq);
      if (record && test(record)) records.push(record);
    }
    return { records: records.reverse(), lookedTo: last };
  }
  let lookedTo = afterSeq;
  for (;;) {
    await turns.breathe();
    gone.throwIfAborted();
    // the log moves on meanwhile
    const seq = Math.max(lookedTo + 1, frames.firstSeq);
    if (seq > last || records.length === limit) return { records, lookedTo };
    lookedTo = seq;
    const record = frames.get(seq);
    if (record && test(record)) records.push(record);
  }
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

function findFrame(channel: ChannelRuntime, seq: number): FrameRecord {
  const record = channel.frames.get(seq);
  if (record) return record;
  const { firstSeq: first, lastSeq: last } = channel.frames;
  throw new AppError('CONFIG_NOT_FOUND', say('service.no_frame', { channel: channel.settings.name, seq, first, last }));
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
