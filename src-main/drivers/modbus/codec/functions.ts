/** The function codes this driver knows (MODBUS Application Protocol V1.1b3, 5.1) with the standard's names. */
export const FUNCTION_NAMES: Readonly<Record<number, string>> = {
  1: 'Read Coils',
  2: 'Read Discrete Inputs',
  3: 'Read Holding Registers',
  4: 'Read Input Registers',
  5: 'Write Single Coil',
  6: 'Write Single Register',
  15: 'Write Multiple Coils',
  16: 'Write Multiple Registers',
  22: 'Mask Write Register',
  23: 'Read/Write Multiple Registers',
  43: 'Encapsulated Interface Transport',
};

/** Exception codes of the standard (V1.1b3, 7). */
const EXCEPTION_NAMES: Readonly<Record<number, string>> = {
  1: 'Illegal Function',
  2: 'Illegal Data Address',
  3: 'Illegal Data Value',
  4: 'Server Device Failure',
  5: 'Acknowledge',
  6: 'Server Device Busy',
  8: 'Memory Parity Error',
  10: 'Gateway Path Unavailable',
  11: 'Gateway Target Device Failed to Respond',
};

/** Exception codes by name, for the code that branches on them. */
export const Exception = {
  illegalFunction: 1,
  illegalDataAddress: 2,
  illegalDataValue: 3,
  acknowledge: 5,
  gatewayTargetFailed: 11,
} as const;

/** Most coils or registers one request may carry (V1.1b3, 6.1 to 6.4, 6.11, 6.12, 6.17). */
export const QUANTITY_LIMITS = {
  readBits: 2000,
  readRegisters: 125,
  writeCoils: 1968,
  writeRegisters: 123,
  readWriteRead: 125,
  readWriteWrite: 121,
} as const;

/** Longest PDU: function code and data (V1.1b3, 4.1). */
export const MAX_PDU_LENGTH = 253;

/** Addresses of coils and registers go from 0 to this (V1.1b3, 4.4). */
export const MAX_ADDRESS = 0xffff;

/** The exception code with its name: `exception 2 (Illegal Data Address)`. */
export function describeException(code: number): string {
  return `exception ${code} (${EXCEPTION_NAMES[code] ?? 'not in the standard'})`;
}

/** The function code with its name: `function 3 (Read Holding Registers)`. */
export function describeFunction(code: number): string {
  return `function ${code} (${FUNCTION_NAMES[code] ?? 'not known here'})`;
}

/** Set in the function code of an exception answer (V1.1b3, 7). */
export const EXCEPTION_BIT = 0x80;
