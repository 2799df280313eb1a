import type { TableRule } from '#shared/contract/point-files.ts';
import { speak } from '#shared/domain/sentence.ts';
import { TABLE_RULE_TEXTS } from '#shared/domain/table-rule-texts.ts';
import type { RuleParams } from './table-file.ts';

/** The English sentence of a rule. */
export function issueText(rule: TableRule, params: RuleParams): string {
  return speak({ text: TABLE_RULE_TEXTS[rule] }, params).text;
}
