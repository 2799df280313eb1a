import type { TableRule } from '#shared/contract/point-files.ts';
import { type FieldIssue, issueMessage } from '#shared/domain/errors.ts';
import type { MessageParams } from '#shared/messages/message.ts';
import type { NormalPoint } from '../../drivers/spi/index.ts';
import type { Steps } from '../../platform/steps.ts';
import { checkProtocolSettings } from '../channel-settings.ts';
import { normalPoint } from '../normal-point.ts';
import { likeFactors } from './factors.ts';
import { type ChannelTable, type Mend, POINTS_A_STEP, type Tell } from './finding.ts';

/** Rules of what a driver says of a field. */
const RULES: Readonly<Record<string, TableRule>> = {
  func_code: 'function_invalid',
  address: 'address_invalid',
  slave_id: 'slave_invalid',
  bit: 'bit_invalid',
};

/** The rule of an issue that a driver has with a point, and what stands in its sentence. */
export function ruleOfIssue(issue: FieldIssue): { readonly rule: TableRule; readonly params: MessageParams } {
  const message = issueMessage(issue);
  const rule = RULES[issue.path];
  return rule === undefined ? { rule: 'setting_invalid', params: { field: issue.path, message } } : { rule, params: { message } };
}

/**
 * What a driver refuses because of the factor or the limits has a sentence of its own. Limits that were exchanged are mended; where one of them is 0 it
 * may as well mean that there is none.
 */
export function scaleFinding(point: NormalPoint, path: string): { rule: TableRule; params: MessageParams; mend: Mend | null } | null {
  const { mul_coe: factor, min_limit: min, max_limit: max } = point;
  if (path === 'mul_coe' && factor === 0) return { rule: 'factor_zero', params: {}, mend: null };
  if (path !== 'min_limit' || min === null || max === null || min <= max) return null;
  return { rule: 'limits_inverted', params: { min, max }, mend: min === 0 || max === 0 ? null : { min_limit: max, max_limit: min } };
}

/** Points that would be refused if they were entered now: the settings of the channel, or the model of the device, are others than then. */
export function* pointRules(table: ChannelTable, tell: Tell): Steps<void> {
  const { points, driver, settings, model } = table;
  const factorOf = yield* likeFactors(table);
  function tellIssue(issue: FieldIssue, severity: 'error' | 'warning', point: NormalPoint, at: number): void {
    const { path } = issue;
    const found = scaleFinding(point, path) ?? { ...ruleOfIssue(issue), mend: null };
    const mend = found.rule === 'factor_zero' ? factorOf(point) : found.mend;
    tell({ ...found, mend, severity, at, field: path, about: `${path} ${issue.message}` });
  }
  for (const [at, point] of points.entries()) {
    if (at % POINTS_A_STEP === 0) yield;
    if (!table.isOwn(at)) continue;
    const unknown: FieldIssue[] = [];
    checkProtocolSettings(driver.descriptor.pointSettings, point.protocol, 'protocol', unknown, { warn() {} });
    const { issues, warnings = [] } = normalPoint(driver, point, settings, model);
    for (const issue of [...unknown, ...issues]) tellIssue(issue, 'error', point, at);
    for (const issue of warnings) tellIssue(issue, 'warning', point, at);
  }
}
