/**
 * What a protocol can say about a line or a device that does not work yet: the connection doctor, the search for devices, the scan of
 * registers and the identification are built on it without knowing a protocol. Nothing here writes to a device.
 */

import type { CharacterFormatText } from '#shared/contract/jobs.ts';
import type { ForeignProtocol } from '#shared/domain/doctor.ts';
import type { AppError } from '#shared/domain/errors.ts';
import type { Message, MessageParams } from '#shared/messages/message.ts';
import type { ExchangeContext } from './exchange.ts';
import type { DriverChannelSettings, PointConfig } from './points.ts';
import type { PointReading, PointValue } from './readings.ts';

/** Answer to a harmless question: somebody lives at this address. */
export interface ProbeAnswer {
  /** `value`: data came; `refused`: the device answered that it will not, which is an answer too; `gateway`: a gateway answered for a device it did not reach. */
  readonly kind: 'value' | 'refused' | 'gateway';
  /** The answer in words: `exception 2 (Illegal Data Address)`; null for data. */
  readonly detail: Message | null;
  /** What is wrong although an answer came: a code of the doctor with its parameters. */
  readonly remark?: AddressRemark;
}

/** What a driver remarks about an address that answered. */
export interface AddressRemark {
  readonly code: 'ADDRESS_EDITION';
  readonly params: MessageParams;
}

/** One object of a device identification. */
export interface IdentityObject {
  readonly id: number;
  /** Name by the standard (`VendorName`); empty for an object of the maker. */
  readonly name: string;
  readonly octets: Uint8Array;
  /** Its text, where the octets are no text by themselves. */
  readonly text?: string;
}

/** One answer of a device identification; `next` asks for the rest, null when this was all. */
export interface IdentityPart {
  readonly objects: readonly IdentityObject[];
  /** Conformity as the device states it, in words of the standard. */
  readonly conformity: string;
  readonly next: IdentityCursor | null;
}

/** Place at which a device identification goes on. Opaque to the caller. */
export interface IdentityCursor {
  readonly category: number;
  readonly objectId: number;
}

/** Places that are read in one exchange of a scan. */
export interface ScanBlock {
  readonly functionCode: number;
  /** First address on the wire. */
  readonly start: number;
  readonly quantity: number;
}

/**
 * `values`: one number a place, in order. `refused`: nothing of this block; `isDivisible` when a part of it may still be there,
 * `isWhole` when the device has nothing under this function at all.
 */
export type ScanAnswer =
  | { readonly kind: 'values'; readonly values: readonly number[] }
  | { readonly kind: 'refused'; readonly detail: Message; readonly isDivisible: boolean; readonly isWhole: boolean };

/**
 * Diagnostic questions over a standing connection, each of them one exchange; `probe` may take one more where a protocol has two editions.
 * They throw as `DriverConnection.read` does.
 */
export interface ConnectionDiagnostics {
  /** One harmless read. Any answer of the device counts, a refusal too. */
  probe(slaveId: number, context: ExchangeContext): Promise<ProbeAnswer>;
  /** One part of what the device says about itself. Throws `DEVICE_EXCEPTION` when it does not say. */
  identify(slaveId: number, cursor: IdentityCursor | null, context: ExchangeContext): Promise<IdentityPart>;
  /** One block of places. Throws `CONFIG_INVALID` for a function or quantity the protocol has not. */
  scan(slaveId: number, block: ScanBlock, context: ExchangeContext): Promise<ScanAnswer>;
}

/** What octets on a line look like. */
export interface Recognition {
  /** Whole, valid frames of this protocol and framing. */
  readonly frames: number;
  /** Addresses that answered in valid frames, each once, in order of appearance. */
  readonly answering: readonly number[];
  /** Addresses in whose name a gateway said that it does not reach them; they are not among `answering`. Left out: none. */
  readonly unreached?: readonly number[];
  /** Addresses that were asked by somebody else in valid frames. */
  readonly asked: readonly number[];
  /** Most valid answers that came to one of `sent`; more than one means that several devices share an address. */
  readonly answersToOne: number;
  /** True when what was sent came back. */
  readonly hasEcho: boolean;
  /** Octets that belong to no valid frame and no echo. */
  readonly noise: number;
  /** Places where an answer to one of `sent` begins and does not come to a valid end: the settings of the line are right. Left out: none. */
  readonly broken?: number;
  /** What the octets are instead, when they are no frames of this protocol: key of a foreign protocol; null where nothing is recognised. */
  readonly foreign: ForeignProtocol | null;
}

/** A question as octets, for lines on which the session of the driver would not hear the answer. */
export interface RawQuestion {
  readonly framing: ForeignProtocol;
  readonly octets: Uint8Array;
}

/** A point of the table and what was read for it. */
export interface TableSample {
  readonly point: PointConfig;
  readonly reading: PointReading;
  /** A value as the table shows it for the point, six digits of it. */
  shown(reading: PointValue): string;
}

/** What a driver remarks about samples of the table: a code of the doctor with its parameters. */
export interface TableRemark {
  readonly code: 'TABLE_ORDER' | 'TABLE_BASE' | 'TABLE_FUNCTION' | 'TABLE_FUNCTION_OTHER';
  readonly params: MessageParams;
}

/** A function that a scan can use. */
export interface ScanFunction {
  readonly code: number;
  readonly name: string;
  /** Most places of one request. */
  readonly largestBlock: number;
  /** True for places of one bit. */
  readonly isBit: boolean;
}

/** Addresses that are asked for together. */
export interface WildcardPattern {
  /** As people write it: `AAAAAAAAAA12`. */
  readonly text: string;
  /** Settings of the `protocol` object of points of the devices it finds. */
  readonly protocol: Readonly<Record<string, unknown>>;
}

/** A device that answered a pattern. */
export interface WildcardDevice {
  readonly slaveId: number;
  /** The refusal in words; null for data. */
  readonly detail: Message | null;
}

/** What came back for a pattern. */
export interface WildcardAnswer {
  /** Each once, in order of appearance. */
  readonly devices: readonly WildcardDevice[];
  /** Devices whose answer belongs to an earlier question, with what they speak: they are there, and slower than they are waited for. */
  readonly late: readonly { readonly slaveId: number; readonly protocol: Readonly<Record<string, unknown>> }[];
  /** A whole answer came that does not say whose it is. */
  readonly isHidden: boolean;
  /** Octets in no whole frame: several answers at once, or a disturbed line. */
  readonly noise: number;
}

/**
 * The search by wildcards, for protocols whose addresses are too many to be asked one by one. Several answers at once destroy each other, so a
 * pattern is narrowed until one device is left. All of it is pure.
 */
export interface WildcardSearch {
  /** Patterns of which each means every device, one an edition of the protocol. */
  readonly roots: readonly WildcardPattern[];
  /** Longest time a device takes to begin its answer, in milliseconds: on a serial line, and behind a gateway. */
  readonly turnRoundMs: { readonly serial: number; readonly tcp: number };
  /** Octets of the longest answer to a question. */
  readonly answerOctets: number;
  /**
   * A harmless question. `again` asks for something that differs from device to device: two answers that happen to look like one do so no second
   * time.
   */
  question(pattern: WildcardPattern, again: boolean): Uint8Array;
  /** Patterns that together mean the same devices; none where the pattern means one address. */
  split(pattern: WildcardPattern): readonly WildcardPattern[];
  /** The pattern that means one device alone, of those that `pattern` means. */
  exact(pattern: WildcardPattern, slaveId: number): WildcardPattern;
  /** Looks at what came after `sent`. Never throws. */
  judge(octets: Uint8Array, sent: Uint8Array): WildcardAnswer;
  /** What a device that was found speaks: `DL/T 645-2007`. */
  describe(pattern: WildcardPattern): string;
}

/** A point that most devices of the protocol have. */
export interface UsualPoint {
  /** End of its code. */
  readonly code: string;
  readonly address: number;
}

/** Diagnostics of a protocol, without a connection. All of it is pure. */
export interface DriverDiagnostics {
  /** Addresses a search may ask, ends included, and those that are tried first because they are the usual ones. */
  readonly addresses: { readonly least: number; readonly most: number; readonly usual: readonly number[] };
  /** Left out: every address is asked. */
  readonly wildcards?: WildcardSearch;
  /** Settings of a serial line that a search tries, in this order. Left out: those of most devices. */
  readonly usualLines?: { readonly baudRates: readonly number[]; readonly formats: readonly CharacterFormatText[] };
  /** Points that make a beginning with a device that was found with these settings. Left out: none. */
  usualPoints?(protocol: Readonly<Record<string, unknown>>): readonly UsualPoint[];
  /** An address as people of the protocol write it. Left out: decimal. */
  addressText?(slaveId: number): string;
  /** What a point asks for, as people of the protocol write it. Left out: its address. */
  itemText?(point: PointConfig): string;
  readonly scanFunctions: readonly ScanFunction[];
  /** The harmless question in the framing of the channel first, then in those that a device is often found to speak instead. */
  questions(slaveId: number, settings: DriverChannelSettings): readonly RawQuestion[];
  /** Looks at octets that came over a line; `sent` are the frames that were sent meanwhile. Never throws. */
  recognise(octets: Uint8Array, sent: readonly Uint8Array[], settings: DriverChannelSettings): Recognition;
  /** True when this failure of a read says that the device has nothing at the address. */
  isMissingAddress(error: AppError): boolean;
  /** Whether values look as their points say: order of the octets, base of the addresses. */
  judgeTable(samples: readonly TableSample[], settings: DriverChannelSettings): readonly TableRemark[];
}
