import type { MissingPart } from '#shared/contract/projects.ts';
import { isSerial } from '#shared/domain/enums.ts';
import type { MissingKind } from '#shared/domain/projects.ts';
import { english, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { toDriverSettings } from '../runtime/settings.ts';
import type { ChannelRuntime } from '../runtime/types.ts';
import type { Handlers } from './handlers.ts';
import type { ProjectFiles, ProjectSession, ServiceDeps } from './ports.ts';

/** What the open project needs and this computer does not have: it was made elsewhere, or moved. */
export function missingPartHandlers(deps: ServiceDeps): Pick<Handlers, 'missingParts'> {
  return {
    async missingParts() {
      const session = deps.projects.current();
      const isWanted = session.channels.list().some(({ settings }) => isSerial(settings.conn_type));
      const ports = isWanted ? await serialPorts(deps) : null;
      const items: MissingPart[] = [];
      for (const channel of session.channels.list()) {
        const add = (kind: MissingKind, said: Message) => items.push(partOf(kind, channel.id, channel.settings.name, said));
        const port = missingPort(channel, ports);
        if (port !== null && !(await isDevice(port, deps.projectFiles))) add('serial_port', say('project.no_port', { port }));
        const names = secretsOf(session, channel.id);
        if (names.length > 0) add('secrets', say('project.no_secrets', { names }));
        const device = missingDocument(session, channel);
        if (device !== null) add('document', say('project.no_document', { device }));
        for (const path of await missingFiles(channel, deps.projectFiles)) add('file', say('project.no_file', { path }));
      }
      for (const { id, name, protocol } of session.store.channels.unknown()) {
        items.push(partOf('protocol', id, name, say('project.unknown_protocol', { protocol })));
      }
      return { items };
    },
  };
}

function partOf(kind: MissingKind, channelId: number, channel: string, said: Message): MissingPart {
  return { kind, channel_id: channelId, channel, message: english(said), message_code: said.code, params: said.params };
}

/** Null where the system does not tell its ports: then nothing is known to be missing. */
async function serialPorts({ listSerialPorts, logger }: ServiceDeps): Promise<ReadonlySet<string> | null> {
  try {
    return new Set((await listSerialPorts()).map(({ path }) => path));
  } catch (error) {
    logger.warn({ err: error }, 'the serial ports are not known');
    return null;
  }
}

/** A port that a running channel holds is there. */
function missingPort({ settings, heldPort }: ChannelRuntime, ports: ReadonlySet<string> | null): string | null {
  const { conn_type, com_port } = settings;
  if (!isSerial(conn_type) || com_port === null || com_port === '' || ports === null || heldPort !== null) return null;
  return ports.has(com_port) ? null : com_port;
}

/** Some kinds of ports are in no list, and are files all the same. */
async function isDevice(port: string, files: ProjectFiles): Promise<boolean> {
  return port.startsWith('/') && (await files.isThere(port)) !== false;
}

/** None where the file of secrets cannot be read: a warning of the service tells that. */
function secretsOf({ secrets }: ProjectSession, channelId: number): readonly string[] {
  try {
    return secrets.missing(channelId);
  } catch {
    return [];
  }
}

/** The device that was chosen out of a file, where the file is not there. */
function missingDocument({ store }: ProjectSession, { id, driver, settings }: ChannelRuntime): string | null {
  const device = driver.documents ? settings.protocol[driver.documents.setting] : '';
  return typeof device === 'string' && device !== '' && store.documents.info(id) === null ? device : null;
}

/** Files that the settings of an encrypted connection name. */
async function missingFiles({ driver, settings }: ChannelRuntime, files: ProjectFiles): Promise<string[]> {
  const missing: string[] = [];
  for (const path of namedFiles(driver, settings)) if ((await files.isThere(path)) === false) missing.push(path);
  return missing;
}

function namedFiles(driver: ChannelRuntime['driver'], settings: ChannelRuntime['settings']): readonly string[] {
  try {
    const tls = driver.lineOptions?.(toDriverSettings(settings, driver)).tls;
    const given = tls ? [tls.certificate, tls.key, tls.ca] : [];
    return [...new Set(given.filter((text) => text !== '' && !text.includes('-----BEGIN')))];
  } catch {
    // settings that are not right are told where they are used
    return [];
  }
}
