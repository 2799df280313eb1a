import type { NormalPoint } from '../../drivers/spi/index.ts';
import type { Steps } from '../../platform/steps.ts';
import { type LookedTable, POINTS_A_STEP, type Tell } from './finding.ts';

/** How far from a whole number a raw value may be reckoned. */
const NEARLY = 1e-6;

/** Texts of values that no raw number makes. */
export function* valueTextRules(table: LookedTable, tell: Tell): Steps<void> {
  for (const [at, point] of table.points.entries()) {
    if (at % POINTS_A_STEP === 0) yield;
    if (table.isOwn(at)) tellTexts(point, at, table, tell);
  }
}

function tellTexts(point: NormalPoint, at: number, { driver }: LookedTable, tell: Tell): void {
  const texts = point.protocol.enum_texts;
  if (typeof texts !== 'object' || texts === null || point.mul_coe === 0) return;
  const range = driver.rawRange?.(point) ?? null;
  if (!range) return;
  const fits = (value: string) => {
    const raw = (Number(value) - point.add_coe) / point.mul_coe;
    return raw >= range.least - NEARLY && raw <= range.most + NEARLY && Math.abs(raw - Math.round(raw)) < NEARLY;
  };
  const unfit = Object.keys(texts).filter((value) => !fits(value));
  if (unfit.length === 0) return;
  const ends = [range.least, range.most].map((raw) => Number((raw * point.mul_coe + point.add_coe).toPrecision(15)));
  const [least, most] = [Math.min(...ends), Math.max(...ends)];
  const kept = Object.fromEntries(Object.entries(texts).filter(([value]) => fits(value)));
  const { enum_texts: _, ...others } = point.protocol;
  // what is left out was never to be seen
  const mend = { protocol: Object.keys(kept).length > 0 ? { ...others, enum_texts: kept } : others };
  const params = { values: unfit, least, most };
  tell({ rule: 'text_unfit', severity: 'warning', params, at, field: 'protocol.enum_texts', about: unfit.join(' '), mend });
}
