import { z } from 'zod';
import type { ChannelSettings, ProtocolDescriptor } from '#shared/contract/channels.ts';
import { FrameType } from '#shared/domain/enums.ts';
import { AppError, fieldIssue, invalidInput, issueMessage, toAppError } from '#shared/domain/errors.ts';
import { PLAIN_NOTATION } from '#shared/domain/notation.ts';
import { protocolFacts } from '#shared/domain/protocols.ts';
import { say } from '#shared/messages/index.ts';
import type { DriverDiagnostics } from '../drivers/spi/diagnostics.ts';
import type { ProtocolDriver } from '../drivers/spi/index.ts';
import type { DriverOperation } from '../drivers/spi/operations.ts';
import type { StoredChannel } from '../persistence/repositories.ts';
import { deviceKey, toDriverSettings } from '../runtime/settings.ts';
import type { ChannelRuntime } from '../runtime/types.ts';
import { checkChannelSettings, withProtocolDefaults } from './channel-settings.ts';
import { boundedIssues } from './field-messages.ts';
import type { CallContext, Handlers } from './handlers.ts';
import { usualLines } from './jobs/find/settings.ts';
import { findChannel } from './lookup.ts';
import type { ProjectSession, ServiceDeps } from './ports.ts';
import { channelRow } from './rows.ts';
import { noteDevice } from './setpoint-before.ts';

type ChannelHandlers = Pick<
  Handlers,
  | 'listChannels'
  | 'addChannel'
  | 'updateChannel'
  | 'deleteChannel'
  | 'confirmChannel'
  | 'listSerialPorts'
  | 'listProtocols'
  | 'startDevice'
  | 'stopDevice'
  | 'reloadDevice'
>;

/** Channels: what there are, their settings, start and stop. */
export function channelHandlers(deps: ServiceDeps): ChannelHandlers {
  const session = () => deps.projects.current();
  return {
    listChannels: () => session().channels.list().map(channelRow),
    async addChannel(request, context) {
      await deps.drivers.load?.(request.protocol_type);
      const { settings } = checkChannelSettings(withProtocolDefaults(request), deps.drivers, context);
      const { store, channels } = session();
      requireFreeName(session(), settings.name, null);
      return channelRow(channels.add(store.channels.add(settings)));
    },
    async updateChannel({ channel_id, ...changes }, context) {
      if (changes.protocol_type !== undefined) await deps.drivers.load?.(changes.protocol_type);
      const channel = findChannel(session(), channel_id);
      const merged = { ...channel.settings, ...withoutUndefined(changes) };
      const { settings, driver } = checkChannelSettings(merged, deps.drivers, context);
      const stored: StoredChannel = { ...settings, id: channel.id };
      if (driver !== channel.driver) requireFittingPoints(channel, stored, driver);
      requireFreeName(session(), settings.name, channel.id);
      session().store.channels.update(stored);
      const isElsewhere = deviceKey(stored, driver) !== deviceKey(channel.settings, channel.driver);
      // before, for writes to the new device while it is connected; behind, for answers of the former one that came meanwhile
      if (isElsewhere) noteDevice(channel, deps.clock.wallMs());
      await channel.reconfigure(stored);
      if (isElsewhere) noteDevice(channel, deps.clock.wallMs());
      return channelRow(channel);
    },
    async deleteChannel({ channel_id }, context) {
      const { store, secrets, channels } = session();
      const channel = findChannel(session(), channel_id);
      // first of all, and from here on for good: what the file does not let go of goes on as it was
      store.channels.remove(channel_id);
      await channels.remove(channel_id);
      forgetSecrets(deps, secrets, channel_id, context);
      return channelRow(channel);
    },
    async listSerialPorts() {
      const holders = new Map(
        session()
          .channels.list()
          .map((channel) => [channel.heldPort, channel.settings.name]),
      );
      const ports = await deps.listSerialPorts();
      return ports.map((port) => ({
        path: port.path,
        manufacturer: port.manufacturer,
        vendor_id: port.vendorId,
        product_id: port.productId,
        serial_number: port.serialNumber,
        used_by: holders.get(`serial ${port.path}`) ?? null,
      }));
    },
    async listProtocols() {
      await deps.drivers.load?.();
      return deps.drivers.all.map(describeProtocol);
    },
    confirmChannel({ channel_id }, context) {
      const channel = findChannel(session(), channel_id);
      if (isDamaged(session(), channel_id)) {
        checkChannelSettings(channel.settings, deps.drivers, context);
        requireFittingPoints(channel, { ...channel.settings, id: channel.id }, channel.driver);
        session().store.points.accept(channel_id);
      }
      return channelRow(channel);
    },
    async startDevice({ channel_id }) {
      const channel = findChannel(session(), channel_id);
      requireSound(session(), channel);
      await channel.start();
      return channelRow(channel);
    },
    async stopDevice({ channel_id }) {
      const channel = findChannel(session(), channel_id);
      await channel.stop();
      return channelRow(channel);
    },
    async reloadDevice({ channel_id }) {
      const channel = findChannel(session(), channel_id);
      requireSound(session(), channel);
      await channel.reload();
      return channelRow(channel);
    },
  };
}

function isDamaged({ store }: ProjectSession, channelId: number): boolean {
  return store.damagedChannels().includes(channelId);
}

/** A channel that is not as it was stored must not reach a device: an address or a factor may be another one. */
function requireSound(session: ProjectSession, channel: ChannelRuntime): void {
  if (!isDamaged(session, channel.id)) return;
  throw new AppError('STATE_DAMAGED', say('service.channel_damaged', { channel: channel.settings.name }));
}

/**
 * The channel is gone whatever becomes of its secrets: ids are never used again, and what is left of them here, or by a kill, is removed at the next
 * opening of the project.
 */
function forgetSecrets({ logger }: ServiceDeps, secrets: ProjectSession['secrets'], channelId: number, context: CallContext): void {
  try {
    secrets.remove(channelId);
  } catch (error) {
    logger.error({ err: error, channelId }, 'secrets of a deleted channel were not removed yet');
    context.warn('channel_id', say('service.secrets_later', { reason: toAppError(error).said }));
  }
}

/** A field that was given as undefined is a field that was not given. */
function withoutUndefined(
  changes: { readonly [Key in keyof ChannelSettings]?: ChannelSettings[Key] | undefined },
): Partial<ChannelSettings> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

/** Throws `STATE_CONFLICT` for a name that another channel has; `ownId` null: of a new one. */
export function requireFreeName(session: ProjectSession, name: string, ownId: number | null): void {
  const holder = session.channels.byName(name);
  if (holder && holder.id !== ownId) {
    throw new AppError('STATE_CONFLICT', say('service.name_taken', { name, channel: holder.id }));
  }
}

/** The points of a channel must mean something to the protocol it changes to. Throws `CONFIG_INVALID` with what does not fit. */
function requireFittingPoints(channel: ChannelRuntime, stored: StoredChannel, driver: ProtocolDriver): void {
  const settings = toDriverSettings(stored, driver);
  const name = protocolFacts(stored.protocol_type).name;
  const issues = channel.points.configs().flatMap((point) =>
    driver.normalizePoint(point, settings).issues.map((issue) => {
      const unfit = { point: point.code, protocol: name, path: issue.path, message: issueMessage(issue) };
      return fieldIssue('protocol_type', say('point.unfit', unfit));
    }),
  );
  if (issues.length > 0) throw invalidInput(boundedIssues(issues));
}

function describeProtocol(driver: ProtocolDriver): ProtocolDescriptor {
  const { descriptor, diagnostics, pointHint } = driver;
  const facts = protocolFacts(descriptor.protocolType);
  return {
    protocol_type: descriptor.protocolType,
    key: descriptor.key,
    name: facts.name,
    conn_types: [...facts.connTypes],
    default_port: facts.defaultPort,
    default_baud_rate: facts.defaultBaudRate,
    default_parity: facts.defaultParity,
    modes: [...descriptor.modes],
    channel_fields: [...descriptor.channelFields],
    channel_schema: jsonSchema(descriptor.channelSettings),
    point_fields: Object.values(FrameType).map((type) => ({ frame_type: type, fields: [...descriptor.pointFields[type]] })),
    point_schema: jsonSchema(descriptor.pointSettings),
    ...(pointHint ? { hints: true } : {}),
    ...(descriptor.secrets ? { secrets_schema: jsonSchema(descriptor.secrets) } : {}),
    commands: [...descriptor.commandSteps],
    ...(descriptor.commandOptions ? { command_options_schema: jsonSchema(descriptor.commandOptions) } : {}),
    ...(descriptor.tellsCommandState ? { command_state: true } : {}),
    ...(descriptor.cancelsUnderWay ? { cancels_under_way: true } : {}),
    notation: descriptor.notation ?? PLAIN_NOTATION,
    ...(descriptor.reportsChanges ? { reports_changes: true } : {}),
    ...(descriptor.echoesCommands ? { echoes_commands: true } : {}),
    ...(descriptor.confirmsLate ? { confirms_late: true } : {}),
    frame_check: descriptor.frameCheck ?? 'none',
    ...(diagnostics ? { tools: toolsOf(diagnostics) } : {}),
    ...(descriptor.operations ? { operations: descriptor.operations.map(operationRow) } : {}),
    ...(descriptor.unknownObjects ? { unknown_objects: descriptor.unknownObjects } : {}),
    ...(driver.model ? { model: modelOf(driver) } : {}),
  };
}

function modelOf({ documents }: ProtocolDriver): ProtocolDescriptor['model'] {
  return { extensions: [...(documents?.extensions ?? [])], max_octets: documents?.maxOctets ?? 0, setting: documents?.setting ?? '' };
}

function toolsOf(diagnostics: DriverDiagnostics): ProtocolDescriptor['tools'] {
  const { addresses, scanFunctions, wildcards } = diagnostics;
  const { baudRates, formats } = usualLines(diagnostics);
  return {
    least_address: addresses.least,
    most_address: addresses.most,
    wildcards: wildcards !== undefined,
    baud_rates: [...baudRates],
    formats: [...formats],
    scan_functions: scanFunctions.map(({ code, name, largestBlock, isBit }) => ({
      code,
      name,
      largest_block: largestBlock,
      is_bit: isBit,
    })),
  };
}

function operationRow({ name, summary, effect, connTypes, params }: DriverOperation) {
  return { name, summary, effect, writes: effect === 'command', conn_types: [...connTypes], params_schema: jsonSchema(params) };
}

function jsonSchema(schema: z.ZodObject): Record<string, unknown> {
  return z.toJSONSchema(schema, { io: 'input' });
}
