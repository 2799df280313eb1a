/** Reports that come in segments (IEC 61850-8-1, 17.2.3): put together, and delivered only when they are complete. */
import type { Report } from './report.ts';

/** What came of a report: `complete` to deliver, `lost` where segments before it are missing. */
export interface Assembled {
  readonly complete: Report | null;
  /** True where members of a segmented report were dropped, because a segment of it is missing or came twice. */
  readonly isLost: boolean;
}

export class Segments {
  #waiting: Report | null = null;
  #next = 0;

  /** True while a report is incomplete: the next of the same number continues it. */
  get isWaiting(): boolean {
    return this.#waiting !== null;
  }

  take(report: Report): Assembled {
    const { segment } = report;
    const before = this.#waiting;
    if (segment && before && segment.number === this.#next && isSameReport(before, report)) return this.#continue(before, report);
    this.#waiting = null;
    const isLost = before !== null;
    if (!segment) return { complete: report, isLost };
    if (segment.number !== 0) return { complete: null, isLost: true };
    if (segment.isLast) return { complete: report, isLost };
    this.#waiting = report;
    this.#next = 1;
    return { complete: null, isLost };
  }

  #continue(before: Report, report: Report): Assembled {
    const places = new Set(before.members.map(({ place }) => place));
    const isTwice = report.members.some(({ place }) => places.has(place));
    const joined = { ...report, members: [...before.members, ...report.members] };
    const isComplete = report.segment?.isLast === true && !isTwice;
    this.#waiting = isTwice || isComplete ? null : joined;
    this.#next += 1;
    return { complete: isComplete ? joined : null, isLost: isTwice };
  }
}

function isSameReport(first: Report, second: Report): boolean {
  return first.sequence === second.sequence && first.memberCount === second.memberCount && sameOctets(first.entryId, second.entryId);
}

/** True for the same octets, and for none on both sides. */
export function sameOctets(first: Uint8Array | null, second: Uint8Array | null): boolean {
  if (!first || !second) return first === second;
  return first.length === second.length && first.every((octet, at) => octet === second[at]);
}
