/** Golden vectors for the tests: captured, quoted and made by hand, each with its source. */
import vectors from './vectors.json' with { type: 'json' };

export interface Dlt645Vector {
  readonly name: string;
  readonly category: string;
  readonly protocol: '2007' | '1997';
  readonly request_hex: string | null;
  readonly response_hex: string | null;
  readonly meaning: {
    readonly address: string;
    readonly control: string;
    readonly response_control?: string;
    readonly di?: string;
    readonly values?: readonly unknown[];
    readonly unit: string;
    readonly error?: number;
    readonly seq?: number;
  };
  readonly expect?: { readonly frames?: number; readonly slave?: string; readonly master?: string; readonly reason?: string };
  readonly chunks?: readonly string[];
  readonly gap_ms?: number;
  readonly peer_quirk?: string;
  readonly group?: string;
}

export const allVectors = vectors as unknown as readonly Dlt645Vector[];

/** Octets of hexadecimal text, with or without spaces. */
export function octets(hex: string): Uint8Array {
  return Uint8Array.from(hex.replaceAll(' ', '').match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
