import type { Channel, ProtocolDescriptor } from '#shared/contract/channels.ts';
import type { InputOf } from '#shared/contract/index.ts';
import { FindBody, type FindJob } from '#shared/contract/jobs.ts';
import { ConnType } from '#shared/domain/enums.ts';
import type { FindPreset } from './find-store.ts';

export type Medium = 'serial' | 'tcp';

/** The fields of the search form as they stand in it. */
export interface FindForm {
  readonly medium: Medium;
  readonly protocol: ProtocolDescriptor['protocol_type'] | null;
  readonly comPort: string;
  readonly ip: string;
  readonly port: number | string;
  readonly baudRates: readonly string[];
  readonly formats: readonly string[];
  /** The protocol finds its devices by wildcards; the addresses mean nothing then. */
  readonly hasWildcards: boolean;
  readonly first: number | string;
  readonly last: number | string;
  readonly timeoutMs: number | string;
  readonly listenMs: number | string;
}

/** Rates that are offered; others can be had by the interface for scripts. */
export const BAUD_RATES = [300, 600, 1200, 2400, 4800, 9600, 14_400, 19_200, 38_400, 57_600, 115_200, 230_400].map(String);
export const FORMATS = ['8N1', '8E1', '8O1', '8N2'] as const;

/** Protocols that can be searched for over this medium. */
export function searchable(descriptors: readonly ProtocolDescriptor[], medium: Medium): readonly ProtocolDescriptor[] {
  const needed = medium === 'serial' ? ConnType.rtuMaster : ConnType.tcpClient;
  return descriptors.filter((item) => item.tools && item.conn_types.some((connType) => connType === needed));
}

/** The form as it is opened. */
export function initialForm(descriptors: readonly ProtocolDescriptor[], preset: FindPreset): FindForm {
  const serial = searchable(descriptors, 'serial');
  const canBeSerial =
    preset.protocol_type === undefined ? serial.length > 0 : serial.some((item) => item.protocol_type === preset.protocol_type);
  const medium: Medium = canBeSerial && preset.com_port !== null ? 'serial' : 'tcp';
  const defaults = FindBody.parse({ protocol_type: 1 });
  const form: FindForm = {
    medium,
    protocol: null,
    comPort: preset.com_port ?? '',
    ip: preset.ip ?? '127.0.0.1',
    port: preset.port ?? '',
    baudRates: [],
    formats: [],
    hasWildcards: false,
    first: 1,
    last: 247,
    timeoutMs: '',
    listenMs: defaults.listen_ms,
  };
  return withProtocol(form, descriptors, preset.protocol_type ?? null);
}

/** The form with a protocol that fits its medium, and with the addresses and port of that protocol. */
export function withProtocol(
  form: FindForm,
  descriptors: readonly ProtocolDescriptor[],
  wanted: ProtocolDescriptor['protocol_type'] | null,
): FindForm {
  const fitting = searchable(descriptors, form.medium);
  const chosen = fitting.find((item) => item.protocol_type === wanted) ?? fitting[0];
  if (!chosen?.tools) return { ...form, protocol: null };
  const { least_address, most_address, wildcards, baud_rates, formats } = chosen.tools;
  const isOther = form.protocol !== chosen.protocol_type;
  const before = descriptors.find((item) => item.protocol_type === form.protocol);
  const isUsualPort = form.port === '' || (isOther && form.port === before?.default_port);
  return {
    ...form,
    protocol: chosen.protocol_type,
    port: isUsualPort ? chosen.default_port : form.port,
    // what was chosen for one protocol is seldom right for another
    ...(isOther ? { baudRates: baud_rates.map(String), formats } : {}),
    hasWildcards: wildcards,
    first: Math.max(1, least_address),
    last: most_address,
  };
}

/** The form as a request; null while something is missing. */
export function toFindInput(form: FindForm): InputOf<'startFind'> | null {
  const { protocol, medium, comPort, ip, port, first, last, timeoutMs, listenMs } = form;
  const line =
    medium === 'serial'
      ? { com_port: comPort.trim(), baud_rates: form.baudRates.map(Number), formats: form.formats, listen_ms: Number(listenMs) }
      : { com_port: null, ip: ip.trim(), port: Number(port) };
  const addresses = form.hasWildcards ? {} : { first_slave: first, last_slave: last };
  const input = { protocol_type: protocol, ...line, ...addresses, timeout_ms: timeoutMs === '' ? null : timeoutMs };
  const parsed = FindBody.safeParse(input);
  return parsed.success ? parsed.data : null;
}

/** The channel a search has found, under a name no other channel has. */
export function channelToAdd(job: FindJob, channels: readonly Pick<Channel, 'name'>[]): InputOf<'addChannel'> | null {
  if (!job.channel) return null;
  const taken = new Set(channels.map((channel) => channel.name));
  const { name } = job.channel;
  let free = name;
  for (let count = 2; taken.has(free); count++) free = `${name} (${count})`;
  return { ...job.channel, name: free };
}
