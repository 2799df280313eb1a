import type { Channel } from '#shared/contract/channels.ts';
import type { DataOf, InputOf } from '#shared/contract/index.ts';
import type { Point } from '#shared/contract/points.ts';
import { numberText } from '#shared/domain/number-text.ts';
import { delay } from '../../platform/clock.ts';
import type { CliService } from './client.ts';
import { type CliContext, channelsOf, deviceNamed } from './context.ts';
import { misuse } from './fault.ts';

type NamedPoint = InputOf<'readPoints'>['points'][number];

/** Points that the API takes at once. */
export const MOST_POINTS = 10_000;
const PAGE = 10_000;
/** How long the first readings of a service that was started for this command are waited for. */
const FIRST_READING_MS = 20_000;
const LOOK_MS = 100;

/**
 * A point as a person names it: `CODE`, or `DEVICE/CODE`. The longest device whose name stands before a slash is meant; codes and names of devices may have slashes themselves. With
 * `device` the whole text is a code.
 */
export function namedPoint(text: string, channels: readonly Pick<Channel, 'name'>[], device: string | undefined): NamedPoint {
  if (device !== undefined) return { device_name: device, code: text };
  const [longest] = channels
    .map(({ name }) => name)
    .filter((name) => text.startsWith(`${name}/`) && text.length > name.length + 1)
    .sort((left, right) => right.length - left.length);
  return longest === undefined ? { code: text } : { device_name: longest, code: text.slice(longest.length + 1) };
}

/** Points with their devices. */
export interface ChosenPoints {
  readonly channels: readonly Channel[];
  /** Names as the API takes them; null: the whole table of `device`. */
  readonly named: readonly NamedPoint[] | null;
  readonly points: readonly Point[];
  /** Name of the device of a point. */
  deviceOf(point: Pick<Point, 'channel_id'>): string;
}

/** The points that the words and `--device` mean, as the table has them. Throws a `CliFault` without any, and what the API says of an unknown code or one of several devices. */
export async function choosePoints(context: CliContext, service: CliService, codes: readonly string[]): Promise<ChosenPoints> {
  const { options, speech, io, command } = context;
  const device = options.text('device');
  if (codes.length === 0 && device === undefined) throw misuse(speech.fill(speech.own.needsCodes, { command }));
  requireFew(context, codes.length);
  const channels = await channelsOf(service, io.signal);
  const channel = device === undefined ? undefined : deviceNamed(channels, device, speech);
  const names = new Map(channels.map(({ id, name }) => [id, name]));
  const deviceOf = ({ channel_id }: Pick<Point, 'channel_id'>) => names.get(channel_id) ?? String(channel_id);
  if (codes.length === 0 && channel) return { channels, named: null, points: await wholeTable(service, channel.id, io.signal), deviceOf };
  const named = codes.map((code) => namedPoint(code, channels, channel?.name));
  const { items } = (await service.api.call('readPoints', { points: named }, io.signal)).data;
  return { channels, named, points: items, deviceOf };
}

/** Refuses more points than one request takes. */
export function requireFew({ speech: { own, fill } }: CliContext, count: number, max = MOST_POINTS): void {
  if (count > max) throw misuse(fill(own.tooManyCodes, { count, max }));
}

/** All points of a channel, from memory. */
export async function wholeTable({ api }: CliService, channelId: number, signal: AbortSignal): Promise<Point[]> {
  const points: Point[] = [];
  for (let page = 1; ; page += 1) {
    const { items, total } = (await api.call('pointTable', { channel_id: channelId, page, page_size: PAGE }, signal)).data;
    points.push(...items);
    if (items.length === 0 || points.length >= total) return points;
  }
}

/** Starts the channels of these points in a service of our own: nobody else did. Answers what a start throws. */
export async function startOwnChannels(service: CliService, { channels, points }: ChosenPoints, signal: AbortSignal): Promise<void> {
  if (!service.isOwn) return;
  const needed = new Set(points.map(({ channel_id }) => channel_id));
  for (const { id, status } of channels) {
    if (needed.has(id) && status !== 'running') await service.api.call('startDevice', { channel_id: id }, signal);
  }
}

/** Reads points from their devices, each device by one task. The timeout is that of each device, in ms. */
export async function readFresh(
  { api }: CliService,
  { points }: ChosenPoints,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<DataOf<'readPoints'> & { readonly isComplete: boolean }> {
  const byChannel = Map.groupBy(points, ({ channel_id }) => channel_id);
  const read = new Map<number, Point>();
  let task: DataOf<'readPoints'>['task'] = null;
  let isComplete = true;
  for (const [channel_id, ofOne] of byChannel) {
    const names = ofOne.map(({ code }) => ({ code }));
    const answer = (await api.call('readPoints', { points: names, channel_id, fresh: true, timeout_ms: timeoutMs }, signal)).data;
    for (const point of answer.items) read.set(point.id, point);
    task = answer.task;
    if (task?.state === 'running' || task?.state === 'stopping') isComplete = false;
  }
  return { items: points.map((point) => read.get(point.id) ?? point), task, isComplete };
}

/** Waits until each point was read once or failed, in a demo that has just begun to read; some seconds at most. */
export async function afterFirstReading(context: CliContext, service: CliService, chosen: ChosenPoints): Promise<readonly Point[]> {
  const { clock, io } = context;
  const end = clock.monotonicMs() + FIRST_READING_MS;
  for (;;) {
    const points = await lookAgain(service, chosen, io.signal);
    if (points.every(({ quality, error }) => quality !== 'never' || error !== null) || clock.monotonicMs() > end) return points;
    await delay(clock, LOOK_MS, io.signal);
  }
}

/** The same points as they are now, from memory. */
async function lookAgain({ api }: CliService, { points }: ChosenPoints, signal: AbortSignal): Promise<readonly Point[]> {
  const items: Point[] = [];
  for (let at = 0; at < points.length; at += MOST_POINTS) {
    const named = points.slice(at, at + MOST_POINTS).map(({ channel_id, code }) => ({ channel_id, code }));
    items.push(...(await api.call('readPoints', { points: named }, signal)).data.items);
  }
  return items;
}

/** A value as people read it: words or exact digits where the number does not say it, a dash before the first reading. */
export function valueText({
  value,
  value_text,
  quality,
}: Pick<Point, 'value' | 'quality'> & { readonly value_text?: string | undefined }): string {
  if (value_text) return value_text;
  if (quality === 'never') return '-';
  return numberText(value);
}
