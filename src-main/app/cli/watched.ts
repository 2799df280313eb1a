import type { z } from 'zod';
import type { StreamValue } from '#shared/contract/live.ts';
import type { CliService } from './client.ts';
import type { CliContext } from './context.ts';
import { type ChosenPoints, choosePoints } from './points.ts';

export type WatchedValue = z.output<typeof StreamValue>;

/** Room of a request line; more codes than go into it are picked out here. */
const LONGEST_QUERY = 6000;

/** What is watched in one opened project. */
export interface Watched {
  /** Query of the stream: at least what is wanted, from now on or everything as it is. */
  query(isAll: boolean): URLSearchParams;
  /** True for a point that somebody named. */
  wants(channelId: number, value: WatchedValue): boolean;
  unitOf(id: number): string;
  readonly chosen: ChosenPoints;
  /** Widths that are known before: of the devices and codes. */
  readonly texts: { readonly devices: readonly string[]; readonly codes: readonly string[] };
}

/** Finds what the words of `watch` mean in the project that is open now. Throws what `choosePoints` throws. */
export async function findWatched(context: CliContext, service: CliService): Promise<Watched> {
  const chosen = await choosePoints(context, service, context.words);
  const ids = new Set(chosen.points.map(({ id }) => id));
  const units = new Map(chosen.points.map(({ id, unit }) => [id, unit]));
  const device = chosen.named === null ? chosen.channels.find(({ name }) => name === context.options.text('device')?.trim()) : undefined;
  const channelIds = device ? [device.id] : [...new Set(chosen.points.map(({ channel_id }) => channel_id))];
  const codes = device ? [] : [...new Set(chosen.points.map(({ code }) => code))];
  return {
    chosen,
    query(isAll) {
      const query = new URLSearchParams({ kinds: 'values', channel_id: channelIds.join(',') });
      if (isAll) query.set('since', 'all');
      const narrow = new URLSearchParams(query);
      for (const code of codes) narrow.append('code', code);
      return codes.length > 0 && narrow.toString().length <= LONGEST_QUERY ? narrow : query;
    },
    wants: (channelId, { id }) => (device ? channelId === device.id : ids.has(id)),
    unitOf: (id) => units.get(id) ?? '',
    texts: {
      devices: chosen.points.length > 0 ? channelIds.map((channel_id) => chosen.deviceOf({ channel_id })) : [],
      codes: chosen.points.map(({ code }) => code),
    },
  };
}
