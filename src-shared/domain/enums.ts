/**
 * The closed value sets of the service document (sections 2.1 to 2.4), as plain constants.
 * Numbers are what travels over `/api`; the words are ours.
 */

/** Protocol of a channel (service document 2.1; 5 is our addition for IEC 61850 MMS). */
export const ProtocolType = { modbusTcp: 1, modbusRtu: 2, iec104: 3, dlt645: 4, iec61850: 5 } as const;
export type ProtocolType = (typeof ProtocolType)[keyof typeof ProtocolType];

/** Connection type of a channel (service document 2.1). */
export const ConnType = { rtuMaster: 0, tcpServer: 1, tcpClient: 2, rtuSlave: 3 } as const;
export type ConnType = (typeof ConnType)[keyof typeof ConnType];

/** True for the connection types that wait for a peer and serve our own point table. */
export function isServing(connType: ConnType): boolean {
  return connType === ConnType.tcpServer || connType === ConnType.rtuSlave;
}

/** True for the connection types that run over a serial port instead of a socket. */
export function isSerial(connType: ConnType): boolean {
  return connType === ConnType.rtuMaster || connType === ConnType.rtuSlave;
}

/** Point type (service document 2.2): 0 telemetry YC, 1 signalling YX, 2 remote control YK, 3 remote adjustment YT. */
export const FrameType = { yc: 0, yx: 1, yk: 2, yt: 3 } as const;
export type FrameType = (typeof FrameType)[keyof typeof FrameType];

/** True for point types that carry a command (YK, YT). */
export function isCommandType(frameType: FrameType): boolean {
  return frameType === FrameType.yk || frameType === FrameType.yt;
}

export const CHANNEL_STATUSES = ['stopped', 'starting', 'running', 'reconnecting', 'stopping', 'error'] as const;
export type ChannelStatus = (typeof CHANNEL_STATUSES)[number];

export const TASK_STATES = ['idle', 'running', 'stopping', 'failed'] as const;
export type TaskState = (typeof TASK_STATES)[number];

export const READ_MODES = ['batch', 'single', 'dataset'] as const;
export type ReadMode = (typeof READ_MODES)[number];

/**
 * How far a point's value can be trusted.
 * `good` just read; `stale` last read failed, line lost or slave suspended; `invalid` refused or marked bad by the device, NaN;
 * `never` not read since the service started.
 */
export const QUALITIES = ['never', 'good', 'stale', 'invalid'] as const;
export type Quality = (typeof QUALITIES)[number];

/** Quality detail flags: the IEC 104 letters, and words of the other protocols; the last three tell of the clock behind a time tag (IEC 61850-7-2, TimeQuality). */
export const QUALITY_FLAGS = [
  'IV',
  'NT',
  'SB',
  'BL',
  'OV',
  'test',
  'questionable',
  'oldData',
  'failure',
  'inconsistent',
  'inaccurate',
  'outOfRange',
  'badReference',
  'oscillatory',
  'clock_failure',
  'clock_not_synchronised',
  'leap_second_known',
] as const;
export type QualityFlag = (typeof QUALITY_FLAGS)[number];

export const COMMAND_STEPS = ['operate', 'select', 'execute', 'cancel'] as const;
export type CommandStep = (typeof COMMAND_STEPS)[number];

/** Outcome of a command: the device took it, refused it, or it was sent and the device did not say. */
export const COMMAND_OUTCOMES = ['accepted', 'rejected', 'unknown'] as const;
export type CommandOutcome = (typeof COMMAND_OUTCOMES)[number];
