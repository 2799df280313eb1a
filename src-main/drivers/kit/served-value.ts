import { z } from 'zod';
import { type FieldIssue, fieldIssue } from '#shared/domain/errors.ts';
import { LONGEST_FORMULA, parseFormula } from '#shared/domain/formula/formula.ts';
import { ON_SERVER } from '#shared/domain/setting-meta.ts';
import type { NormalPoint, PointConfig } from '../spi/index.ts';

/** What a served point says of its value, among the settings of a point in every protocol. */
export const servedValue = {
  start_value: z
    .number()
    .optional()
    .describe('value that is served from the start of the channel until another one is set; left out: what the protocol has, mostly 0')
    .meta(ON_SERVER),
  simulate: z
    .string()
    .trim()
    .max(LONGEST_FORMULA)
    .optional()
    .describe('formula of the value that is served while the channel runs: 230 + sine(60, 10), delay(CB1_CTRL, 0.1); left out: none')
    .meta(ON_SERVER),
};

type Settings = Pick<PointConfig, 'protocol'>;

/** The value a point is served with at first, as a write takes it; null: none is said. */
export function startValueOf({ protocol }: Settings): number | null {
  const { start_value: value } = protocol;
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** What is wrong with the formula of a point; an empty one is none. */
export function formulaIssues({ protocol }: Pick<NormalPoint, 'protocol'>): FieldIssue[] {
  const { simulate } = protocol;
  if (typeof simulate !== 'string' || simulate.trim() === '') return [];
  const parsed = parseFormula(simulate);
  return 'fault' in parsed ? [fieldIssue('protocol.simulate', parsed.fault)] : [];
}
