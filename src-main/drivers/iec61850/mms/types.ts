/** Values and types of MMS (ISO 9506-2, Data and TypeSpecification), as the codec gives and takes them. */

/** A value of MMS. Octets are views on the PDU they came from: who keeps them copies them. */
export type MmsValue =
  | { readonly kind: 'array' | 'structure'; readonly items: readonly MmsValue[] }
  | { readonly kind: 'boolean'; readonly value: boolean }
  /** Bit 0 is the most significant bit of the first octet. */
  | { readonly kind: 'bit-string'; readonly size: number; readonly octets: Uint8Array }
  /** A bigint only beyond ±(2^53 - 1). */
  | { readonly kind: 'integer' | 'unsigned'; readonly value: number | bigint }
  | { readonly kind: 'float'; readonly value: number; readonly width: 32 | 64 }
  | { readonly kind: 'octet-string'; readonly octets: Uint8Array }
  | { readonly kind: 'visible-string' | 'mms-string'; readonly text: string }
  /** 4 octets (milliseconds of the day) or 6 (and days since 1984-01-01). */
  | { readonly kind: 'binary-time'; readonly octets: Uint8Array }
  /** 8 octets: seconds since 1970, fraction in 2^-24, quality of time (IEC 61850-8-1, 8.1.3.7). */
  | { readonly kind: 'utc-time'; readonly octets: Uint8Array }
  /** A type this program does not know (generalized time, BCD, boolean array, object identifier), or one with a length that does not suit it. */
  | MmsOther;

/** Octets of a value or a type that is kept as it came; `tag` holds its identifier octets. */
export interface MmsOther {
  readonly kind: 'other';
  readonly tag: number;
  readonly octets: Uint8Array;
}

/** DataAccessError of one item (ISO 9506-2): 0 object-invalidated to 11 object-value-invalid. */
export interface MmsFailure {
  readonly kind: 'failure';
  readonly code: number;
}

/** AccessResult: a value, or why there is none. */
export type MmsResult = MmsValue | MmsFailure;

/** Type of a variable (TypeDescription). Negative sizes: at most as many. */
export type MmsType =
  | { readonly kind: 'structure'; readonly components: readonly MmsComponent[] }
  | { readonly kind: 'array'; readonly count: number; readonly element: MmsType }
  | { readonly kind: 'boolean' | 'utc-time' }
  | { readonly kind: 'bit-string' | 'integer' | 'unsigned' | 'octet-string' | 'visible-string' | 'mms-string'; readonly size: number }
  | { readonly kind: 'float'; readonly width: number; readonly exponentWidth: number }
  | { readonly kind: 'binary-time'; readonly hasDate: boolean }
  | MmsOther;

/** A named component of a structure type. */
export interface MmsComponent {
  readonly name: string;
  readonly type: MmsType;
}

/** Name of an object: of a domain, of the VMD (`domain` null), or of the association (`@name` in ACSI). */
export type ObjectName =
  | { readonly scope: 'domain'; readonly domain: string; readonly item: string }
  | { readonly scope: 'vmd'; readonly item: string }
  | { readonly scope: 'association'; readonly item: string };
