import { createHash } from 'node:crypto';
import type { AboutPoint } from '../record-queue.ts';

/** What all entities of a publisher have in common. */
export interface Announced {
  /** First levels of the discovery topics, `homeassistant` as a rule. */
  readonly discoveryPrefix: string;
  /** First levels of the topics of values. */
  readonly prefix: string;
  readonly qos: 0 | 1 | 2;
  readonly version: string;
  /** Stands for the publisher, and for no other one, on no other computer. */
  readonly owner: string;
}

/** A point as an entity. */
export interface AnnouncedPoint {
  readonly about: AboutPoint;
  readonly stateTopic: string;
  readonly isTwoState: boolean;
}

/** A retained message that makes one entity known. */
export interface Announcement {
  readonly topic: string;
  readonly payload: string;
}

/**
 * Units that a class of devices has in Home Assistant, so that it shows and converts them. What is not listed is a number with its unit: a class with another
 * unit than it knows would be refused.
 */
const CLASSES: Readonly<Record<string, { readonly device_class: string; readonly state_class: string }>> = Object.fromEntries(
  (
    [
      ['voltage', 'measurement', ['mV', 'V', 'kV']],
      ['current', 'measurement', ['mA', 'A']],
      ['power', 'measurement', ['mW', 'W', 'kW', 'MW', 'GW']],
      ['reactive_power', 'measurement', ['var', 'kvar']],
      ['apparent_power', 'measurement', ['VA', 'kVA']],
      ['frequency', 'measurement', ['Hz', 'kHz', 'MHz', 'GHz']],
      ['temperature', 'measurement', ['°C', '°F', 'K']],
      // a meter may count back
      ['energy', 'total', ['Wh', 'kWh', 'MWh', 'GWh']],
    ] as const
  ).flatMap(([device_class, state_class, units]) => units.map((unit) => [unit, { device_class, state_class }])),
);

/** Third level of all discovery topics of a publisher, and of no other one: what stands below it and is no point now is taken back. */
export function nodeOf({ prefix, owner }: Pick<Announced, 'prefix' | 'owner'>): string {
  return `${prefix.replace(/[^a-zA-Z0-9_-]/g, '_')}_${idOf(owner).slice(0, 8)}`;
}

/** True for a topic under which `announcementOf` makes an entity known. */
export function isOwnTopic(topic: string, announced: Pick<Announced, 'discoveryPrefix' | 'prefix' | 'owner'>): boolean {
  const [component = '', node, id = '', ...rest] = topic.slice(announced.discoveryPrefix.length + 1).split('/');
  const isShaped = (component === 'sensor' || component === 'binary_sensor') && /^[0-9a-f]{20}$/.test(id) && rest.join('/') === 'config';
  return isShaped && topic.startsWith(`${announced.discoveryPrefix}/`) && node === nodeOf(announced);
}

/**
 * What makes a point an entity of Home Assistant: a sensor, or a binary sensor for a state. It is available while this program is, and its value is good. No
 * topic of it takes a command.
 */
export function announcementOf(announced: Announced, { about, stateTopic, isTwoState }: AnnouncedPoint): Announcement {
  const { discoveryPrefix, prefix, qos, version } = announced;
  const { device, code, name, unit } = about;
  const id = idOf(stateTopic);
  const config = {
    name: name === '' ? code : name,
    unique_id: `loopcheck_${id}`,
    state_topic: stateTopic,
    value_template: isTwoState
      ? "{{ {0: 'OFF', 1: 'ON'}.get(value_json.value, 'None') }}"
      : // null is written as None, which stands for an unknown value
        '{{ value_json.value }}',
    ...(!isTwoState && unit !== '' && { unit_of_measurement: unit }),
    ...(!isTwoState && CLASSES[unit]),
    qos,
    availability: [
      { topic: `${prefix}/status` },
      { topic: stateTopic, value_template: "{{ 'online' if value_json.quality == 'good' else 'offline' }}" },
    ],
    availability_mode: 'all',
    device: { identifiers: [`loopcheck_${idOf(`${prefix}/${device}`)}`], name: device },
    origin: { name: 'Loopcheck', sw_version: version },
  };
  const component = isTwoState ? 'binary_sensor' : 'sensor';
  return { topic: `${discoveryPrefix}/${component}/${nodeOf(announced)}/${id}/config`, payload: JSON.stringify(config) };
}

/** True for a message that this publisher, or one with its topics before it, made an entity known by. */
export function isOwn(payload: Uint8Array, { prefix }: Pick<Announced, 'prefix'>): boolean {
  try {
    const { state_topic, unique_id } = JSON.parse(new TextDecoder().decode(payload)) as Readonly<Record<string, unknown>>;
    const isOurs = typeof unique_id === 'string' && unique_id.startsWith('loopcheck_');
    return isOurs && typeof state_topic === 'string' && state_topic.startsWith(`${prefix}/`);
  } catch {
    return false;
  }
}

/** The same for the same topic at all times, of no other one, in characters that a discovery topic may have. */
function idOf(topic: string): string {
  return createHash('sha256').update(topic).digest('hex').slice(0, 20);
}
