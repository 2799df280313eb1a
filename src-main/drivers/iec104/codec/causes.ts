/** Causes of transmission (IEC 60870-5-101, 7.2.3, table 14). */

import { say } from '#shared/messages/index.ts';
import { type Message, type Names, names } from '#shared/messages/message.ts';

/** Causes by name, for the code that branches on them. Groups: `stationInterrogation + n` for group n, `counterInterrogation + n`. */
export const Cause = {
  periodic: 1,
  background: 2,
  spontaneous: 3,
  initialized: 4,
  request: 5,
  activation: 6,
  activationCon: 7,
  deactivation: 8,
  deactivationCon: 9,
  activationTermination: 10,
  returnRemote: 11,
  returnLocal: 12,
  fileTransfer: 13,
  stationInterrogation: 20,
  counterInterrogation: 37,
  unknownType: 44,
  unknownCause: 45,
  unknownCommonAddress: 46,
  unknownObjectAddress: 47,
} as const;

const CAUSE_NAMES: Readonly<Record<number, Names>> = {
  1: names('periodic, cyclic', '周期、循环'),
  2: names('background scan', '背景扫描'),
  3: names('spontaneous', '突发'),
  4: names('initialized', '初始化'),
  5: names('request or requested', '请求或被请求'),
  6: names('activation', '激活'),
  7: names('activation confirmation', '激活确认'),
  8: names('deactivation', '停止激活'),
  9: names('deactivation confirmation', '停止激活确认'),
  10: names('activation termination', '激活终止'),
  11: names('return information caused by a remote command', '远方命令引起的返送信息'),
  12: names('return information caused by a local command', '当地命令引起的返送信息'),
  13: names('file transfer', '文件传输'),
  14: names('authentication', '认证'),
  15: names('maintenance of authentication session key', '认证会话密钥维护'),
  16: names('maintenance of user role and update key', '用户角色与更新密钥维护'),
  20: names('interrogated by station interrogation', '响应站召唤'),
  37: names('requested by general counter request', '响应计数量总召唤'),
  44: names('unknown type identification', '未知的类型标识'),
  45: names('unknown cause of transmission', '未知的传送原因'),
  46: names('unknown common address of ASDU', '未知的应用服务数据单元公共地址'),
  47: names('unknown information object address', '未知的信息对象地址'),
};

/** The words of a cause 0 to 63; null for one that the standard does not define. */
export function causeNames(cause: number): Names | null {
  const known = CAUSE_NAMES[cause];
  if (known !== undefined) return known;
  if (cause > 20 && cause <= 36) return names(`interrogated by group ${cause - 20} interrogation`, `响应第 ${cause - 20} 组召唤`);
  if (cause > 37 && cause <= 41) return names(`requested by group ${cause - 37} counter request`, `响应第 ${cause - 37} 组计数量召唤`);
  return null;
}

/** Its English words. */
export function causeName(cause: number): string | null {
  return causeNames(cause)?.en ?? null;
}

/** True for 44 to 47: the request comes back because the station does not know its type, cause, common or object address. */
export function isUnknownCause(cause: number): boolean {
  return cause >= Cause.unknownType && cause <= Cause.unknownObjectAddress;
}

/** The cause with its number and name, as a message. */
export function causeMessage(code: number): Message {
  return say('iec104.cause', { code, name: causeNames(code) ?? say('iec104.cause_other') });
}
