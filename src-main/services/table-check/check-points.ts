import type { TableRule } from '#shared/contract/point-files.ts';
import { FINDING_RULES, type FindingSeverity } from '#shared/domain/table-findings.ts';
import type { Steps } from '../../platform/steps.ts';
import type { ChannelTable, LookedTable, Rule, RuleFinding, Tell } from './finding.ts';
import { gapRules } from './gaps.ts';
import { nameRules } from './names.ts';
import { placeRules } from './places.ts';
import { pointRules } from './point-issues.ts';
import { relationRules } from './relations.ts';
import { unitRules } from './units.ts';
import { valueTextRules } from './value-texts.ts';

/** Findings of one rule that are listed; the counts say how many there are. */
const LISTED_A_RULE = 5_000;

/** Rules that look at points alone. */
const TABLE_RULES: readonly Rule<LookedTable>[] = [relationRules, placeRules, nameRules, unitRules, valueTextRules];
/** Rules that look at the channel of the points as well. */
const CHANNEL_RULES: readonly Rule<ChannelTable>[] = [pointRules, gapRules];

/** How often a rule found something, by how much it matters. */
export type FindingCounts = ReadonlyMap<TableRule, Readonly<Record<FindingSeverity, number>>>;

/** What was found in a table. */
export interface TableFindings {
  /** In the order of the table, what is worse first at one point; bounded for each rule. */
  readonly listed: readonly RuleFinding[];
  readonly counts: FindingCounts;
}

/** Findings as they come: counted without end, listed up to a bound for each rule. */
class FindingList {
  readonly listed: RuleFinding[] = [];
  readonly counts = new Map<TableRule, Record<FindingSeverity, number>>();
  readonly #listedOf = new Map<TableRule, number>();

  readonly tell: Tell = (finding) => {
    const { rule, severity } = finding;
    const counts = this.counts.get(rule) ?? { error: 0, warning: 0, hint: 0 };
    counts[severity] += 1;
    this.counts.set(rule, counts);
    const listed = this.#listedOf.get(rule) ?? 0;
    if (listed >= LISTED_A_RULE) return;
    this.#listedOf.set(rule, listed + 1);
    this.listed.push(finding);
  };
}

/** All rules over the points of a channel. */
export function* checkPoints(table: ChannelTable): Steps<TableFindings> {
  const list = new FindingList();
  for (const rule of CHANNEL_RULES) yield* rule(table, list.tell);
  for (const rule of TABLE_RULES) yield* rule(table, list.tell);
  yield;
  const order = new Map<TableRule, number>(FINDING_RULES.map((rule, index) => [rule, index]));
  const place = ({ rule }: RuleFinding) => order.get(rule) ?? 0;
  list.listed.sort((a, b) => a.at - b.at || place(a) - place(b));
  return { listed: list.listed, counts: list.counts };
}

/** The rules that need no channel; each finding goes to `tell`. */
export function* checkTablePoints(table: LookedTable, tell: Tell): Steps<void> {
  for (const rule of TABLE_RULES) yield* rule(table, tell);
}
