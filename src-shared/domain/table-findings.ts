import type { TableRule } from '../contract/point-files.ts';

/** How much a finding matters: `error` is refused where it is entered anew; `warning` is probably wrong; `hint` is worth a look. */
export const FINDING_SEVERITIES = ['error', 'warning', 'hint'] as const;
export type FindingSeverity = (typeof FINDING_SEVERITIES)[number];

/** Rules that look at points as they are in a table, whether it comes from a file or stands in a channel. */
export const FINDING_RULES = [
  'factor_zero',
  'limits_inverted',
  'function_invalid',
  'address_invalid',
  'slave_invalid',
  'bit_invalid',
  'setting_invalid',
  'same_address',
  'overlap',
  'related_missing',
  'related_type',
  'no_feedback',
  'name_twice',
  'unit_differs',
  'text_unfit',
  'gap_costs',
] as const satisfies readonly TableRule[];
export type FindingRule = (typeof FINDING_RULES)[number];
