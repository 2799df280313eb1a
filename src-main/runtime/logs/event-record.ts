import type { EventEntry } from '#shared/contract/events.ts';
import type { FrameType, QualityFlag } from '#shared/domain/enums.ts';
import type { Message } from '#shared/messages/message.ts';
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

/** One entry of the sequence of events; its octets are asked for one by one (`EventLog.rawHex`). */
export interface EventRecord extends EventHead, Omit<EventBody, 'raw' | 'isNoValue' | 'isInvalid'> {
  readonly seq: number;
  readonly isNoValue: boolean;
  readonly isInvalid: boolean;
}
