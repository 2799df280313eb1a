import { z } from 'zod';
import { ON_SERVER } from '#shared/domain/setting-meta.ts';
import type { PointConfig } from '../spi/index.ts';

/** What a served point begins with, among the settings of a point in every protocol. */
export const startValue = {
  start_value: z
    .number()
    .optional()
    .describe('value that is served from the start of the channel until another one is set; left out: what the protocol has, mostly 0')
    .meta(ON_SERVER),
};

/** The value a point is served with at first, as a write takes it; null: none is said. */
export function startValueOf({ protocol }: Pick<PointConfig, 'protocol'>): number | null {
  const { start_value: value } = protocol;
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
