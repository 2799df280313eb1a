import type { TableIssue, TableRule } from '#shared/contract/point-files.ts';
import { issueText } from './issue-texts.ts';
import type { RuleParams } from './table-file.ts';
import { cellName } from './workbook.ts';

/** More than this is counted, not listed. */
const LISTED = 2_000;

/** Where in a file something is. Row from 1 as a spreadsheet counts; column from 0. */
export interface FilePlace {
  readonly sheet?: string;
  readonly row?: number;
  readonly column?: { readonly header: string; readonly index: number } | undefined;
}

/** What is wrong with a file, or worth a look: counted without end, listed up to a bound. */
export class IssueList {
  readonly #listed: TableIssue[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** In the order in which they were found. */
  get listed(): readonly TableIssue[] {
    return this.#listed;
  }

  add(rule: TableRule, params: RuleParams, place: FilePlace = {}): void {
    this.#count += 1;
    if (this.#listed.length >= LISTED) return;
    const { sheet = '', row = null, column } = place;
    this.#listed.push({
      rule,
      params: { ...params },
      sheet,
      row,
      column: column?.header ?? '',
      cell: row !== null && column ? cellName(row - 1, column.index) : '',
      message: issueText(rule, params),
      only: null,
    });
  }

  /** Takes over what another list has. */
  append(other: IssueList): void {
    this.#count += other.#count;
    this.#take(other.#listed, null);
  }

  /** Takes over the lists of two modes; what both have is listed once, the rest with the mode it holds for. Either may be null. */
  appendModes(merge: IssueList | null, replace: IssueList | null): void {
    const inMerge = new Set(merge?.listed.map(keyOf));
    const inReplace = new Set(replace?.listed.map(keyOf));
    this.#count += Math.max(merge?.count ?? 0, replace?.count ?? 0);
    this.#take(merge?.listed.filter((issue) => replace === null || inReplace.has(keyOf(issue))) ?? [], null);
    if (replace === null) return;
    this.#take(merge?.listed.filter((issue) => !inReplace.has(keyOf(issue))) ?? [], 'merge');
    this.#take(
      replace.listed.filter((issue) => !inMerge.has(keyOf(issue))),
      merge === null ? null : 'replace',
    );
  }

  #take(issues: readonly TableIssue[], only: TableIssue['only']): void {
    for (const issue of issues.slice(0, LISTED - this.#listed.length)) this.#listed.push({ ...issue, only });
  }
}

function keyOf(issue: TableIssue): string {
  return `${issue.rule} ${issue.sheet} ${issue.row} ${issue.cell} ${issue.message}`;
}

/** Two lists of one file: what keeps it out, and what is only told. */
export interface Findings {
  readonly errors: IssueList;
  readonly warnings: IssueList;
}

export function newFindings(): Findings {
  return { errors: new IssueList(), warnings: new IssueList() };
}
