/** Reports as they come: an InformationReport taken apart by the OptFlds it carries itself (IEC 61850-8-1, 17.2). */
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Bits, InformationReport } from '../mms/pdu.ts';
import type { MmsResult, MmsValue } from '../mms/types.ts';
import { hasBit } from '../model/quality.ts';
import { utcMs } from '../model/time.ts';
import { OPTION, OPTION_BITS, type Option, REASON_SIZES, reasonBits } from './bits.ts';

/** A member of the data set that a report brings. */
export interface IncludedMember {
  /** Place in the data set, from 0. */
  readonly place: number;
  /** Data reference as it came; null where the report has none. */
  readonly reference: string | null;
  readonly value: MmsResult;
  /** Bits of the reason for inclusion; null where the report has none. */
  readonly reasons: readonly number[] | null;
}

/** One report, or one segment of it. What its OptFlds do not announce is null. Octets are views. */
export interface Report {
  readonly id: string;
  readonly sequence: number | null;
  /** TimeOfEntry, UTC milliseconds; null also for a time that was never set. */
  readonly entryTime: number | null;
  readonly dataSet: string | null;
  readonly hasOverflow: boolean | null;
  readonly entryId: Uint8Array | null;
  readonly revision: number | null;
  readonly segment: { readonly number: number; readonly isLast: boolean } | null;
  /** Members of the data set by the inclusion bit string. */
  readonly memberCount: number;
  readonly members: readonly IncludedMember[];
}

/** Name of the variable list of every report. */
const REPORT_LIST = 'RPT';
const ENTRY_ID_OCTETS = 8;

/** True for an InformationReport that is a report of a control block. */
export function isReport({ spec }: InformationReport): boolean {
  return spec.kind === 'list' && spec.name.item === REPORT_LIST;
}

/** Takes a report apart. Throws `PROTOCOL_MALFORMED` for one that has not just the values that its OptFlds and inclusion bits announce. */
export function decodeReport(report: InformationReport): Report {
  const fields = new Fields(report.results);
  const id = fields.begin();
  const options = fields.bits('OptFlds');
  if (options.size !== OPTION_BITS) throw fields.wrong('OptFlds', `bit-string (${options.size})`, `bit-string (${OPTION_BITS})`);
  const has = (option: Option) => hasBit(options.octets, OPTION[option]);
  const sequence = has('sequence_number') ? fields.whole('SqNum') : null;
  const entryTime = has('time_stamp') ? utcMs(fields.one('TimeOfEntry', 'binary-time')) : null;
  const dataSet = has('data_set') ? fields.text('DatSet') : null;
  const hasOverflow = has('buffer_overflow') ? fields.one('BufOvfl', 'boolean').value : null;
  const entryId = has('entry_id') ? entryIdOf(fields) : null;
  const revision = has('revision') ? fields.whole('ConfRev') : null;
  const segment = has('segmentation') ? segmentOf(fields) : null;
  const inclusion = fields.bits('Inclusion');
  const members = membersOf(fields, inclusion, has);
  fields.end();
  const memberCount = inclusion.size;
  return { id, sequence, entryTime, dataSet, hasOverflow, entryId, revision, segment, memberCount, members };
}

function entryIdOf(fields: Fields): Uint8Array {
  const { octets } = fields.one('EntryID', 'octet-string');
  if (octets.length === ENTRY_ID_OCTETS) return octets;
  throw fields.wrong('EntryID', `octet-string (${octets.length})`, `octet-string (${ENTRY_ID_OCTETS})`);
}

function segmentOf(fields: Fields): Report['segment'] {
  const number = fields.whole('SubSqNum');
  return { number, isLast: !fields.one('MoreSegmentsFollow', 'boolean').value };
}

type Filled = { -readonly [Key in keyof IncludedMember]: IncludedMember[Key] };
const NOT_COME: MmsResult = { kind: 'failure', code: 0 };

/** All references, then all values, then all reasons. */
function membersOf(fields: Fields, { size, octets }: Bits, has: (option: Option) => boolean): IncludedMember[] {
  const members: Filled[] = [];
  for (let place = 0; place < size; place++) {
    if (hasBit(octets, place)) members.push({ place, reference: null, value: NOT_COME, reasons: null });
  }
  if (has('data_reference')) for (const member of members) member.reference = fields.text('DataRef');
  for (const member of members) member.value = fields.next('Value');
  if (has('reason')) for (const member of members) member.reasons = reasonOf(fields);
  return members;
}

function reasonOf(fields: Fields): readonly number[] {
  const { size, octets } = fields.bits('ReasonCode');
  if (REASON_SIZES.has(size)) return reasonBits(octets);
  throw fields.wrong('ReasonCode', `bit-string (${size})`, 'bit-string (6, 7)');
}

/** The values of a report one after the other. */
class Fields {
  readonly #results: readonly MmsResult[];
  #at = 0;
  #id = '?';

  constructor(results: readonly MmsResult[]) {
    this.#results = results;
  }

  /** RptID, by which what is wrong behind it is named. */
  begin(): string {
    this.#id = this.text('RptID');
    return this.#id;
  }

  next(field: string): MmsResult {
    const result = this.#results[this.#at];
    if (result === undefined) throw new AppError('PROTOCOL_MALFORMED', say('report.short', { id: this.#id, field }));
    this.#at += 1;
    return result;
  }

  one<Kind extends MmsValue['kind']>(field: string, kind: Kind): Extract<MmsValue, { readonly kind: Kind }> {
    const result = this.next(field);
    if (result.kind === kind) return result as Extract<MmsValue, { readonly kind: Kind }>;
    throw this.wrong(field, result.kind, kind);
  }

  text(field: string): string {
    const result = this.next(field);
    if (result.kind === 'visible-string' || result.kind === 'mms-string') return result.text;
    throw this.wrong(field, result.kind, 'visible-string');
  }

  bits(field: string): Bits {
    return this.one(field, 'bit-string');
  }

  /** A number that is not negative. */
  whole(field: string): number {
    const result = this.next(field);
    const isNumber = result.kind === 'unsigned' || result.kind === 'integer';
    if (isNumber && typeof result.value === 'number' && result.value >= 0) return result.value;
    throw this.wrong(field, isNumber ? String(result.value) : result.kind, 'unsigned');
  }

  /** Throws where values are left over. */
  end(): void {
    const count = this.#results.length - this.#at;
    if (count > 0) throw new AppError('PROTOCOL_MALFORMED', say('report.long', { id: this.#id, count }));
  }

  wrong(field: string, came: string, right: string): AppError {
    return new AppError('PROTOCOL_MALFORMED', say('report.field', { id: this.#id, field, came, right }));
  }
}
