import { isSerial, isServing } from '#shared/domain/enums.ts';
import { invalidInput } from '#shared/domain/errors.ts';
import { serialControlOf } from '#shared/domain/serial.ts';
import type { SettingMeta } from '#shared/domain/setting-meta.ts';
import { FieldWords } from '#shared/messages/field-words.ts';
import type { DriverChannelSettings, ProtocolDriver } from '../drivers/spi/index.ts';
import type { StoredChannel } from '../persistence/repositories.ts';
import type { LineSettings, SerialControl } from '../transport/types.ts';

/** Least time a connection request gets: room for two repeats of a lost SYN. */
const LEAST_CONNECT_MS = 3_000;

/** Settings that change nothing about the connection; a change of any other one rebuilds a started channel. */
const KEEPS_CONNECTION: ReadonlySet<string> = new Set([
  'id',
  'name',
  'note',
  'group',
  'auto_start',
  'read_only',
] satisfies (keyof StoredChannel)[]);

/** Where a channel connects to or listens at, with what its protocol says of the line. Throws `CONFIG_INVALID` as `toDriverSettings`. */
export function toLineSettings(channel: StoredChannel, driver: ProtocolDriver): LineSettings {
  const { tls, connectTimeoutMs } = driver.lineOptions?.(toDriverSettings(channel, driver)) ?? {};
  return {
    kind: lineKind(channel, driver),
    ip: channel.ip,
    port: channel.port,
    comPort: channel.com_port,
    baudRate: channel.baud_rate,
    dataBits: channel.data_bits,
    stopBits: channel.stop_bits,
    parity: channel.parity,
    connectTimeoutMs: connectTimeoutMs ?? Math.max(channel.timeout_ms, LEAST_CONNECT_MS),
    ...(isSerial(channel.conn_type) ? { serial: toSerialControl(channel.protocol) } : {}),
    ...(tls ? { tls } : {}),
  };
}

function lineKind({ conn_type, protocol }: Omit<StoredChannel, 'id'>, driver: ProtocolDriver): LineSettings['kind'] {
  if (isSerial(conn_type)) return 'serial';
  return driver.isDatagram?.(protocol) ? 'udp' : 'tcp';
}

function toSerialControl(protocol: Readonly<Record<string, unknown>>): SerialControl {
  const { dtr_at_open, rts_at_open, rts_direction } = serialControlOf(protocol);
  return { dtrAtOpen: dtr_at_open, rtsAtOpen: rts_at_open, rtsDirection: rts_direction };
}

/**
 * Settings of a stored channel as its driver takes them; `protocol` goes through the schema of the driver, which fills in
 * defaults. Throws `CONFIG_INVALID` with paths below `protocol`.
 */
export function toDriverSettings(channel: Omit<StoredChannel, 'id'>, driver: ProtocolDriver): DriverChannelSettings {
  const words = new FieldWords();
  const parsed = driver.descriptor.channelSettings.safeParse(channel.protocol, words.options);
  if (!parsed.success) {
    throw invalidInput(parsed.error.issues.map((issue) => words.issue(['protocol', ...issue.path].join('.'), issue)));
  }
  return {
    connType: channel.conn_type,
    timeoutMs: channel.timeout_ms,
    retries: channel.retries,
    requestGapMs: channel.request_gap_ms,
    maxGap: channel.max_gap,
    addressBase: channel.address_base,
    baudRate: channel.baud_rate,
    dataBits: channel.data_bits,
    stopBits: channel.stop_bits,
    parity: channel.parity,
    protocol: parsed.data,
  };
}

/** True when a change from one to the other closes and opens the connection: everything but name, note, auto_start and read_only. */
export function needsRebuild(before: StoredChannel, after: StoredChannel): boolean {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof StoredChannel>;
  for (const key of keys) {
    if (!KEEPS_CONNECTION.has(key) && !isSame(before[key], after[key])) return true;
  }
  return false;
}

/** Settings that say which line it is, whatever is spoken there and how. */
const LINE = ['protocol_type', 'conn_type', 'ip', 'port', 'com_port'] as const satisfies readonly (keyof StoredChannel)[];
/** Settings that say which device it is, and how it is spoken to: what was learnt of it holds no longer than these. */
const DEVICE = [...LINE, 'protocol'] as const satisfies readonly (keyof StoredChannel)[];

/** True when a change from one to the other leads to another line. */
export function isOtherLine(before: StoredChannel, after: StoredChannel): boolean {
  return LINE.some((key) => !isSame(before[key], after[key]));
}

/** True when a change from one to the other may mean another device, so that what was learnt of the first does not hold. */
export function isOtherDevice(before: StoredChannel, after: StoredChannel): boolean {
  return DEVICE.some((key) => !isSame(before[key], after[key]));
}

const ADDRESS = [
  'protocol_type',
  'conn_type',
  'ip',
  'port',
  'com_port',
  'address_base',
] as const satisfies readonly (keyof StoredChannel)[];

/**
 * Settings of a channel that say which device it leads to and what the addresses there mean, by the names of the contract: of those of the protocol the ones that its driver marks
 * (`SettingMeta.tells_device`). A timer is none of them.
 */
export function deviceSettings(channel: Omit<StoredChannel, 'id'>, driver: ProtocolDriver): Readonly<Record<string, unknown>> {
  const settings: Record<string, unknown> = Object.fromEntries(ADDRESS.map((key) => [key, channel[key]]));
  const { channelSettings } = driver.descriptor;
  const values: Readonly<Record<string, unknown>> = channelSettings.safeParse(channel.protocol).data ?? channel.protocol;
  for (const [name, schema] of Object.entries(channelSettings.shape)) {
    if ((schema.meta() as SettingMeta | undefined)?.tells_device) settings[`protocol.${name}`] = values[name] ?? null;
  }
  return settings;
}

/** A text that is equal for channels that lead to the same device in the same way. */
export function deviceKey(channel: Omit<StoredChannel, 'id'>, driver: ProtocolDriver): string {
  return JSON.stringify(deviceSettings(channel, driver));
}

/** True when values that were read under the one say nothing under the other. What a channel serves is its own wherever it serves it. */
export function isReadElsewhere(
  before: StoredChannel,
  after: StoredChannel,
  drivers: { readonly before: ProtocolDriver; readonly after: ProtocolDriver },
): boolean {
  if (isServing(before.conn_type) && isServing(after.conn_type)) return false;
  return deviceKey(before, drivers.before) !== deviceKey(after, drivers.after);
}

/** Equality of JSON values; the order of object fields means nothing. */
function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
  return left.size === right.size && [...left].every(([key, value]) => right.has(key) && isSame(value, right.get(key)));
}

/** Line resource a channel needs for itself alone: `serial COM3`, `tcp-listen 0.0.0.0:502`, `udp-listen 0.0.0.0:502`; null for a client in a network. */
export function portOf(channel: Omit<StoredChannel, 'id'>, driver: ProtocolDriver): string | null {
  const kind = lineKind(channel, driver);
  if (kind === 'serial') return `serial ${channel.com_port ?? ''}`;
  return isServing(channel.conn_type) ? `${kind}-listen ${channel.ip}:${channel.port}` : null;
}

/** True when two resources as `portOf` writes them cannot be held at once. */
export function portsCollide(a: string, b: string): boolean {
  const [kindA, placeA] = splitPort(a);
  const [kindB, placeB] = splitPort(b);
  if (kindA !== kindB) return false;
  if (kindA === 'serial') return serialName(placeA) === serialName(placeB);
  const [ipA, portA] = splitEndPoint(placeA);
  const [ipB, portB] = splitEndPoint(placeB);
  // Port 0 asks for a free one.
  return portA === portB && portA !== '0' && (ipA === ipB || isAnyAddress(ipA) || isAnyAddress(ipB));
}

function splitPort(port: string): [kind: string, place: string] {
  const space = port.indexOf(' ');
  return [port.slice(0, space), port.slice(space + 1)];
}

function splitEndPoint(place: string): [ip: string, port: string] {
  const colon = place.lastIndexOf(':');
  const ip = place.slice(0, colon).toLowerCase();
  return [ip === 'localhost' ? '127.0.0.1' : ip, place.slice(colon + 1)];
}

function isAnyAddress(ip: string): boolean {
  return ip === '0.0.0.0' || ip === '::';
}

/** Windows writes one port as COM3, com3 and \\.\COM3. */
function serialName(path: string): string {
  const plain = path.replace(/^\\\\\.\\/, '');
  return /^com\d+$/i.test(plain) ? plain.toUpperCase() : plain;
}
