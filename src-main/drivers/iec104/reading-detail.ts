/** What a message tells of an object beside value, quality and time: cause, P/N, and the bits of a counter reading. */
import { english } from '#shared/messages/index.ts';
import type { ReadingDetail } from '../spi/index.ts';
import type { AsduView } from './codec/asdu.ts';
import { causeName, isUnknownCause } from './codec/causes.ts';
import type { ObjectCursor } from './codec/cursor.ts';
import type { TimeTag } from './codec/time-tags.ts';
import { words } from './explain/explain-wording.ts';

/** Octets of the count in front of the sequence octet of a BCR (IEC 60870-5-101, 7.2.6.9). */
const COUNT_LENGTH = 4;
const SEQUENCE = 0x1f;
const CARRY = 0x20;
const ADJUSTED = 0x40;

/** Details that many readings share: by cause, P/N and, for counters, the sequence octet. */
const shared = new Map<number, ReadingDetail>();

/** False for data that never become a value: with the test bit, with P/N 1, and with causes 44 to 47 (IEC 60870-5-101, 7.2.3). */
export function isLive({ isTest, isNegative, cause }: AsduView): boolean {
  return !isTest && !isNegative && !isUnknownCause(cause);
}

/** The detail of every object of a message; null where each has its own. */
export function commonDetail(view: AsduView): ReadingDetail | null {
  return view.type?.element.kind === 'counter' ? null : sharedDetail(view, null);
}

/** The detail of the current object of the cursor; `invalidTime` is its time tag where that is no valid time. */
export function detailOf(view: AsduView, cursor: ObjectCursor, invalidTime: TimeTag | null): ReadingDetail {
  const isCounter = view.type?.element.kind === 'counter';
  const octet = (view.octets[cursor.elementAt + COUNT_LENGTH] ?? 0) & (SEQUENCE | CARRY | ADJUSTED);
  const detail = sharedDetail(view, isCounter ? octet : null);
  return invalidTime === null ? detail : { ...detail, sourceTimeText: english(words.time(invalidTime)) };
}

/** `counter`: the octet of a counter reading; null for other objects. */
function sharedDetail(view: AsduView, counter: number | null): ReadingDetail {
  const key = ((counter === null ? 0 : counter + 1) << 7) | (view.isNegative ? 0x40 : 0) | view.cause;
  const known = shared.get(key);
  if (known) return known;
  const detail = makeDetail(view, counter);
  shared.set(key, detail);
  return detail;
}

function makeDetail({ cause, isNegative }: AsduView, counter: number | null): ReadingDetail {
  const detail: ReadingDetail = { cause: { code: cause, name: causeName(cause) ?? 'not defined' }, negative: isNegative };
  if (counter === null) return Object.freeze(detail);
  return Object.freeze({
    ...detail,
    sequence: counter & SEQUENCE,
    adjusted: (counter & ADJUSTED) !== 0,
    carry: (counter & CARRY) !== 0,
  });
}
