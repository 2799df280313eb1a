/** Points and channel settings as drivers get them. */
import type { ConnType, FrameType } from '#shared/domain/enums.ts';

/** Settings of a stored point (contract `Point` without its state), read-only for drivers. */
export interface PointConfig {
  readonly id: number;
  readonly channelId: number;
  readonly frameType: FrameType;
  readonly code: string;
  readonly name: string;
  readonly address: number;
  readonly slaveId: number;
  readonly funcCode: number | null;
  readonly decode: string;
  readonly mulCoe: number;
  readonly addCoe: number;
  readonly unit: string;
  readonly minLimit: number | null;
  readonly maxLimit: number | null;
  readonly bit: number | null;
  readonly reverse: boolean;
  readonly reference: string;
  readonly category: string;
  readonly item: string;
  readonly relatedCode: string;
  readonly commandType: string;
  readonly note: string;
  readonly protocol: Readonly<Record<string, unknown>>;
}

/** A point as somebody wrote it: what is undefined gets the protocol's default from `normalizePoint`. */
export type PointDraft = Omit<
  { readonly [Key in keyof PointConfig]: PointConfig[Key] },
  'id' | 'channelId' | 'name' | 'address' | 'slaveId' | 'funcCode' | 'decode'
> & {
  readonly name: string | undefined;
  readonly address: number | undefined;
  readonly slaveId: number | undefined;
  readonly funcCode: number | null | undefined;
  readonly decode: string | undefined;
};

/** A point draft with every default filled in; the store adds its ids. */
export type NormalPoint = Omit<PointConfig, 'id' | 'channelId'>;

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

/** What to tell somebody who writes an address. */
export interface PointHint {
  /** The address as people of the protocol write it. */
  readonly addressText: string;
  /** Null where the protocol does not know the address. */
  readonly item: PointItem | null;
  readonly suggestion: AddressSuggestion | null;
  /** What is wrong and what would be right; empty for a known address. */
  readonly advice: string;
}
