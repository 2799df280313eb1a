import type { EventEntry } from '#shared/contract/events.ts';
import type { FrameType, QualityFlag } from '#shared/domain/enums.ts';
import type { ReadingDetail } from '../../drivers/spi/index.ts';

/** Whose event it is: entries of the same point share one. */
export interface EventHead {
  readonly channelId: number;
  readonly kind: EventEntry['kind'];
  readonly pointId: number | null;
  readonly frameType: FrameType | null;
  readonly code: string;
}

/** What happened. Times are UTC milliseconds. */
export interface EventBody {
  readonly value: number | null;
  readonly flags: readonly QualityFlag[];
  /** Time tag of the device; null where it gave none. */
  readonly deviceTime: number | null;
  readonly receivedAt: number;
  readonly text: string;
  /** What the protocol told beside value and time; null where it told nothing. */
  readonly detail: ReadingDetail | null;
}

/** One entry of the sequence of events. */
export interface EventRecord extends EventHead, EventBody {
  readonly seq: number;
}
