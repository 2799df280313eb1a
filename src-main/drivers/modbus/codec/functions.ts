import { say } from '#shared/messages/index.ts';
import { type Message, type Names, names } from '#shared/messages/message.ts';

/** The function codes this driver knows (MODBUS Application Protocol V1.1b3, 5.1) with the standard's names. */
export const FUNCTION_NAMES: Readonly<Record<number, Names>> = {
  1: names('Read Coils', '读线圈'),
  2: names('Read Discrete Inputs', '读离散输入'),
  3: names('Read Holding Registers', '读保持寄存器'),
  4: names('Read Input Registers', '读输入寄存器'),
  5: names('Write Single Coil', '写单个线圈'),
  6: names('Write Single Register', '写单个寄存器'),
  7: names('Read Exception Status', '读异常状态'),
  8: names('Diagnostics', '诊断'),
  11: names('Get Comm Event Counter', '读通信事件计数'),
  12: names('Get Comm Event Log', '读通信事件记录'),
  15: names('Write Multiple Coils', '写多个线圈'),
  16: names('Write Multiple Registers', '写多个寄存器'),
  17: names('Report Server ID', '报告从站标识'),
  20: names('Read File Record', '读文件记录'),
  21: names('Write File Record', '写文件记录'),
  22: names('Mask Write Register', '屏蔽写寄存器'),
  23: names('Read/Write Multiple Registers', '读写多个寄存器'),
  24: names('Read FIFO Queue', '读 FIFO 队列'),
  43: names('Encapsulated Interface Transport', '封装接口传输'),
};

/** Exception codes of the standard (V1.1b3, 7). */
export const EXCEPTION_NAMES: Readonly<Record<number, Names>> = {
  1: names('Illegal Function', '非法功能'),
  2: names('Illegal Data Address', '非法数据地址'),
  3: names('Illegal Data Value', '非法数据值'),
  4: names('Server Device Failure', '从站设备故障'),
  5: names('Acknowledge', '确认'),
  6: names('Server Device Busy', '从站设备忙'),
  8: names('Memory Parity Error', '存储奇偶校验错误'),
  10: names('Gateway Path Unavailable', '网关路径不可用'),
  11: names('Gateway Target Device Failed to Respond', '网关目标设备无响应'),
};

const UNKNOWN_FUNCTION = names('not known here', '此处未知');
const UNKNOWN_EXCEPTION = names('not in the standard', '标准未定义');

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
  return say('modbus.exception', { code, name: EXCEPTION_NAMES[code] ?? UNKNOWN_EXCEPTION });
}

/** The function code with its name: `function 3 (Read Holding Registers)`. */
export function functionMessage(code: number): Message {
  return say('modbus.function', { code, name: FUNCTION_NAMES[code] ?? UNKNOWN_FUNCTION });
}

/** Set in the function code of an exception answer (V1.1b3, 7). */
export const EXCEPTION_BIT = 0x80;
