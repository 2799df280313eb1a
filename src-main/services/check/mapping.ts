import { type PointSettings, pointFieldsWhere } from '#shared/domain/point-fields.ts';
import type { PointConfig } from '../../drivers/spi/index.ts';
import type { StoredChannel } from '../../persistence/repositories.ts';
import { deviceSettings } from '../../runtime/settings.ts';
import { canonical } from './chain.ts';
import type { CheckedChannel, CheckedPoint, ServiceThere } from './elsewhere/checked-channel.ts';

/** A point with its channel, as both were at one moment. */
export interface PointThen {
  readonly channel: Pick<CheckedChannel, 'settings' | 'driver'> & {
    /** Null: of this project. */
    readonly service: ServiceThere | null;
  };
  readonly point: PointConfig;
}

/** A point with its channel as both are now. */
export function pointThen({ channel, point }: CheckedPoint): PointThen {
  return { channel: channelThen(channel), point };
}

/** A channel as it is now. */
export function channelThen({ settings, driver, elsewhere }: CheckedChannel): PointThen['channel'] {
  return { settings, driver, service: elsewhere?.service ?? null };
}

/** What decides where the value of a point comes from and how it is made, by the names of the contract; settings of the channel begin with `channel.`. */
export type Mapping = Readonly<Record<string, unknown>>;

const POINT = pointFieldsWhere((field) => field.isRead && field.diff === 'value');
/** Settings of a point that only say how its value is shown. */
const SHOWN_ONLY: ReadonlySet<string> = new Set(['enum_texts', 'bit_texts']);

/** Of a channel the same for all of its points, as long as its settings are. */
const channels = new WeakMap<StoredChannel, Mapping>();

function channelMapping({ settings, driver, service }: PointThen['channel']): Mapping {
  const known = channels.get(settings);
  if (known) return known;
  const mapping = Object.fromEntries(Object.entries(deviceSettings(settings, driver)).map(([name, value]) => [`channel.${name}`, value]));
  const whole = service ? { ...mapping, 'channel.service': `${service.name} ${service.address}` } : mapping;
  channels.set(settings, whole);
  return whole;
}

/** What a point is now. */
export function mappingOf({ channel, point }: PointThen): Mapping {
  const mapping: Record<string, unknown> = { ...channelMapping(channel), related_code: point.related_code };
  for (const key of POINT) if (key !== 'protocol') mapping[key] = point[key];
  for (const [name, value] of Object.entries(point.protocol)) if (!SHOWN_ONLY.has(name)) mapping[`protocol.${name}`] = value;
  return mapping;
}

/** Names of what is otherwise in one of two mappings, in order. What one of them lacks counts as null. */
export function mappingChanges(before: Mapping, after: Mapping): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => canonical(before[name] ?? null) !== canonical(after[name] ?? null)).sort();
}

/** Settings of a point as evidence. */
export function pointFacts(point: PointConfig): Record<string, unknown> {
  return { ...point } satisfies PointSettings;
}

const LINE = [
  'protocol_type',
  'conn_type',
  'ip',
  'port',
  'com_port',
  'address_base',
  'id',
  'name',
  'baud_rate',
  'data_bits',
  'stop_bits',
  'parity',
  'timeout_ms',
  'protocol',
] as const satisfies readonly (keyof StoredChannel)[];

/** Where a channel leads as evidence. No secret is among its settings. */
export function channelFacts({ settings, service }: PointThen['channel']): Record<string, unknown> {
  return { ...Object.fromEntries(LINE.map((key) => [key, settings[key]])), ...(service && serviceFacts(service)) };
}

function serviceFacts({ name, address, version, clockAheadS }: ServiceThere): Record<string, unknown> {
  return {
    service: name,
    service_address: address,
    service_version: version,
    ...(clockAheadS !== undefined && { service_clock_ahead_s: clockAheadS }),
  };
}
