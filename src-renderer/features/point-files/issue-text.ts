import type { TFunction } from 'i18next';
import type { TableIssue } from '#shared/contract/point-files.ts';

/** What an issue says in the language of the page. */
export function issueText(issue: TableIssue, t: TFunction<'files'>, context = ''): string {
  const { instead } = issue.params;
  const same = instead ? t('sameAs', { code: instead }) : '';
  // Which parameters a rule has is known only when it is told.
  const translate = t as (key: string, params: Readonly<Record<string, unknown>>) => string;
  return translate(`rule.${issue.rule}`, { ...issue.params, same, context });
}

/** True when an issue or change holds for this mode. */
export function holdsFor(mode: 'merge' | 'replace'): (item: { readonly only: 'merge' | 'replace' | null }) => boolean {
  return ({ only }) => only === null || only === mode;
}
