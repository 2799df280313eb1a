import type { TFunction } from 'i18next';
import type { TableIssue } from '#shared/contract/point-files.ts';
import { paramsInWords } from '../../i18n/words.ts';
import type { Terms } from '../channels/protocol-facts.ts';

const NO_TERMS: Terms = { slave: '', address: '' };

/** Rules about the slave or the address of a point, which some protocols have other words for. */
const RULE_TERMS: Readonly<Record<string, keyof Terms>> = { address_invalid: 'address', slave_invalid: 'slave' };

/** What an issue says in the language of the page. */
export function issueText(issue: Pick<TableIssue, 'rule' | 'params'>, t: TFunction<'files'>, terms: Terms = NO_TERMS): string {
  // Which parameters a rule has is known only when it is told.
  const translate = t as (key: string, params: Readonly<Record<string, unknown>>) => string;
  const term = RULE_TERMS[issue.rule];
  const context = term === undefined ? '' : terms[term];
  return translate(`rule.${issue.rule}`, { ...paramsInWords(issue.params), context });
}

/** True when an issue or change holds for this mode. */
export function holdsFor(mode: 'merge' | 'replace'): (item: { readonly only: 'merge' | 'replace' | null }) => boolean {
  return ({ only }) => only === null || only === mode;
}
