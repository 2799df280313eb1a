import type { PointHistoryItem, RecordingSettings, RecordingStatus } from '#shared/contract/history.ts';
import { MOST_HISTORY_POINTS } from '#shared/contract/history.ts';
import { type FrameType, QUALITIES } from '#shared/domain/enums.ts';
import { AppError, fieldIssue, invalidField, invalidInput } from '#shared/domain/errors.ts';
import { parseFormula } from '#shared/domain/formula/formula.ts';
import { english, say } from '#shared/messages/index.ts';
import type { BucketHistory, HistorySample, PointHistory, RawHistory } from '../../persistence/history-repositories.ts';
import { Turns } from '../../platform/turns.ts';
import type { Handlers } from '../handlers.ts';
import { findNamed } from '../live/named-points.ts';
import { type FoundPoint, findChannel, findPointOf } from '../lookup.ts';
import type { ProjectSession, ServiceDeps } from '../ports.ts';
import { isoTime } from '../rows.ts';

const HOUR_S = 3600;
const YEAR_MS = 366 * 24 * 3_600_000;
const DEFAULT_SAMPLES = 1000;
const LONGEST_YEARS = 20;
/** Questions that are answered at the same time: each may hold 20 times 10,000 samples. */
const MOST_QUESTIONS = 4;

type HistoryHandlers = Pick<Handlers, 'recordingStatus' | 'setRecording' | 'readHistory'>;

/** What is recorded, and what was. */
export function recordingHandlers(deps: ServiceDeps): HistoryHandlers {
  let questions = 0;
  return {
    recordingStatus: async ({ channel_id }) => statusOf(deps.projects.current(), channel_id),
    async setRecording({ channel_id, ...changes }, context) {
      const session = deps.projects.current();
      const channel = findChannel(session, channel_id);
      const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
      const settings = { ...session.recorder.settings(channel_id), ...given };
      requireTrigger(settings);
      requireOneBandEach(settings);
      for (const [index, { code }] of (changes.dead_bands ?? []).entries())
        if (channel.points.byCode(code) === undefined) context.warn(`dead_bands.${index}.code`, say('history.band_nobody', { code }));
      await session.recorder.set(channel_id, settings);
      return { channel_id, ...settings };
    },
    async readHistory(asked) {
      const session = deps.projects.current();
      const found = findPoints(session, asked);
      const range = rangeOf(asked, deps.clock.wallMs());
      if (questions >= MOST_QUESTIONS) throw new AppError('STATE_BUSY', say('history.busy', { most: MOST_QUESTIONS }));
      questions += 1;
      try {
        const points = found.map(({ channel, point }) => ({ channel: channel.id, point: point.id }));
        const answers = await session.recorder.query({ points, ...range, maxPoints: asked.max_points ?? DEFAULT_SAMPLES });
        const { recorder } = session;
        const turns = new Turns();
        const items: PointHistoryItem[] = [];
        for (const [index, answer] of answers.entries()) {
          items.push(...itemOf(found[index], answer, recorder.liveSince(answer.channel, answer.point)));
          await turns.breathe();
        }
        return { now: isoTime(deps.clock.wallMs()), from: isoTime(range.from), to: isoTime(range.to), items };
      } finally {
        questions -= 1;
      }
    },
  };
}

/** Throws `CONFIG_INVALID` for a condition that is missing or cannot be understood. */
function requireTrigger({ mode, trigger }: RecordingSettings): void {
  if (mode !== 'trigger') return;
  const parsed = parseFormula(trigger);
  if ('fault' in parsed) throw invalidField('trigger', parsed.fault);
  if (parsed.formula.series.length > 0) throw invalidField('trigger', say('history.no_series'));
}

/** Throws `CONFIG_INVALID` for the places in the list whose code was named before. */
function requireOneBandEach({ dead_bands }: RecordingSettings): void {
  const known = new Set<string>();
  const issues = dead_bands.flatMap(({ code }, index) => {
    const isTwice = known.has(code);
    known.add(code);
    return isTwice ? [fieldIssue(`dead_bands.${index}.code`, say('history.band_twice', { code }))] : [];
  });
  if (issues.length > 0) throw invalidInput(issues);
}

async function statusOf(session: ProjectSession, channelId: number | undefined): Promise<RecordingStatus> {
  const { recorder } = session;
  const asked = channelId === undefined ? null : findChannel(session, channelId);
  const { file, octets, channels, failure } = await recorder.status();
  const suspended = recorder.trouble().suspended ?? failure;
  const kept = new Map(channels.map((one) => [one.channel, one]));
  return {
    file,
    file_bytes: octets,
    suspended: suspended && english(suspended),
    ...(suspended && { suspended_message: suspended }),
    channels: (asked ? [asked] : session.channels.list()).map(({ id, settings }) => ({
      channel_id: id,
      device_name: settings.name,
      ...recorder.settings(id),
      samples: kept.get(id)?.samples ?? 0,
      bytes: kept.get(id)?.octets ?? 0,
      oldest: isoTime(kept.get(id)?.oldest ?? null),
      lost: recorder.lost(id),
    })),
  };
}

interface Asked {
  readonly points?: readonly string[] | undefined;
  readonly code?: readonly string[] | undefined;
  readonly device_name?: string | undefined;
  readonly channel_id?: number | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly seconds?: number | undefined;
}

/** Throws `CONFIG_INVALID` where they are not named as they have to be, `CONFIG_NOT_FOUND` for one that is not there. */
function findPoints(session: ProjectSession, { points, code, device_name, channel_id }: Asked): FoundPoint[] {
  if ((points === undefined) === (code === undefined)) throw invalidField('points', say('history.points_or_code'));
  const count = points?.length ?? code?.length ?? 0;
  if (count > MOST_HISTORY_POINTS) throw invalidField('points', say('history.too_many', { count, max: MOST_HISTORY_POINTS }));
  const named = (code ?? []).map((one) => ({ code: one, device_name, channel_id }));
  if (!points) return findNamed(session, named, {}, () => 'code');
  return points.map((text) => {
    const [channel = 0, frameType = 0, id = 0] = text.split(':').map(Number);
    return findPointOf(findChannel(session, channel), id, frameType as FrameType);
  });
}

function rangeOf({ from, to, seconds = HOUR_S }: Asked, now: number): { readonly from: number; readonly to: number } {
  const end = to === undefined ? now : Date.parse(to);
  const begin = from === undefined ? end - 1000 * seconds : Date.parse(from);
  if (begin >= end) throw invalidField(to === undefined ? 'from' : 'to', say('history.backwards'));
  if (end - begin > LONGEST_YEARS * YEAR_MS) throw invalidField('to', say('history.too_long', { years: LONGEST_YEARS }));
  return { from: begin, to: end };
}

const finite = (value: number) => (Number.isFinite(value) ? value : null);
const qualityOf = (index: number) => QUALITIES[index] ?? 'invalid';

function itemOf(
  found: FoundPoint | undefined,
  { total, before, samples, gaps, damaged }: PointHistory,
  liveSince: number | null,
): PointHistoryItem[] {
  if (!found) return [];
  const { channel, point } = found;
  return [
    {
      channel_id: channel.id,
      device_name: channel.settings.name,
      id: point.id,
      frame_type: point.frame_type,
      code: point.code,
      name: point.name,
      unit: point.unit,
      total,
      before: before && sampleOf(before),
      samples: samples.kind === 'raw' ? rawOf(samples) : bucketsOf(samples),
      gaps: gaps.map(({ from, to }) => ({ from: isoTime(from), to: isoTime(to) })),
      damaged_blocks: damaged,
      live_since: isoTime(liveSince),
    },
  ];
}

function sampleOf({ at, value, quality }: HistorySample): NonNullable<PointHistoryItem['before']> {
  return { at: isoTime(at), value: finite(value), quality: qualityOf(quality) };
}

function rawOf({ at, value, quality }: RawHistory): PointHistoryItem['samples'] {
  return { kind: 'raw', at: at.map((ms) => isoTime(ms)), value: value.map(finite), quality: quality.map(qualityOf) };
}

function bucketsOf({ at, widthMs, first, last, min, max, mean, count, notGood }: BucketHistory): PointHistoryItem['samples'] {
  return {
    kind: 'buckets',
    width_ms: widthMs,
    at: at.map((ms) => isoTime(ms)),
    first: first.map(finite),
    last: last.map(finite),
    min: min.map(finite),
    max: max.map(finite),
    mean: mean.map(finite),
    count: [...count],
    not_good: notGood.map(finite),
  };
}
