import { create } from 'zustand';
import type { FrameType } from '#shared/domain/enums.ts';

/** Curves that the service answers at once. */
export const MOST_CURVES = 20;

/** A service beside the one that the page shows, with the project whose ids are meant. */
export interface OtherService {
  /** Null: the one the page came from, while it shows another one. */
  readonly id: number | null;
  readonly name: string;
  readonly session: string;
  /** File of that project: a service that was started again has the same project under another session. */
  readonly project: string;
}

/** A point whose curve is shown. */
export interface TrendPoint {
  /** Null: the service that the page shows. */
  readonly of: OtherService | null;
  readonly channelId: number;
  readonly frameType: FrameType;
  readonly id: number;
}

/** What is looked at: the last seconds, going on, or a stretch that stands still (UTC milliseconds). */
export type TrendRange =
  | { readonly kind: 'live'; readonly seconds: number }
  | { readonly kind: 'fixed'; readonly from: number; readonly to: number };

interface TrendState {
  /** Session of the project that the points are of. */
  readonly session: string | null;
  readonly points: readonly TrendPoint[];
  readonly range: TrendRange;
  /** Cursors, UTC milliseconds. */
  readonly cursors: Readonly<Record<'a' | 'b', number | null>>;
  add(session: string | null, point: TrendPoint): void;
  remove(point: TrendPoint): void;
  show(range: TrendRange): void;
  setCursor(name: 'a' | 'b', at: number | null): void;
  /** Of another project nothing is shown. */
  belongTo(session: string | null): void;
}

/** As the API names a point within its service. */
export const trendKey = ({ channelId, frameType, id }: Omit<TrendPoint, 'of'>) => `${channelId}:${frameType}:${id}`;

/** Tells services apart, and projects of one of them; '' is the shown one. */
export const serviceKey = (of: OtherService | null) => (of === null ? '' : `${of.id ?? 0} ${of.session}`);

/** Tells curves apart. */
export const curveKey = (point: TrendPoint) => `${serviceKey(point.of)} ${trendKey(point)}`;

/** Curves, range and cursors, as long as the page lives. They are those of every channel and service: curves of several are looked at together. */
export const useTrendStore = create<TrendState>()((set) => ({
  session: null,
  points: [],
  range: { kind: 'live', seconds: 600 },
  cursors: { a: null, b: null },
  add: (session, point) =>
    set(({ points }) => {
      const isShown = points.some((one) => curveKey(one) === curveKey(point));
      return isShown || points.length >= MOST_CURVES ? {} : { session, points: [...points, point] };
    }),
  remove: (point) => set(({ points }) => ({ points: points.filter((one) => curveKey(one) !== curveKey(point)) })),
  show: (range) => set({ range }),
  setCursor: (name, at) => set(({ cursors }) => ({ cursors: { ...cursors, [name]: at } })),
  belongTo: (session) => set((state) => (state.session === session ? {} : { session, points: [], cursors: { a: null, b: null } })),
}));
