/** Points and channel settings as drivers get them. */

import type { ConnType } from '#shared/domain/enums.ts';
import type { FilledByProtocol, PointSettings } from '#shared/domain/point-fields.ts';
import type { Message } from '#shared/messages/message.ts';

/** Settings of a stored point (contract `Point` without its state), read-only for drivers; the fields are those of `POINT_FIELDS`. */
export interface PointConfig extends Readonly<Omit<PointSettings, 'protocol'>> {
  readonly id: number;
  readonly channel_id: number;
  readonly protocol: Readonly<PointSettings['protocol']>;
}

/** A point draft with every default filled in; the store adds its ids. */
export type NormalPoint = Omit<PointConfig, 'id' | 'channel_id'>;

/** A point as somebody wrote it: what is undefined gets the protocol's default from `normalizePoint`. */
export type PointDraft = Omit<NormalPoint, FilledByProtocol> & { readonly [Key in FilledByProtocol]: NormalPoint[Key] | undefined };

/** A small change of a point table. A point that was changed stands in both lists, with the same id. */
export interface PointsEdit {
  /** Points that were removed or changed, as they were. */
  readonly before: readonly PointConfig[];
  /** Points that were added or changed, as they are; an added one has a higher id than all others. */
  readonly after: readonly PointConfig[];
}

/** Channel settings a driver may use. */
export interface DriverChannelSettings {
  readonly connType: ConnType;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly requestGapMs: number | null;
  readonly maxGap: number;
  readonly addressBase: number;
  readonly baudRate: number;
  readonly dataBits: 7 | 8;
  readonly stopBits: 1 | 2;
  readonly parity: 'N' | 'E' | 'O';
  /** `protocol` settings, already parsed by the descriptor's schema. */
  readonly protocol: Readonly<Record<string, unknown>>;
}

/** What a protocol knows of an address by itself. */
export interface PointItem {
  readonly nameEn: string;
  readonly nameZh: string;
  /** As the protocol writes it: `XXXXXX.XX`. */
  readonly format: string;
  readonly unit: string;
  /** True when it can be written, given the right. */
  readonly isWritable: boolean;
}

/** What was probably meant by an address that the protocol does not know. */
export interface AddressSuggestion {
  readonly address: number;
  /** Settings of the point's `protocol` object it needs. */
  readonly protocol: Readonly<Record<string, unknown>>;
  readonly nameEn: string;
  readonly nameZh: string;
}

/** A known address, as a search finds it. */
export interface FoundItem extends PointItem {
  readonly address: number;
  /** As people of the protocol write it. */
  readonly addressText: string;
}

/** What to tell somebody who writes an address. */
export interface PointHint {
  /** The address as people of the protocol write it. */
  readonly addressText: string;
  /** Null where the protocol does not know the address. */
  readonly item: PointItem | null;
  readonly suggestion: AddressSuggestion | null;
  /** What is wrong and what would be right; null for a known address. */
  readonly advice: Message | null;
}
