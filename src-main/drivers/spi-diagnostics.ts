/**
 * What a protocol can say about a line or a device that does not work yet: the connection doctor, the search for devices, the scan of
 * registers and the identification are built on it without knowing a protocol. Nothing here writes to a device.
 */

import type { ForeignProtocol } from '#shared/domain/doctor.ts';
import type { AppError } from '#shared/domain/errors.ts';
import type { DriverChannelSettings, ExchangeContext, PointConfig, PointReading } from './spi.ts';

/** Answer to a harmless question: somebody lives at this address. */
export interface ProbeAnswer {
  /** `value`: data came; `refused`: the device answered that it will not, which is an answer too; `gateway`: a gateway answered for a device it did not reach. */
  readonly kind: 'value' | 'refused' | 'gateway';
  /** The answer in words: `exception 2 (Illegal Data Address)`; empty for data. */
  readonly detail: string;
}

/** One object of a device identification. */
export interface IdentityObject {
  readonly id: number;
  /** Name by the standard (`VendorName`); empty for an object of the maker. */
  readonly name: string;
  readonly octets: Uint8Array;
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
  | { readonly kind: 'refused'; readonly detail: string; readonly isDivisible: boolean; readonly isWhole: boolean };

/** Diagnostic questions over a standing connection, each of them one exchange. They throw as `DriverConnection.read` does. */
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
  /** Addresses that were asked by somebody else in valid frames. */
  readonly asked: readonly number[];
  /** Most valid answers that came to one of `sent`; more than one means that several devices share an address. */
  readonly answersToOne: number;
  /** True when what was sent came back. */
  readonly hasEcho: boolean;
  /** Octets that belong to no valid frame and no echo. */
  readonly noise: number;
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
}

/** What a driver remarks about samples of the table: a code of the doctor with its parameters. */
export interface TableRemark {
  readonly code: 'TABLE_ORDER' | 'TABLE_BASE' | 'TABLE_FUNCTION';
  readonly params: Readonly<Record<string, string | number>>;
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

/** Diagnostics of a protocol, without a connection. All of it is pure. */
export interface DriverDiagnostics {
  /** Addresses a search may ask, ends included, and those that are tried first because they are the usual ones. */
  readonly addresses: { readonly least: number; readonly most: number; readonly usual: readonly number[] };
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
