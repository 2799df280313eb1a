/** The APCI: start octet, length, four control octets (IEC 60870-5-104, 5). */

import type { ErrorCode } from '#shared/domain/errors.ts';
import { english, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { expectRange } from '../codec/checks.ts';
import { putUintLe, u16le } from '../codec/octets.ts';
import { MAX_ASDU_LENGTH } from '../codec/sizes.ts';

export const START_OCTET = 0x68;
/** Octets before the ASDU. */
export const APCI_LENGTH = 6;
/** Least and most the length octet may say: the control octets, and these with the longest ASDU. */
export const LENGTH_FIELD = { least: 4, most: 4 + MAX_ASDU_LENGTH } as const;
/** Sequence numbers count modulo this. */
export const SEQUENCE_MODULO = 32_768;

/** U functions by their first control octet (IEC 60870-5-104, 5). */
const U_FUNCTIONS = {
  'startdt-act': 0x07,
  'startdt-con': 0x0b,
  'stopdt-act': 0x13,
  'stopdt-con': 0x23,
  'testfr-act': 0x43,
  'testfr-con': 0x83,
} as const;

export type UFunction = keyof typeof U_FUNCTIONS;

const FUNCTION_OF_OCTET: ReadonlyMap<number, UFunction> = new Map(
  Object.entries(U_FUNCTIONS).map(([name, octet]) => [octet, name as UFunction]),
);

/** The control field. `ns` is N(S), `nr` is N(R), both 0 to 32767; N(R) says that everything below it arrived. */
export type Apci =
  | { readonly format: 'I'; readonly ns: number; readonly nr: number }
  | { readonly format: 'S'; readonly nr: number }
  | { readonly format: 'U'; readonly function: UFunction };

/** One APDU. `bytes` is all of it, a view of what was pushed; the ASDU of an I frame lies behind its first six octets. */
export type Apdu = Apci & { readonly kind: 'frame'; readonly bytes: Uint8Array };

/** Octets that were no frame, or a frame that breaks a rule of the APCI. */
export interface ApduFault {
  readonly kind: 'fault';
  readonly code: Extract<ErrorCode, `FRAME_${string}` | 'PROTOCOL_MALFORMED'>;
  /** What was wrong, and what would be right. */
  readonly said: Message;
  /** The same in English. */
  readonly message: string;
  readonly bytes: Uint8Array;
  /** True when the place where the next APDU starts is lost: the connection has to be closed. */
  readonly isFatal: boolean;
}

/** An I frame with N(S), N(R) and an ASDU of 1 to 249 octets. */
export function encodeI(ns: number, nr: number, asdu: Uint8Array): Uint8Array {
  expectRange('length of the ASDU', asdu.length, 1, MAX_ASDU_LENGTH);
  // a Buffer of the pool: a socket takes it as it is
  const octets = Buffer.allocUnsafe(APCI_LENGTH + asdu.length);
  octets[0] = START_OCTET;
  octets[1] = 4 + asdu.length;
  putUintLe(octets, 2, ns << 1, 2);
  putUintLe(octets, 4, nr << 1, 2);
  octets.set(asdu, APCI_LENGTH);
  return octets;
}

/** N(R) of a whole I frame. */
export function receiveNumberOf(apdu: Uint8Array): number {
  return u16le(apdu, 4) >> 1;
}

/** An S frame with N(R). */
export function encodeS(nr: number): Uint8Array {
  return Uint8Array.of(START_OCTET, 4, 1, 0, (nr << 1) & 0xff, (nr >> 7) & 0xff);
}

/** A U frame. */
export function encodeU(name: UFunction): Uint8Array {
  return Uint8Array.of(START_OCTET, 4, U_FUNCTIONS[name], 0, 0, 0);
}

/**
 * Decodes one whole APDU whose start octet and length octet are already checked. A U frame without exactly one known function is a fault that leaves
 * the link standing; an S or U frame with an ASDU and an I frame without one are fatal.
 */
export function decodeApdu(bytes: Uint8Array): Apdu | ApduFault {
  const control = bytes[2] ?? 0;
  if ((control & 1) === 0) {
    if (bytes.length === APCI_LENGTH) return fault('FRAME_LENGTH', say('iec104frame.i_without_asdu'), bytes, true);
    return { kind: 'frame', format: 'I', ns: u16le(bytes, 2) >> 1, nr: u16le(bytes, 4) >> 1, bytes };
  }
  const format = (control & 2) === 0 ? 'S' : 'U';
  if (bytes.length !== APCI_LENGTH) {
    return fault('FRAME_LENGTH', say('iec104frame.length_of_format', { format, length: bytes.length - 2 }), bytes, true);
  }
  if (format === 'S') return { kind: 'frame', format: 'S', nr: u16le(bytes, 4) >> 1, bytes };
  const name = FUNCTION_OF_OCTET.get(control);
  if (name !== undefined) return { kind: 'frame', format: 'U', function: name, bytes };
  return fault('PROTOCOL_MALFORMED', say('iec104frame.function_octet', { octet: hexOctet(control) }), bytes, false);
}

/** A fault value. */
export function fault(code: ApduFault['code'], said: Message, bytes: Uint8Array, isFatal: boolean): ApduFault {
  return { kind: 'fault', code, said, message: english(said), bytes, isFatal };
}

/** `0x0B`. */
export function hexOctet(value: number): string {
  return `0x${value.toString(16).toUpperCase().padStart(2, '0')}`;
}
