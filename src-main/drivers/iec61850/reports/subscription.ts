/** One block that is enabled here: what its reports are about, what came last, and what of it belongs to points of the table. */
import type { PointReading } from '../../spi/index.ts';
import type { BoundPoint } from '../binding.ts';
import { type DataSetLayout, layoutOf } from '../data-set-layout.ts';
import { isSameValue } from '../mms/same-value.ts';
import type { MmsFailure, MmsType } from '../mms/types.ts';
import type { ModelIndex } from '../model/places.ts';
import { hasBit } from '../model/quality.ts';
import type { Locator, Slot } from '../read-units.ts';
import { type Details, detailsWith, type ItemResult, isValue, passReading, type ReadingRuns, readingOf } from '../reading.ts';
import { isChange, reasonName, TRIGGER } from './bits.ts';
import type { ControlBlock } from './control-block.ts';
import { copyValue } from './copy-value.ts';
import type { ReportedSet } from './members.ts';
import { markOfMembers } from './members-mark.ts';
import type { IncludedMember, Report } from './report.ts';
import type { ReportStart } from './report-memory.ts';
import { Segments } from './segments.ts';

/** A member that did not come yet: temporarily-unavailable. */
const NOT_YET: MmsFailure = { kind: 'failure', code: 2 };

const NONE: ReadonlySet<string> = new Set();

/** What came of a block since it was enabled. */
export interface ReportStats {
  reports: number;
  gaps: number;
  overflows: number;
  refused: number;
}

export class Subscription implements ReportedSet {
  readonly block: ControlBlock;
  readonly dataSet: string;
  readonly revision: number | null;
  readonly members: readonly string[];
  readonly types: readonly (MmsType | null)[];
  /** Members whose structure was not known for sure when the block was enabled. */
  readonly unsure: ReadonlySet<string>;
  readonly segments = new Segments();
  readonly stats: ReportStats = { reports: 0, gaps: 0, overflows: 0, refused: 0 };
  /** Where the device begins; an unbuffered block always with what happens now. */
  start: ReportStart = 'now';
  /** SqNum and EntryID of the last report; null before the first, and where reports have none. */
  sequence: number | null = null;
  entryId: Uint8Array | null = null;
  /** Reports that wait until it is known what they are about; null while they are taken as they come. */
  held: Report[] | null = null;
  /** What was told of its reports in the event log. */
  notices = 0;
  #layout: DataSetLayout | null = null;
  #membersMark: string | null = null;
  /** Values of members as they came last. */
  #last: ItemResult[] = [];

  constructor(block: ControlBlock, set: ReportedSet) {
    this.block = block;
    this.dataSet = set.dataSet;
    this.revision = set.revision;
    this.members = set.members;
    this.types = set.types;
    this.unsure = set.unsure ?? NONE;
  }

  /** The same block with the members it has now; nothing of the values before belongs to them. */
  renewed(block: ControlBlock, set: ReportedSet): Subscription {
    const next = new Subscription(block, set);
    Object.assign(next.stats, this.stats);
    next.start = this.start;
    next.sequence = this.sequence;
    next.entryId = this.entryId;
    next.notices = this.notices;
    return next;
  }

  /** What its members are known by. */
  get membersMark(): string {
    this.#membersMark ??= markOfMembers(this.members);
    return this.#membersMark;
  }

  /** Numbers of reports before they begin again at 0. */
  get numbers(): number {
    const type = this.block.typeOf('SqNum');
    const size = type && 'size' in type ? Math.abs(type.size) : this.block.isBuffered ? 16 : 8;
    return 2 ** size;
  }

  /** Points and model may be others. */
  changed(): void {
    this.#layout = null;
  }

  /** Reports were missed: what came last may be old. */
  forget(): void {
    this.#last = [];
  }

  /** Points of the table that its reports have values for; `isSure` of a member whose structure was not known for sure. */
  slots(index: ModelIndex, points: () => readonly BoundPoint[], isSure: (member: string) => boolean): readonly Slot[] {
    this.#layout ??= layoutOf(this.members, index, points());
    const { slots } = this.#layout;
    if (this.unsure.size === 0) return slots;
    const unsure = new Set([...this.unsure].filter((member) => !isSure(member)));
    if (unsure.size === 0) return slots;
    const isOf = (locator: Locator | null) => locator !== null && unsure.has(this.members[locator.item] ?? '');
    return slots.filter(({ value, quality, time }) => !isOf(value) && !isOf(quality) && !isOf(time));
  }

  /** What its reports said last of the points; those that none came of, or that came without a value, are left out. */
  lastReadings(slots: readonly Slot[]): ReadonlyMap<number, PointReading> {
    const results = this.members.map((_, place) => this.#last[place] ?? NOT_YET);
    const told = slots.filter(({ value }) => results[value.item] !== NOT_YET);
    const isQualityTold = ({ quality }: Slot) => quality === null || results[quality.item] !== NOT_YET;
    return new Map(told.filter(isQualityTold).map((slot) => [slot.bound.point.id, readingOf(slot, results)]));
  }

  /** Members that were read, in place of what was reported; of those that were read in parts nothing is known. */
  replace(read: readonly string[], results: readonly ItemResult[]): void {
    const places = new Map(read.map((member, place) => [member, place]));
    this.#last = this.members.map((member, place) => {
      const result = results[places.get(member) ?? -1];
      if (!result) return NOT_YET;
      return isValue(result) ? copyValue(result) : (this.#last[place] ?? NOT_YET);
    });
  }

  /** Passes on the readings that a whole report brings, each with the reason for its inclusion. Its values are kept: its octets are to belong to it alone. */
  take(report: Report, slots: readonly Slot[], to: ReadingRuns): void {
    const before = this.#last;
    const included: (IncludedMember | undefined)[] = this.members.map(() => undefined);
    const last = this.members.map((_, place) => before[place] ?? NOT_YET);
    for (const member of report.members) {
      included[member.place] = member;
      last[member.place] = member.value;
    }
    // without the trigger a value may have changed and was not sent
    const isFollowed = hasBit(this.block.octets('TrgOps'), TRIGGER.data_change);
    const results = isFollowed ? last : included.map((member) => member?.value ?? NOT_YET);
    let reasons: readonly number[] | null = null;
    let details: Details | undefined;
    for (const slot of slots) {
      const value = included[slot.value.item];
      const quality = slot.quality ? included[slot.quality.item] : undefined;
      const first = value ?? quality;
      if (!first || results[slot.value.item] === NOT_YET) continue;
      // a time that did not come with the value is that of another change
      const isOtherTime = slot.time !== null && included[slot.time.item] === undefined;
      const isNew = isNews(value, before) || (quality !== value && isNews(quality, before));
      const told = isOtherTime ? { ...slot, time: null } : slot;
      if (first.reasons !== reasons) {
        reasons = first.reasons;
        details = detailsFor(reasons);
      }
      passReading(told, results, details, to, isNew);
    }
    this.#last = last;
    to.changes.flush();
    to.states.flush();
  }
}

/** True for a member that came because of a change, or where no reason is told, with a value that is known to have been another. */
function isNews(member: IncludedMember | undefined, last: readonly ItemResult[]): boolean {
  if (!member) return false;
  if (member.reasons) return isChange(member.reasons);
  const { value, place } = member;
  const before = last[place];
  return before !== undefined && isValue(before) && value.kind !== 'failure' && !isSameValue(before, value);
}

/** Details with the reasons that `reasonBits` gives, each once. */
const details = new Map<readonly number[], Details>();

/** What values that came for these reasons tell; left to the reading where there are none. */
function detailsFor(reasons: readonly number[] | null): Details | undefined {
  const code = reasons?.[0];
  if (!reasons || code === undefined) return undefined;
  let known = details.get(reasons);
  if (!known) {
    known = detailsWith({ cause: { code, name: reasonName(reasons) } });
    details.set(reasons, known);
  }
  return known;
}
