/** Golden vectors for the tests: each with its derivation and clause of the standard, checked in both directions. */
import type { ModbusRequest } from '../codec/request.ts';
import type { ModbusResponse } from '../codec/response.ts';
import ascii from './ascii.json' with { type: 'json' };
import mbap from './mbap.json' with { type: 'json' };
import pdu from './pdu.json' with { type: 'json' };
import malformed from './pdu-malformed.json' with { type: 'json' };
import registers from './registers.json' with { type: 'json' };
import rtu from './rtu.json' with { type: 'json' };

interface Sided<T> {
  readonly bytes: Uint8Array;
  readonly decoded: T;
}

export interface PduVector {
  readonly name: string;
  readonly request?: Sided<ModbusRequest>;
  readonly response?: Sided<ModbusResponse>;
}

export interface MalformedVector {
  readonly name: string;
  readonly direction: 'request' | 'response';
  readonly bytes: Uint8Array;
}

export interface MbapVector {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly transactionId: number;
  readonly unitId: number;
  readonly pdu: Uint8Array;
}

export interface RtuVector {
  readonly name: string;
  readonly side: 'request' | 'answer';
  readonly bytes: Uint8Array;
  readonly unitId: number;
  readonly pdu: Uint8Array;
}

export interface AsciiVector extends Omit<RtuVector, 'bytes'> {
  /** The frame without its CR LF. */
  readonly text: string;
}

/** What registers mean under the settings of a point. */
export interface RegisterVector {
  readonly name: string;
  readonly derivation: string;
  readonly point: { readonly decode: string; readonly bit?: number; readonly protocol: Readonly<Record<string, unknown>> };
  readonly bytes: Uint8Array;
  /** Null: no number. */
  readonly value: number | null;
  readonly text: string;
  readonly quality: 'good' | 'invalid';
  /** The octets are not what a write of the value makes, or nothing writes it. */
  readonly readOnly?: true;
}

const HEX_FIELDS: readonly string[] = ['hex', 'octets', 'pdu', 'value'];

/** Octets of spaced hex text. */
export function octets(hex: string): Uint8Array {
  return Uint8Array.from(hex.split(' ').filter(Boolean), (pair) => Number.parseInt(pair, 16));
}

export const pduVectors = revive(pdu) as readonly PduVector[];
export const malformedVectors = revive(malformed) as readonly MalformedVector[];
export const mbapVectors = revive(mbap) as readonly MbapVector[];
export const registerVectors = revive(registers) as readonly RegisterVector[];
export const asciiVectors = revive(ascii) as readonly AsciiVector[];
export const rtuVectors = revive(rtu) as readonly RtuVector[];

/** The same tree with octets where the file has their hex text; `hex` becomes `bytes`. */
function revive(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(revive);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, entry]: [string, unknown]) => {
    if (typeof entry !== 'string' || !HEX_FIELDS.includes(key)) return [key, revive(entry)];
    return [key === 'hex' ? 'bytes' : key, octets(entry)];
  });
  return Object.fromEntries(entries);
}
