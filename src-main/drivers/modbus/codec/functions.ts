import { english, isMessageId, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';

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
export function exceptionMessage(code: number): Message {
  const id = `modbus.exception_${code}`;
  return say('modbus.exception', { code, name: isMessageId(id) ? { id, params: {} } : say('modbus.exception_other') });
}

/** `exceptionMessage` in English. */
export function describeException(code: number): string {
  return english(exceptionMessage(code));
}

/** The function code with its name: `function 3 (Read Holding Registers)`. */
export function functionMessage(code: number): Message {
  const id = `modbus.function_${code}`;
  return say('modbus.function', { code, name: isMessageId(id) ? { id, params: {} } : say('modbus.function_other') });
}

/** `functionMessage` in English. */
export function describeFunction(code: number): string {
  return english(functionMessage(code));
}

/** Set in the function code of an exception answer (V1.1b3, 7). */
export const EXCEPTION_BIT = 0x80;
