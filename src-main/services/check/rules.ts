import type { CheckReference, Expectation } from '#shared/contract/check.ts';
import { FrameType } from '#shared/domain/enums.ts';
import type { PointConfig } from '../../drivers/spi/index.ts';
import { enumTextsOf } from '../rows.ts';
import type { CheckedChannel } from './elsewhere/checked-channel.ts';

/** How expectations are made from a table. */
export interface CheckRules {
  readonly references: 'none' | 'limits' | 'zero_and_upper';
  readonly tolerance: number;
  readonly percent: number;
  readonly within_ms: number;
}

/** More texts than these are a list of codes, not the positions of a switch. */
const MOST_STATES = 4;
/** Open and closed. A double point has these numbers as well; what is in between is no position. */
const POSITIONS = [0, 1];

/** The expectation that a point of the table gets. */
export function expectationOf(channel: CheckedChannel, point: PointConfig, rules: CheckRules): Expectation {
  const { tolerance, percent } = rules;
  switch (point.frame_type) {
    case FrameType.yx:
      return { kind: 'states', states: statesOf(point) };
    case FrameType.yc:
      return { kind: 'values', references: referencesOf(point, rules) };
    case FrameType.yk:
      return { kind: 'command', value: 1, feedback: feedbackOf(channel, point), within_ms: rules.within_ms };
    case FrameType.yt:
      return { kind: 'setpoint', value: null, tolerance, percent, restore: true };
  }
}

/** Positions of a signal: those its texts name, else open and closed. */
function statesOf(point: PointConfig): number[] {
  const texts = enumTextsOf(point);
  const named = texts === null ? [] : Object.keys(texts).map(Number);
  return named.length >= 2 && named.length <= MOST_STATES ? named.sort((one, other) => one - other) : POSITIONS;
}

function referencesOf({ min_limit: min, max_limit: max }: PointConfig, { references, tolerance, percent }: CheckRules): CheckReference[] {
  const values = references === 'none' ? [] : references === 'limits' ? [min, max] : max === null ? [] : [0, max];
  return [...new Set(values.filter((value) => value !== null))].map((value) => ({ value, tolerance, percent }));
}

/** State that the related point takes after the command `1`; null without one that can be read. */
function feedbackOf(channel: CheckedChannel, { related_code }: PointConfig): number | null {
  const id = related_code === '' ? undefined : channel.points.byCode(related_code);
  const related = id === undefined ? undefined : channel.points.config(id);
  return related && channel.driver.isReadable(related) ? 1 : null;
}
