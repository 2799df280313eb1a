import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Channel } from '#shared/contract/channels.ts';
import type { DocumentDevices, DocumentReport, ModelDocument } from '#shared/contract/iec61850.ts';
import { isServing } from '#shared/domain/enums.ts';
import { AppError, invalidField } from '#shared/domain/errors.ts';
import { protocolFacts } from '#shared/domain/protocols.ts';
import { beginOf, say } from '#shared/messages/index.ts';
import type { MessageParam } from '#shared/messages/message.ts';
import type { DocumentAddress, DocumentKind, DocumentSummary, DriverDocument } from '../../drivers/spi/model.ts';
import type { StoredChannel } from '../../persistence/repositories.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import { checkChannelSettings } from '../channel-settings.ts';
import type { Handlers } from '../handlers.ts';
import { findChannel } from '../lookup.ts';
import type { ProjectSession, ServiceDeps } from '../ports.ts';
import { isoTime } from '../rows.ts';
import { xmlText } from './xml-text.ts';

/** Files that describe a device: looked at, kept with their channel, forgotten. */
export function documentHandlers(deps: ServiceDeps): Pick<Handlers, 'storeDocument' | 'deleteDocument' | 'documentDevices'> {
  const session = () => deps.projects.current();
  return {
    async storeDocument({ channel_id, mode, choice, address, file }, context) {
      const asked = findChannel(session(), channel_id);
      const kind = kindOf(asked);
      const document = await readFile(file, kind);
      await nextTurn();
      const summary = await deps.readDocument(asked.settings.protocol_type, kind, document);
      const channel = findChannel(session(), channel_id);
      requireSame(channel, asked);
      const chosen = chosenOf(channel, kind, summary, choice);
      const place = address === undefined ? null : addressOf(channel, summary, chosen, address);
      const report = reportOf(document, summary, chosen);
      if (mode === 'preview') return report;
      await nextTurn();
      const packed = await session().store.documents.pack(document.text);
      requireSame(findChannel(session(), channel_id), asked);
      if (chosen === '' && summary.choices.length > 0)
        throw invalidField('choice', say('service.choice_missing', { names: named(summary) }));
      const { settings } = checkChannelSettings(withAddress(withChoice(channel.settings, kind, chosen), place), deps.drivers, context);
      const stored: StoredChannel = { ...settings, id: channel.id };
      const { store } = session();
      store.documents.write(channel.id, document, { storedAt: isoTime(deps.clock.wallMs()), summary, packed });
      store.channels.update(stored);
      await channel.reconfigure(stored, true);
      return { ...report, stored: true };
    },
    async documentDevices({ protocol_type, file }) {
      const protocol = protocol_type as Channel['protocol_type'];
      await deps.drivers.load?.(protocol);
      const kind = deps.drivers.find(protocol)?.documents;
      if (!kind) throw invalidField('protocol_type', say('service.no_document_files', { protocol: protocolFacts(protocol).name }));
      const document = await readFile(file, kind);
      await nextTurn();
      return contentOf(document, await deps.readDocument(protocol, kind, document));
    },
    async deleteDocument({ channel_id }) {
      const channel = findChannel(session(), channel_id);
      kindOf(channel);
      const deleted = session().store.documents.remove(channel.id);
      if (deleted) await channel.reconfigure(channel.settings, true);
      return { deleted };
    },
  };
}

function requireSame(channel: ChannelRuntime, asked: ChannelRuntime): void {
  if (channel === asked) return;
  throw new AppError('STATE_CONFLICT', say('service.other_project'));
}

/** The document of a channel as it was taken over, without unpacking it; null without one. */
export function storedDocument(session: ProjectSession, channel: ChannelRuntime): ModelDocument | null {
  const info = session.store.documents.info(channel.id);
  const kind = channel.driver.documents;
  if (!info || !kind) return null;
  const { title, choices } = info.summary;
  const choice = choices.find(({ value }) => value === channel.settings.protocol[kind.setting])?.value ?? '';
  return { name: info.name, octets: info.octets, title, choices: choiceRows(choices), stored_at: info.storedAt, choice };
}

function kindOf(channel: ChannelRuntime): DocumentKind {
  if (channel.driver.documents) return channel.driver.documents;
  const protocol = protocolFacts(channel.settings.protocol_type).name;
  throw invalidField('channel_id', say('service.no_documents', { channel: channel.settings.name, protocol }));
}

async function readFile(file: File, { maxOctets }: DocumentKind): Promise<DriverDocument> {
  if (file.size > maxOctets) {
    throw new AppError('CONFIG_TOO_LARGE', say('service.file_large', { count: file.size, most: maxOctets }));
  }
  const octets = new Uint8Array(await file.arrayBuffer());
  // each step goes over the whole text
  await nextTurn();
  return { name: file.name.slice(0, 255), text: xmlText(octets) };
}

/** The device that was asked for, else the present one, else the only one; empty when there are several. */
function chosenOf(channel: ChannelRuntime, kind: DocumentKind, summary: DocumentSummary, asked: string | undefined): string {
  const values = summary.choices.map(({ value }) => value);
  if (asked !== undefined) {
    if (values.includes(asked)) return asked;
    throw invalidField('choice', say('service.choice_none', { asked, names: named(summary) }));
  }
  const present = channel.settings.protocol[kind.setting];
  if (typeof present === 'string' && values.includes(present)) return present;
  return values.length === 1 ? (values[0] ?? '') : '';
}

function named({ choices }: DocumentSummary): MessageParam {
  return choices.length === 0
    ? say('runtime.none')
    : beginOf(
        choices.map(({ value }) => value),
        10,
      );
}

function withChoice(settings: StoredChannel, kind: DocumentKind, choice: string): StoredChannel {
  return choice === '' ? settings : { ...settings, protocol: { ...settings.protocol, [kind.setting]: choice } };
}

/** The address of the chosen device that was asked for. */
function addressOf(channel: ChannelRuntime, { choices }: DocumentSummary, chosen: string, asked: string): DocumentAddress {
  if (isServing(channel.settings.conn_type)) {
    throw invalidField('address', say('service.address_served'));
  }
  const addresses = choices.find(({ value }) => value === chosen)?.addresses ?? [];
  const found = addresses.find(({ value }) => value === asked);
  if (found) return found;
  const known = addresses.length === 0 ? say('runtime.none') : addresses.map(({ value }) => value);
  const said = chosen === '' ? say('service.no_address', { asked, known }) : say('service.no_address_of', { asked, device: chosen, known });
  throw invalidField('address', said);
}

function withAddress(settings: StoredChannel, place: DocumentAddress | null): StoredChannel {
  if (!place) return settings;
  const { ip, port, protocol } = place;
  return {
    ...settings,
    ...(ip === null ? {} : { ip }),
    ...(port === null ? {} : { port }),
    protocol: { ...settings.protocol, ...protocol },
  };
}

function choiceRows(choices: DocumentSummary['choices']): DocumentReport['choices'] {
  return choices.map(({ value, label, addresses = [], about }) => ({
    value,
    label,
    ...(about ? { about: { ...about } } : {}),
    addresses: addresses.map((each) => ({ ...each, protocol: { ...each.protocol } })),
  }));
}

function reportOf(document: DriverDocument, summary: DocumentSummary, choice: string): DocumentReport {
  return { ...contentOf(document, summary), choice, stored: false };
}

function contentOf(document: DriverDocument, summary: DocumentSummary): DocumentDevices {
  return {
    name: document.name,
    octets: Buffer.byteLength(document.text),
    title: summary.title,
    choices: choiceRows(summary.choices),
    warnings: summary.warnings.map((warning) => ({ ...warning })),
  };
}
