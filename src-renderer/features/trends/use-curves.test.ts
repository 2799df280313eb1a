import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { aHistory, time } from './testing/a-history.ts';
import type { OtherService, TrendPoint } from './trend-store.ts';
import { axisOf, curvesOf } from './use-curves.ts';

const CABINET: OtherService = { id: 7, name: 'Cabinet 7', session: 's', project: '/a.loopcheck' };
const away = new AppError('TRANSPORT_REFUSED', say('remote.silent', { name: 'Cabinet 7', seconds: 15 }));
const point = (of: OtherService | null): TrendPoint => ({ of, channelId: 1, frameType: 0, id: 1 });
const POINTS = [point(CABINET), point(null)];
const GROUPS = [{ of: null }, { of: CABINET }];
const LIVE = { kind: 'live', seconds: 10 } as const;

/** What a service whose clock shows `now` answered about its last ten seconds, on a way of `tookMs`. */
const answer = (now: number, { sentAt = 100_000, tookMs = 40, code = 'P' } = {}) => ({
  history: { now: time(now), from: time(now - 10_000), to: time(now), items: [aHistory({ code })] },
  sentAt,
  gotAt: sentAt + tookMs,
});
const good = (data: ReturnType<typeof answer>) => ({ data, error: null });

describe('curves of several services', () => {
  it('come in the order of the points, each with the range that its service knows', () => {
    const curves = curvesOf(POINTS, GROUPS, [good(answer(50_000, { code: 'OWN' })), good(answer(48_000, { code: 'THERE' }))]);
    expect(curves.items.map(({ code, of, from, to }) => [code, of?.name, from, to])).toEqual([
      ['THERE', 'Cabinet 7', 38_000, 48_000],
      ['OWN', undefined, 40_000, 50_000],
    ]);
    expect(axisOf(LIVE, [good(answer(50_000)), good(answer(48_000))])).toEqual({ from: 40_000, to: 50_000 });
    expect(axisOf({ kind: 'fixed', from: 3, to: 4 }, [])).toEqual({ from: 3, to: 4 });
  });

  it('tell how far the clocks are apart, and how well that is known', () => {
    const clocks = (there: ReturnType<typeof answer>) =>
      curvesOf(POINTS, GROUPS, [good(answer(50_000)), good(there)]).services.map(({ clock }) => clock);
    expect(clocks(answer(53_500, { tookMs: 200 }))).toEqual([null, { aheadMs: 3420, doubtMs: 120 }]);
    expect(clocks(answer(48_000))).toEqual([null, { aheadMs: -2000, doubtMs: 40 }]);
    // asked a second later: time went on
    expect(clocks(answer(51_000, { sentAt: 101_000 }))).toEqual([null, { aheadMs: 0, doubtMs: 40 }]);
    const older = answer(50_000);
    expect(clocks({ ...older, history: { ...older.history, now: undefined as unknown as string } })).toEqual([null, null]);
  });

  it('end where a service went away, and time goes on without it', () => {
    const answers = [good(answer(60_000)), { data: answer(50_000), error: away }];
    const curves = curvesOf(POINTS, GROUPS, answers);
    expect(curves.services[1]).toMatchObject({ error: away, knownTo: 50_000 });
    expect(curves.items.map(({ to }) => to)).toEqual([50_000, 60_000]);
    expect(axisOf(LIVE, answers).to).toBe(60_000);
    // the first one may be the one that is away
    expect(axisOf(LIVE, [{ data: answer(50_000), error: away }, good(answer(61_000))]).to).toBe(61_000);
    const nobody = [
      { data: undefined, error: away },
      { data: undefined, error: away },
    ];
    expect([curvesOf(POINTS, GROUPS, nobody).items, axisOf(LIVE, nobody).to]).toEqual([[], Number.NaN]);
  });

  it('do not mix up points that have the same numbers in two services, or two projects of one', () => {
    const later = { ...CABINET, session: 't' };
    const curves = curvesOf([point(later)], [{ of: CABINET }], [good(answer(50_000))]);
    expect(curves.items).toEqual([]);
  });
});
