/** Whether a report is about the data set that its block has: nothing of one that is not becomes a value. */
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { suits } from '../mms/type-check.ts';
import type { MmsType } from '../mms/types.ts';
import { dataSetName, keyOf, parseReference } from '../model/references.ts';
import type { Report } from './report.ts';

/** What reports of a block are about. */
export interface ReportedSet {
  /** `LD/LN$name`. */
  readonly dataSet: string;
  /** ConfRev of the block; null where it tells none. */
  readonly revision: number | null;
  /** `LD/LN$FC$DO[$DA]` in order. */
  readonly members: readonly string[];
  /** Null for a member whose type is not known. */
  readonly types: readonly (MmsType | null)[];
  /** Members of whose values nobody knows which is which; left out: there are none. */
  readonly unsure?: ReadonlySet<string>;
}

/** Throws `PROTOCOL_MISMATCH` for a report with another data set, revision, number of members, with names or values of other members. */
export function requireMembers(report: Report, { dataSet, revision, members, types }: ReportedSet): void {
  const { id } = report;
  if (report.dataSet !== null && (dataSetName(report.dataSet) ?? report.dataSet) !== dataSet) {
    throw mismatch(say('report.other_set', { id, came: report.dataSet, set: dataSet }));
  }
  if (report.revision !== null && revision !== null && report.revision !== revision) {
    throw mismatch(say('report.other_revision', { id, came: report.revision, revision }));
  }
  if (report.memberCount !== members.length) {
    throw mismatch(say('report.other_count', { id, count: report.memberCount, set: dataSet, members: members.length }));
  }
  for (const { place, reference, value } of report.members) {
    const member = members[place] ?? '';
    if (reference !== null && !isNameOf(reference, member)) throw mismatch(say('report.other_member', { id, came: reference, member }));
    const type = types[place] ?? null;
    if (type && value.kind !== 'failure' && !suits(type, value)) throw mismatch(say('report.other_type', { id, member }));
  }
}

/** Data references are written like the members, by some devices with dots. */
function isNameOf(reference: string, member: string): boolean {
  if (reference === member) return true;
  const parsed = parseReference(reference);
  return parsed !== null && keyOf(parsed) === member;
}

function mismatch(message: Message): AppError {
  return new AppError('PROTOCOL_MISMATCH', message);
}
