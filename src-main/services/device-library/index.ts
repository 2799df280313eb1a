import { rm, writeFile } from 'node:fs/promises';
import { type DeviceTemplate, LARGEST_TEMPLATE, MOST_TEMPLATES, type TemplateHead } from '#shared/contract/library.ts';
import { AppError, invalidField, invalidInput } from '#shared/domain/errors.ts';
import { freeName } from '#shared/domain/free-name.ts';
import { english, say } from '#shared/messages/index.ts';
import { isMessage, type Message } from '#shared/messages/message.ts';

import { serially } from '../../platform/serially.ts';
import { requireFreeName } from '../channels.ts';
import { fileName, ownId } from '../file-name.ts';
import type { Handlers } from '../handlers.ts';
import { findChannel } from '../lookup.ts';
import type { ServiceDeps } from '../ports.ts';
import { addChannels } from '../project-text/add-channels.ts';
import { takenNames } from '../project-text/index.ts';
import type { ChannelPlan } from '../project-text/text-work.ts';
import { channelRow } from '../rows.ts';
import { fitted } from './fit.ts';
import { contentOf } from './from-channel.ts';
import { Shelf } from './shelf.ts';
import { noTemplate, readTemplate, type TemplateContent, templateText } from './template.ts';

type LibraryHandlers = Pick<
  Handlers,
  'listTemplates' | 'makeTemplate' | 'useTemplate' | 'deleteTemplate' | 'templateFile' | 'addTemplateFile'
>;

/** Templates of devices: made from channels, kept in the data folder, exchanged as files, used for channels and for simulated devices. */
export function libraryHandlers(deps: ServiceDeps): LibraryHandlers {
  const { projects, drivers, texts, templateFiles } = deps;
  const shelf = new Shelf(templateFiles);
  // two at once would find the same place free
  const inTurn = serially();

  /** Writes a text beside the folder for as long as `work` needs it. */
  const withDraft = async <Result>(text: string, work: (path: string) => Promise<Result>): Promise<Result> => {
    const draft = deps.projectFiles.newDraft();
    try {
      await writeFile(draft, text, { mode: 0o600 });
      return await work(draft);
    } finally {
      await rm(draft, { force: true }).catch(() => {});
    }
  };
  const planOf = async (content: TemplateContent): Promise<ChannelPlan> => {
    const { facts, channels } = await withDraft(templateText(content), (path) => texts.read(path, drivers));
    const [plan] = channels;
    if (facts.errors.length > 0 || !plan) throw invalidInput(facts.errors);
    return plan;
  };
  const keep = (content: TemplateContent) => inTurn(() => place(content));
  const place = async (content: TemplateContent): Promise<DeviceTemplate> => {
    if (shelf.isBuiltIn(content.head)) throw invalidField('name', say('library.name_built_in'));
    const { items } = await shelf.list();
    const files = templateFiles.list();
    // a file that is no template keeps its place too
    const kept = files.map(({ id }) => ({ id, name: items.find((row) => !row.built_in && row.id === id)?.name ?? '' }));
    const id = ownId(content.head.name, kept, say('library.no_name'));
    if (files.filter((file) => file.id !== id).length >= MOST_TEMPLATES)
      throw new AppError('STATE_CONFLICT', say('library.full', { most: MOST_TEMPLATES }));
    const text = templateText(content);
    if (Buffer.byteLength(text) > LARGEST_TEMPLATE)
      throw new AppError('STATE_CONFLICT', say('library.too_large', { most: LARGEST_TEMPLATE }));
    templateFiles.write(id, text);
    return shelf.find(id).row;
  };
  return {
    async listTemplates() {
      const { items, unreadable } = await shelf.list();
      return { items, unreadable: unreadable.map(({ file, reason }) => ({ file, reason: english(reason), reason_info: reason })) };
    },
    async makeTemplate({ channel_id, name, about, with_values }) {
      const channel = findChannel(projects.current(), channel_id);
      const head: TemplateHead = { name, about };
      return keep(await contentOf(channel, head, with_values));
    },
    async useTemplate({ id, conn_type, name, ip, port, com_port, slave_id }) {
      const { row, content } = shelf.find(id);
      await drivers.load?.(row.protocol_type);
      const session = projects.current();
      if (name !== undefined) requireFreeName(session, name, null);
      const driver = drivers.find(row.protocol_type) ?? undefined;
      const wanted = { connType: conn_type ?? row.conn_type, ip, port, comPort: com_port, slaveId: slave_id };
      const plan = await planOf({ head: content.head, ...fitted(content, row, { ...wanted, name: name ?? row.name }, driver) });
      const given = name ?? freeName(row.name, takenNames(session));
      await addChannels(projects, [{ ...plan, settings: { ...plan.settings, name: given } }]);
      const added = projects.current().channels.byName(given);
      if (!added) throw new AppError('CONFIG_NOT_FOUND', say('service.no_device', { name: given }));
      return channelRow(added);
    },
    deleteTemplate({ id }) {
      const { row } = shelf.find(id);
      if (row.built_in) throw new AppError('STATE_CONFLICT', say('library.built_in'));
      templateFiles.remove(id);
      return row;
    },
    templateFile({ id }) {
      const { row, content } = shelf.find(id);
      return {
        name: `${fileName(row.name, 'device')}.device.json`,
        mediaType: 'application/json',
        bytes: new TextEncoder().encode(templateText(content)),
      };
    },
    async addTemplateFile({ file }) {
      const content = readTemplate(new Uint8Array(await file.arrayBuffer()));
      if (isMessage(content)) throw refused(content);
      await planOf({ ...content, channel: { ...content.channel, name: content.head.name } });
      return keep(content);
    },
  };
}

function refused(reason: Message): AppError {
  return invalidField('file', noTemplate(reason));
}
