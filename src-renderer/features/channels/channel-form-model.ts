import { AddChannelBody, type Channel, type ProtocolDescriptor } from '#shared/contract/channels.ts';
import { ConnType, isSerial, isServing } from '#shared/domain/enums.ts';
import { changedEntries, collectInput, collectSettings } from '../../ui/form/collect.ts';
import type { FormRecord } from '../../ui/form/record-form.ts';
import { contractSpecs, type FieldSpec, fieldSpecs } from '../../ui/form/schema-field.ts';

const SOCKET_FIELDS = ['ip', 'port'] as const;
const SERIAL_FIELDS = ['com_port', 'baud_rate', 'data_bits', 'stop_bits', 'parity'] as const;
const GENERAL_FIELDS = ['group', 'auto_start', 'read_only', 'note'] as const;
/** Settings of the side that asks; a server has no use for them. */
const ASKING_FIELDS = ['timeout_ms', 'retries', 'request_gap_ms', 'max_gap'];
/** Changing these leaves the line alone; everything else rebuilds a started channel. */
const QUIET_FIELDS = ['name', 'note', 'group', 'auto_start', 'read_only'];

const specs = contractSpecs(AddChannelBody);

/**
 * Descriptions of the named channel settings, in the given order; names the contract does not have are left out. The form always
 * shows a value, so what is not nullable is required in it.
 */
function pick(names: readonly string[]): readonly FieldSpec[] {
  return names.flatMap((name) => {
    const spec = specs.get(name);
    return spec ? [{ ...spec, isRequired: !spec.isNullable && spec.kind !== 'boolean' && name !== 'note' && name !== 'group' }] : [];
  });
}

/** Description of one channel setting of the contract. */
export function channelSpec(name: string): FieldSpec | undefined {
  return specs.get(name);
}

export interface ChannelFormSections {
  readonly connection: readonly FieldSpec[];
  readonly behaviour: readonly FieldSpec[];
  readonly protocol: readonly FieldSpec[];
  readonly general: readonly FieldSpec[];
}

/** The fields that mean something for a protocol and connection type, by section of the form. */
export function sectionsFor(descriptor: ProtocolDescriptor, connType: ConnType): ChannelFormSections {
  const side = isServing(connType) ? 'server' : 'client';
  const connection: readonly string[] = isSerial(connType) ? SERIAL_FIELDS : SOCKET_FIELDS;
  const placed = new Set<string>([
    ...SOCKET_FIELDS,
    ...SERIAL_FIELDS,
    ...GENERAL_FIELDS,
    'auto_reconnect',
    'name',
    'protocol_type',
    'conn_type',
    'protocol',
  ]);
  const behaviour = descriptor.channel_fields.filter((name) => !placed.has(name) && !(isServing(connType) && ASKING_FIELDS.includes(name)));
  return {
    connection: pick(connection),
    behaviour: pick(behaviour),
    protocol: fieldSpecs(descriptor.channel_schema).filter(
      (spec) => spec.side === null || spec.side === side || (spec.side === 'serial' && isSerial(connType)),
    ),
    general: pick(isServing(connType) ? GENERAL_FIELDS : ['auto_reconnect', ...GENERAL_FIELDS]),
  };
}

/** The settings of a protocol that belong together by their section, in the order of the schema; those without one first, under null. */
export function groupsOf(
  specs: readonly FieldSpec[],
): readonly { readonly section: string | null; readonly specs: readonly FieldSpec[] }[] {
  const sections = new Set(specs.map(({ section }) => section));
  const ordered = [...(sections.has(null) ? [null] : []), ...[...sections].filter((section) => section !== null)];
  return ordered.map((section) => ({ section, specs: specs.filter((spec) => spec.section === section) }));
}

/** How many of these settings are not as they are by default. */
export function changedCount(settings: unknown, specs: readonly FieldSpec[]): number {
  const defaults = Object.fromEntries(specs.map((spec) => [spec.key, spec.defaultValue]));
  return Object.keys(changedEntries(defaults, { ...defaults, ...collectSettings(settings, specs) })).length;
}

/** The connection a new channel of this protocol starts with: one that asks, on a serial port where the protocol is at home there. */
function usualConnType(descriptor: ProtocolDescriptor): ConnType {
  const asking = [ConnType.rtuMaster, ConnType.tcpClient].find((connType) => descriptor.conn_types.includes(connType));
  return asking ?? descriptor.conn_types[0] ?? ConnType.tcpClient;
}

function protocolDefaults(descriptor: ProtocolDescriptor): FormRecord {
  return Object.fromEntries(fieldSpecs(descriptor.channel_schema).map((spec) => [spec.key, spec.defaultValue]));
}

/** Values of an empty form. */
export function newChannelValues(descriptor: ProtocolDescriptor): FormRecord {
  return {
    ...Object.fromEntries([...specs.values()].map((spec) => [spec.key, spec.defaultValue])),
    name: '',
    protocol_type: descriptor.protocol_type,
    conn_type: usualConnType(descriptor),
    port: descriptor.default_port,
    baud_rate: descriptor.default_baud_rate,
    parity: descriptor.default_parity,
    protocol: protocolDefaults(descriptor),
  };
}

/** Values of the form for a stored channel. */
export function channelValues(channel: Channel): FormRecord {
  return Object.fromEntries([...specs.keys()].map((key) => [key, channel[key as keyof Channel]]));
}

/** Changes the protocol: what still stood at the old protocol's default takes the new one's, what was typed stays. */
export function changeProtocol(values: FormRecord, from: ProtocolDescriptor | undefined, to: ProtocolDescriptor): FormRecord {
  const follow = (key: string, old: unknown, next: unknown) => (values[key] === old || values[key] === undefined ? next : values[key]);
  const isUsual = from !== undefined && values.conn_type === usualConnType(from);
  const keepsConnType = !isUsual && to.conn_types.some((connType) => connType === values.conn_type);
  return {
    ...values,
    protocol_type: to.protocol_type,
    conn_type: keepsConnType ? values.conn_type : usualConnType(to),
    port: follow('port', from?.default_port, to.default_port),
    baud_rate: follow('baud_rate', from?.default_baud_rate, to.default_baud_rate),
    parity: follow('parity', from?.default_parity, to.default_parity),
    protocol: protocolDefaults(to),
  };
}

/** What the form says as a request: identity, and the fields that fit. */
export function toChannelInput(values: FormRecord, sections: ChannelFormSections): FormRecord {
  const { name, protocol_type, conn_type } = values;
  const shown = [...sections.connection, ...sections.behaviour, ...sections.general];
  const settings = sections.protocol.length > 0 ? { protocol: collectSettings(values.protocol, sections.protocol) } : {};
  return { name, protocol_type, conn_type, ...collectInput(values, shown), ...settings };
}

/** Paths of all fields the form shows. */
export function channelPaths(sections: ChannelFormSections): readonly string[] {
  const shown = [...sections.connection, ...sections.behaviour, ...sections.general].map((spec) => spec.key);
  return ['name', 'protocol_type', 'conn_type', ...shown, ...sections.protocol.map((spec) => `protocol.${spec.key}`)];
}

/** The settings in `input` that differ from the stored channel. */
export function changedSettings(channel: Channel, input: FormRecord): FormRecord {
  return changedEntries(channel, input);
}

/** True when saving these changes would close and reopen the line of a started channel. */
export function wouldRebuild(channel: Channel, changes: FormRecord): boolean {
  return channel.status !== 'stopped' && channel.status !== 'error' && Object.keys(changes).some((key) => !QUIET_FIELDS.includes(key));
}
