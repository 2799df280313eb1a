/**
 * Information objects, one shape a family (IEC 60870-5-101, 7.2.6 and 7.3). `kind` tells them apart; which type identification goes with
 * which kind and time tag says the table in types.ts.
 */
import type { TimeTag } from './time-tags.ts';

interface AddressedObject {
  /** Information object address; 0 means that the type has none. */
  readonly address: number;
  /** Time tag, for the types that carry one; null for all others. */
  readonly time: TimeTag | null;
}

/**
 * Status and measured values. `value`: single 0 or 1; double 0 intermediate, 1 OFF, 2 ON, 3 indeterminate; normalized -1 to
 * 32767/32768; scaled -32768 to 32767; float an IEEE 754 single, NaN and infinities included; bits 0 to 4294967295, bit 0
 * the first one. `quality`: octet in the places of QDS (see quality.ts); single and double have no OV; 0 for type 21.
 */
export interface ValueObject extends AddressedObject {
  readonly kind: 'single' | 'double' | 'normalized' | 'scaled' | 'float' | 'bits';
  readonly value: number;
  readonly quality: number;
}

/** Step position, -64 to 63. */
export interface StepObject extends AddressedObject {
  readonly kind: 'step';
  readonly value: number;
  readonly quality: number;
  /** The equipment is between positions. */
  readonly isTransient: boolean;
}

/** Integrated total, a binary counter reading (7.2.6.9). */
export interface CounterObject extends AddressedObject {
  readonly kind: 'counter';
  /** Signed 32-bit count. */
  readonly value: number;
  /** Sequence number of the period, 0 to 31. */
  readonly sequence: number;
  /** CY: the counter overflowed in the period. */
  readonly hasCarry: boolean;
  /** CA: the counter was adjusted since the last reading. */
  readonly isAdjusted: boolean;
  /** IV: the reading must not be used. */
  readonly isInvalid: boolean;
}

/** Sixteen single points with change detection (7.2.6.40). */
export interface PackedObject extends AddressedObject {
  readonly kind: 'packed';
  /** ST: states, bit 0 the first point. */
  readonly value: number;
  /** CD: 1 for each point that changed since it was last sent. */
  readonly changes: number;
  readonly quality: number;
}

/**
 * Events of protection equipment (7.2.6.10 to 7.2.6.12). `value`: protectionEvent 0 to 3 as double; protectionStart SPE bits GS, SL1, SL2,
 * SL3, SIE, SRD from bit 0; protectionOutput OCI bits GC, CL1, CL2, CL3 from bit 0. `quality` in the places of QDP: EI is bit 3.
 */
export interface ProtectionObject extends AddressedObject {
  readonly kind: 'protectionEvent' | 'protectionStart' | 'protectionOutput';
  readonly value: number;
  readonly quality: number;
  /** CP16: elapsed, relay duration or relay operating time, 0 to 65535 ms (up to 59999 by the standard). */
  readonly elapsedMs: number;
}

/**
 * Commands and set points (7.3.2). `value`: singleCommand 0 OFF, 1 ON; doubleCommand 1 OFF, 2 ON; stepCommand 1 lower, 2 higher (0 and 3 are
 * not permitted but may arrive); set points as the measured values. `qualifier`: QU 0 to 31 of commands, QL 0 to 127 of set
 * points; setBits has neither qualifier nor select, and carries 0 and false.
 */
export interface CommandObject extends AddressedObject {
  readonly kind: 'singleCommand' | 'doubleCommand' | 'stepCommand' | 'setNormalized' | 'setScaled' | 'setFloat' | 'setBits';
  readonly value: number;
  readonly qualifier: number;
  /** S/E: true selects, false executes. */
  readonly isSelect: boolean;
}

/** Parameters of measured values (7.3.5); `value` as the measured values, `qualifier` is the octet QPM: KPA bits 0-5, LPC 6, POP 7. */
export interface ParameterObject extends AddressedObject {
  readonly kind: 'parameterNormalized' | 'parameterScaled' | 'parameterFloat';
  readonly value: number;
  readonly qualifier: number;
}

/** M_EI_NA_1 (7.3.3). */
export interface EndOfInitObject extends AddressedObject {
  readonly kind: 'endOfInit';
  /** COI: 0 power on, 1 manual reset, 2 remote reset; up to 127. */
  readonly value: number;
  /** Local parameters were changed. */
  readonly hasChangedParameters: boolean;
}

/** C_CI_NA_1 (7.2.6.23). */
export interface CounterInterrogationObject extends AddressedObject {
  readonly kind: 'counterInterrogation';
  /** RQT: 1 to 4 group, 5 general; 0 to 63. */
  readonly request: number;
  /** FRZ: 0 read, 1 freeze, 2 freeze with reset, 3 reset. */
  readonly freeze: number;
}

/**
 * Objects with one number or none: interrogation QOI (20 station, 21 to 36 groups), reset QRP (1 process, 2 event buffer), activation
 * QPA (3 cyclic sending), test counter TSC, testPattern FBP (0x55aa), delay in milliseconds; read and clock carry 0.
 */
export interface QualifierObject extends AddressedObject {
  readonly kind: 'interrogation' | 'read' | 'clock' | 'testPattern' | 'reset' | 'delay' | 'test' | 'activation';
  readonly value: number;
}

export type InfoObject =
  | ValueObject
  | StepObject
  | CounterObject
  | PackedObject
  | ProtectionObject
  | CommandObject
  | ParameterObject
  | EndOfInitObject
  | CounterInterrogationObject
  | QualifierObject;

export type ObjectKind = InfoObject['kind'];
