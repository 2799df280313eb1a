import type { Channel } from '#shared/contract/channels.ts';
import { type ChannelStatus, ConnType, isSerial, isServing } from '#shared/domain/enums.ts';
import { protocolFacts } from '#shared/domain/protocols.ts';
import type { IconName } from '../../ui/icons.tsx';
import type { Tone } from '../../ui/status-badge.tsx';

type Addressed = Pick<Channel, 'conn_type' | 'ip' | 'port' | 'com_port' | 'baud_rate' | 'data_bits' | 'parity' | 'stop_bits'> & {
  readonly bound_port?: number | null;
  readonly protocol?: Channel['protocol'];
};

export type Role = 'client' | 'server' | 'master' | 'slave';

const ROLES: Record<ConnType, Role> = {
  [ConnType.rtuMaster]: 'master',
  [ConnType.tcpServer]: 'server',
  [ConnType.tcpClient]: 'client',
  [ConnType.rtuSlave]: 'slave',
};

/** Word key of what this end of the connection is. */
export function roleOf(connType: ConnType): Role {
  return ROLES[connType];
}

/** Name of the protocol as the service document writes it. */
export function protocolName(channel: Pick<Channel, 'protocol_type'>): string {
  return protocolFacts(channel.protocol_type).name;
}

/** Where the channel connects to or listens: `192.168.1.20:502`, `UDP 192.168.1.20:502`, `COM3 9600 8N1`; empty when the serial port is not set. */
export function addressText(channel: Addressed): string {
  if (isSerial(channel.conn_type)) {
    if (!channel.com_port) return '';
    return `${channel.com_port} ${channel.baud_rate} ${channel.data_bits}${channel.parity}${channel.stop_bits}`;
  }
  const host = channel.ip.includes(':') ? `[${channel.ip}]` : channel.ip;
  const port = isServing(channel.conn_type) ? (channel.bound_port ?? channel.port) : channel.port;
  return `${channel.protocol?.transport === 'udp' ? 'UDP ' : ''}${host}:${port}`;
}

export const STATUS_TONE: Record<ChannelStatus, Tone> = {
  stopped: 'idle',
  starting: 'busy',
  running: 'ok',
  reconnecting: 'warn',
  stopping: 'busy',
  error: 'bad',
};

export const STATUS_ICON: Record<ChannelStatus, IconName> = {
  stopped: 'idle',
  starting: 'busy',
  running: 'ok',
  reconnecting: 'reload',
  stopping: 'busy',
  error: 'bad',
};

/** True while the channel holds or seeks its connection: it is stopped, not started, by the next click. */
export function isStarted(status: ChannelStatus): boolean {
  return status === 'running' || status === 'starting' || status === 'reconnecting';
}

/** Slaves that are left out because they do not answer; none on a channel that does not run. */
export function silentSlaves({ status, health }: Pick<Channel, 'status' | 'health'>): readonly number[] {
  return status === 'running' ? health.suspended.map((item) => item.slave_id) : [];
}

/** Channels by their own group, those without one by their protocol; both in the order in which the channels were made: as the list shows them. */
export function groupsOf(channels: readonly Channel[]): [string, Channel[]][] {
  const groups = new Map<string, Channel[]>();
  for (const channel of channels) {
    const name = channel.group || protocolName(channel);
    groups.set(name, [...(groups.get(name) ?? []), channel]);
  }
  return [...groups];
}
