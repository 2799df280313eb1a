/** What an address of a protocol is; screens have the words. */
export const ADDRESS_TERMS = ['address', 'object_address', 'data_identifier', 'reference'] as const;
/** What tells the devices of one connection apart. */
export const SLAVE_TERMS = ['slave', 'common_address', 'meter'] as const;
/** `decimal`: with the hexadecimal form beside it; `hexadecimal`: alone; `reference`: points are named by a text and have no number. */
export const ADDRESS_FORMS = ['decimal', 'hexadecimal', 'reference'] as const;
export const NUMBER_FORMS = ['decimal', 'hexadecimal'] as const;

/** How a protocol writes addresses, slaves and functions, and the room they need. */
export interface Notation {
  readonly address: {
    readonly term: (typeof ADDRESS_TERMS)[number];
    readonly form: (typeof ADDRESS_FORMS)[number];
    /** Digits of the hexadecimal form, at least. */
    readonly digits: number;
    /** As point table files have it. */
    readonly files: (typeof NUMBER_FORMS)[number];
  };
  /** Null where a connection has one device only. */
  readonly slave: {
    readonly term: (typeof SLAVE_TERMS)[number];
    /** Decimal digits, filled up with zeros. */
    readonly digits: number;
    /** Setting of a point's `protocol` object that says the slave as text; empty: none. */
    readonly setting: string;
  } | null;
  readonly functions: (typeof NUMBER_FORMS)[number];
  /** Widths in pixels of columns of the point table that need more room than registers and unit ids. */
  readonly columns: Readonly<Record<string, number>>;
}

/** Registers of units: what holds for a protocol that says nothing. */
export const PLAIN_NOTATION: Notation = {
  address: { term: 'address', form: 'decimal', digits: 4, files: 'decimal' },
  slave: { term: 'slave', digits: 1, setting: '' },
  functions: 'decimal',
  columns: {},
};

/** An address in hexadecimal with at least the digits of the protocol: `0x0064`. */
export function hexAddress(address: number, { address: { digits } }: Notation): string {
  return `0x${address.toString(16).toUpperCase().padStart(digits, '0')}`;
}

/** A slave id as the protocol writes it: a meter number has 12 digits. */
export function slaveText(slaveId: number, { slave }: Notation): string {
  return String(slaveId).padStart(slave?.digits ?? 1, '0');
}
