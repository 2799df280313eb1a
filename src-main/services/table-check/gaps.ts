import type { Steps } from '../../platform/steps.ts';
import { type ChannelTable, POINTS_A_STEP, type Tell } from './finding.ts';

/** Gaps between requests that cost more line time than reading over them would. */
export function* gapRules(table: ChannelTable, tell: Tell): Steps<void> {
  const { driver, settings, points } = table;
  if (!driver.forecast) return;
  const readable = points.flatMap((point, at) => {
    // a plan tells points apart by their ids; the place in the table is as good
    const config = { ...point, id: at, channel_id: 0 };
    return driver.isReadable(config) ? [config] : [];
  });
  yield;
  const options = { mode: 'batch', turnRoundMs: table.turnRoundMs, withLargerGaps: false, withGaps: true } as const;
  const { gaps = [] } = yield* driver.forecast(readable, settings, options);
  for (const [index, { pointId: at, beforeId, addresses, ms }] of gaps.entries()) {
    if (index % POINTS_A_STEP === 0) yield;
    const code = points[beforeId]?.code ?? '';
    const params = { code, count: addresses, ms: Math.round(ms * 10) / 10 };
    if (table.isOwn(at))
      tell({ rule: 'gap_costs', severity: 'hint', params, at, field: 'address', about: `${code} ${addresses}`, mend: null });
  }
}
