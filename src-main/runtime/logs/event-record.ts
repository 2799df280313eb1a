import type { EventEntry } from '#shared/contract/events.ts';
import type { FrameType, QualityFlag } from '#shared/domain/enums.ts';
import type { Message } from '#shared/messages/message.ts';
import type { ReadingDetail } from '../../drivers/spi/index.ts';

/** One entry of the sequence of events. Times are UTC milliseconds. */
export interface EventRecord {
  readonly seq: number;
  readonly channelId: number;
  readonly kind: EventEntry['kind'];
  readonly pointId: number | null;
  readonly frameType: FrameType | null;
  readonly code: string;
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
}
