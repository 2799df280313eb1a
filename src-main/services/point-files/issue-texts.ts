import type { TableRule } from '#shared/contract/point-files.ts';
import { TABLE_RULE_TEXTS } from '#shared/domain/table-rule-texts.ts';
import type { RuleParams } from './table-file.ts';

/** The English sentence of a rule. */
export function issueText(rule: TableRule, params: RuleParams): string {
  const same = params.instead ? `, which is ${params.instead}` : '';
  const values: RuleParams = { ...params, same };
  return TABLE_RULE_TEXTS[rule].replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''));
}
