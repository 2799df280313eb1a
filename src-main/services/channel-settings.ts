import type { z } from 'zod';
import type { AddChannelBody, ChannelSettings } from '#shared/contract/channels.ts';
import { ConnType, isServing } from '#shared/domain/enums.ts';
import { type FieldIssue, fieldIssue, invalidInput, issueMessage } from '#shared/domain/errors.ts';
import { protocolFacts } from '#shared/domain/protocols.ts';
import { FieldWords } from '#shared/messages/field-words.ts';
import { either, say } from '#shared/messages/index.ts';
import { type Names, names } from '#shared/messages/message.ts';
import type { ProtocolDriver } from '../drivers/spi/index.ts';
import type { DriverRegistry } from '../runtime/types.ts';
import type { CallContext } from './handlers.ts';
import { unknownMessage } from './unknown-fields.ts';

const CONN_NAMES: Readonly<Record<ConnType, Names>> = {
  [ConnType.rtuMaster]: names('RTU master', 'RTU 主站'),
  [ConnType.tcpServer]: names('TCP server', 'TCP 服务端'),
  [ConnType.tcpClient]: names('TCP client', 'TCP 客户端'),
  [ConnType.rtuSlave]: names('RTU slave', 'RTU 从站'),
};

/** Fills in what depends on the protocol: port and serial defaults of decisions.md. */
export function withProtocolDefaults(body: z.output<typeof AddChannelBody>): ChannelSettings {
  const facts = protocolFacts(body.protocol_type);
  return {
    ...body,
    port: body.port ?? facts.defaultPort,
    baud_rate: body.baud_rate ?? facts.defaultBaudRate,
    parity: body.parity ?? facts.defaultParity,
  };
}

/** Settings that passed, with the driver that will run them. */
export interface CheckedSettings {
  readonly settings: ChannelSettings;
  readonly driver: ProtocolDriver;
}

/**
 * Checks what one field alone cannot say: the pair of protocol and connection, whether the protocol is built in, and its own settings.
 * Throws `CONFIG_INVALID` with all wrong places. Settings the protocol does not know are left out with a warning.
 */
export function checkChannelSettings(settings: ChannelSettings, drivers: DriverRegistry, context: CallContext): CheckedSettings {
  const issues: FieldIssue[] = [];
  const facts = protocolFacts(settings.protocol_type);
  if (!facts.connTypes.includes(settings.conn_type)) {
    const typeText = (number: ConnType) => say('service.conn_type', { number, name: CONN_NAMES[number] });
    const allowed = facts.connTypes.map(typeText);
    const given = typeText(settings.conn_type);
    issues.push(fieldIssue('conn_type', say('service.no_conn_type', { protocol: facts.name, given, allowed: either(allowed) })));
  }
  const driver = drivers.find(settings.protocol_type);
  if (!driver) {
    const built = drivers.all.map((item) => `${item.descriptor.protocolType} (${protocolFacts(item.descriptor.protocolType).name})`);
    issues.push(fieldIssue('protocol_type', say('service.protocol_not_built', { protocol: facts.name, built })));
    throw invalidInput(issues);
  }
  const protocol = checkProtocolSettings(driver.descriptor.channelSettings, settings.protocol, 'protocol', issues, context);
  if (protocol.listen_only === 'on' && isServing(settings.conn_type)) {
    issues.push(fieldIssue('protocol.listen_only', say('listen.no_server')));
  }
  if (issues.length > 0) throw invalidInput(issues);
  for (const issue of driver.settingsWarnings?.(protocol) ?? []) context.warn(`protocol.${issue.path}`, issueMessage(issue));
  return { settings: { ...settings, protocol }, driver };
}

/**
 * Checks a `protocol` object against the schema of the driver. Answers it as it was given, without the fields that are not known; so a
 * default stays a default when a later version changes it.
 */
export function checkProtocolSettings(
  schema: z.ZodObject,
  given: Readonly<Record<string, unknown>>,
  path: string,
  issues: FieldIssue[],
  context: Pick<CallContext, 'warn'>,
): Record<string, unknown> {
  const fields = Object.keys(schema.shape);
  const known = Object.fromEntries(Object.entries(given).filter(([key]) => fields.includes(key)));
  for (const key of Object.keys(given)) {
    if (!fields.includes(key)) context.warn(`${path}.${key}`, unknownMessage(key, fields));
  }
  const words = new FieldWords();
  for (const issue of schema.safeParse(known, words.options).error?.issues ?? []) {
    issues.push(words.issue([path, ...issue.path.map(String)].join('.'), issue));
  }
  return known;
}
