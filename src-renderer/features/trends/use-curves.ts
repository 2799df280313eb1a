import { useQueries } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import type { DataOf, InputOf } from '#shared/contract/index.ts';
import { type AppError, toAppError } from '#shared/domain/errors.ts';
import { serviceApi } from '../../api/client.ts';
import { POLL } from '../../api/hooks.ts';
import { shownService } from '../../api/service-place.ts';
import { withinTime } from '../../api/within-time.ts';
import type { TrendItem } from './chart-data.ts';
import { curveKey, type OtherService, serviceKey, type TrendPoint, type TrendRange, trendKey } from './trend-store.ts';

/** Samples of all curves together; of one at most a thousand. More than the chart has pixels nobody sees. */
const ALL_SAMPLES = 6000;

/** What one service answered, and when on the clock of this page. A class, so that React Query does not look for what is the same in it as before: it is a megabyte. */
class Answer {
  readonly history: DataOf<'readHistory'>;
  readonly sentAt: number;
  readonly gotAt: number;

  constructor(history: DataOf<'readHistory'>, sentAt: number, gotAt: number) {
    this.history = history;
    this.sentAt = sentAt;
    this.gotAt = gotAt;
  }
}

/** What is to be told of a service beside its curves. */
export interface ServiceState {
  /** Null: the one that the page shows. */
  readonly of: OtherService | null;
  readonly error: AppError | null;
  /** Up to when it is known what it has, UTC milliseconds; null: nothing is known of it. */
  readonly knownTo: number | null;
  /** How much its clock is ahead of that of the first service, with the doubt that the way of the question leaves, in milliseconds; null: that is the first, or one does not tell. */
  readonly clock: { readonly aheadMs: number; readonly doubtMs: number } | null;
}

export interface Curves {
  /** In the order of the points; of those that no answer is about there is none. */
  readonly items: readonly TrendItem[];
  readonly from: number;
  readonly to: number;
  readonly services: readonly ServiceState[];
}

/** What is known of the chosen points in the chosen range, from each service that has some of them; of a range that goes on again and again. */
export function useCurves(points: readonly TrendPoint[], range: TrendRange): Curves {
  const last = useRef(new Map<string, Answer>());
  const max_points = Math.min(1000, Math.max(200, Math.floor(ALL_SAMPLES / Math.max(1, points.length))));
  const isLive = range.kind === 'live';
  const span = isLive ? { seconds: range.seconds } : { from: new Date(range.from).toISOString(), to: new Date(range.to).toISOString() };
  // a long range does not move within a second
  const pollMs = !isLive ? false : range.seconds > 3600 ? POLL.slow : POLL.status;
  const groups = useMemo(() => byService(points), [points]);
  const answers = useQueries({
    queries: groups.map(({ of, points: asked }) => {
      const input = { points: asked.map(trendKey).join(','), ...span, max_points };
      const key = serviceKey(of);
      return {
        queryKey: ['readHistory', key, input],
        queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<Answer> => {
          const sentAt = pageNow();
          const history = await (of ? askOther(of, input, signal) : serviceApi(shownService).call('readHistory', input, signal));
          const answer = new Answer(history.data, sentAt, pageNow());
          last.current.set(key, answer);
          return answer;
        },
        // the answer to the question before stays until there is one to this
        placeholderData: () => last.current.get(key),
        // a range that stands still is asked for again only where a service was away
        refetchInterval: (query: { readonly state: { readonly status: string } }) =>
          pollMs || (query.state.status === 'error' ? POLL.slow : false),
        refetchOnWindowFocus: true,
        // ranges that were left are not kept: somebody may walk through a month of them
        gcTime: 0,
      };
    }),
    combine: answeredOf,
  });
  const known = useMemo(() => curvesOf(points, groups, answers), [points, groups, answers]);
  // another range is shown at once, with what is known until its answer is there
  return { ...known, ...axisOf(range, answers) };
}

interface Group {
  readonly of: OtherService | null;
  readonly points: TrendPoint[];
}

/** The points of each service; the shown one is the first where it has some. */
function byService(points: readonly TrendPoint[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const point of points) {
    const group = groups.get(serviceKey(point.of)) ?? { of: point.of, points: [] };
    group.points.push(point);
    groups.set(serviceKey(point.of), group);
  }
  return [...groups.values()].sort((a, b) => Number(a.of !== null) - Number(b.of !== null));
}

/** Sessions of projects that were opened again meanwhile, by the one that was known first. */
const renewed = new Map<string, string>();

/** Asks another service; one that was started again with the same project is asked anew. */
async function askOther(of: OtherService, input: InputOf<'readHistory'>, signal: AbortSignal) {
  const { id, name } = of;
  const ask = () =>
    withinTime(name, signal, (ending) => serviceApi(id, renewed.get(of.session) ?? of.session).call('readHistory', input, ending));
  try {
    return await ask();
  } catch (thrown) {
    if (toAppError(thrown).said.code !== 'service.meant_other_project') throw thrown;
    const service = serviceApi(id);
    const { project_session } = (await withinTime(name, signal, (ending) => service.call('serviceInfo', {}, ending))).data;
    const { path } = (await withinTime(name, signal, (ending) => service.call('projectInfo', {}, ending))).data;
    if (path !== of.project) throw thrown;
    renewed.set(of.session, project_session);
    return ask();
  }
}

/** What `useQueries` says of each group. */
interface Answered {
  readonly data: Answer | undefined;
  readonly error: AppError | null;
}

function answeredOf(results: readonly { readonly data: Answer | undefined; readonly error: Error | null }[]): readonly Answered[] {
  return results.map(({ data, error }) => ({ data, error: error && toAppError(error) }));
}

/** What the chart shows. Time goes on with the first service that answers. */
export function axisOf(range: TrendRange, answers: readonly Answered[]): Pick<Curves, 'from' | 'to'> {
  if (range.kind === 'fixed') return { from: range.from, to: range.to };
  const present = answers.find(({ data, error }) => data && !error) ?? answers.find(({ data }) => data);
  const to = Date.parse(present?.data?.history.to ?? '');
  return { from: to - 1000 * range.seconds, to };
}

/** Puts the answers of the services together; exported to be proved without a page. */
export function curvesOf(
  points: readonly TrendPoint[],
  groups: readonly { readonly of: OtherService | null }[],
  answers: readonly Answered[],
): Omit<Curves, 'from' | 'to'> {
  const items = new Map<string, TrendItem>();
  for (const [index, { data }] of answers.entries()) {
    const of = groups[index]?.of ?? null;
    for (const item of data?.history.items ?? []) {
      const { channel_id, frame_type, id } = item;
      const known = { of, from: Date.parse(data?.history.from ?? ''), to: Date.parse(data?.history.to ?? '') };
      items.set(curveKey({ of, channelId: channel_id, frameType: frame_type, id }), { ...item, ...known });
    }
  }
  const first = answers.find(({ data }) => data)?.data;
  return {
    // the answer before a point was removed still has it
    items: points.flatMap((point) => items.get(curveKey(point)) ?? []),
    services: answers.map(({ data, error }, index) => ({
      of: groups[index]?.of ?? null,
      error,
      knownTo: data ? Date.parse(data.history.to) : null,
      clock: data && first && data !== first ? clockOf(data, first) : null,
    })),
  };
}

/** How far the clocks of two services are apart: each was asked for its time in the middle between question and answer, as far as anybody knows. */
function clockOf(answer: Answer, first: Answer): ServiceState['clock'] {
  const ahead = ({ history, sentAt, gotAt }: Answer) => Date.parse(history.now) - (sentAt + gotAt) / 2;
  const doubt = ({ sentAt, gotAt }: Answer) => (gotAt - sentAt) / 2;
  const aheadMs = ahead(answer) - ahead(first);
  // one of an older version does not say its time
  return Number.isFinite(aheadMs) ? { aheadMs, doubtMs: doubt(answer) + doubt(first) } : null;
}

/** A clock that nobody sets while the page lives. */
function pageNow(): number {
  return performance.timeOrigin + performance.now();
}
