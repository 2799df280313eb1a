import type { EventEntry } from '#shared/contract/events.ts';
import type { FrameType, QualityFlag } from '#shared/domain/enums.ts';
import type { Message } from '#shared/messages/message.ts';
import type { ReadingDetail } from '../../drivers/spi/index.ts';
import type { ReadingBlock } from '../../drivers/spi/reading-block.ts';

/** Whose event it is: entries of the same point share one. */
export interface EventHead {
  /** Null: of the service itself. */
  readonly channelId: number | null;
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
  /** What `text` says, as data; null for a change. */
  readonly said: Message | null;
  /** What the protocol told beside value and time; null where it told nothing. */
  readonly detail: ReadingDetail | null;
  /** True: it became no value of its point (test data, an answer that says no). */
  readonly isNoValue?: boolean;
  /** True: the device marked the value as invalid, or it is no number. */
  readonly isInvalid?: boolean;
  /** Octets that the value came from; left out: none are known. */
  readonly raw?: Uint8Array;
}

/** Many entries that came together and have no words, in the places of a block of readings. */
export interface NumberRun {
  readonly heads: readonly EventHead[];
  /** Engineering values, finite. */
  readonly values: Float64Array;
  readonly block: ReadingBlock;
  readonly receivedAt: number;
  /** True: they became no values of their points. */
  readonly isNoValue: boolean;
}

/** One entry of the sequence of events; its octets are asked for one by one (`EventLog.rawHex`). */
export interface EventRecord extends EventHead, Omit<EventBody, 'raw' | 'isNoValue' | 'isInvalid'> {
  readonly seq: number;
  readonly isNoValue: boolean;
  readonly isInvalid: boolean;
}
