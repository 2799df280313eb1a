import type { TFunction } from 'i18next';
import type { TableIssue } from '#shared/contract/point-files.ts';

/** What an issue says in the language of the page. */
export function issueText(issue: TableIssue, t: TFunction<'files'>): string {
  const { instead } = issue.params;
  const same = instead ? t('sameAs', { code: instead }) : '';
  return t(`rule.${issue.rule}`, { ...issue.params, sentence: issue.message, same });
}

/** True when an issue or change holds for this mode. */
export function holdsFor(mode: 'merge' | 'replace'): (item: { readonly only: 'merge' | 'replace' | null }) => boolean {
  return ({ only }) => only === null || only === mode;
}
