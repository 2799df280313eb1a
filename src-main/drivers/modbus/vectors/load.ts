/** Golden vectors for the tests: each with its derivation and clause of the standard, checked in both directions. */
import { readFileSync } from 'node:fs';
import type { ModbusRequest } from '../codec/request.ts';
import type { ModbusResponse } from '../codec/response.ts';

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

/** Octets of spaced hex text. */
export function octets(hex: string): Uint8Array {
  return Uint8Array.from(hex.split(' ').filter(Boolean), (pair) => Number.parseInt(pair, 16));
}

export const pduVectors = load('pdu.json') as readonly PduVector[];
export const malformedVectors = load('pdu-malformed.json') as readonly MalformedVector[];
export const mbapVectors = load('mbap.json') as readonly MbapVector[];

function load(file: string): unknown {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8');
  return JSON.parse(text, function (this: Record<string, unknown>, key: string, value: unknown) {
    if (key === 'hex' && typeof value === 'string') {
      this.bytes = octets(value);
      return undefined;
    }
    return ['octets', 'pdu', 'value'].includes(key) && typeof value === 'string' ? octets(value) : value;
  });
}
