/** A template of the library as the content of its file: a text form of one channel, with a head that names the device. */
import { AddChannelBody } from '#shared/contract/channels.ts';
import { type DeviceTemplate, TemplateHead } from '#shared/contract/library.ts';
import { issueMessage } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { TEXT_FORMAT, TEXT_VERSION } from '../project-text/form.ts';
import { parseText } from '../project-text/text-content.ts';

/** Unit ids that a list of templates names. */
const MOST_SLAVES = 20;

type Fields = Readonly<Record<string, unknown>>;

/** What a template says of its channel; points and settings are checked where a channel is made of them. */
export interface TemplateContent {
  readonly head: TemplateHead;
  /** Settings of the channel as they stand in the file, without its points. */
  readonly channel: Fields;
  readonly points: readonly Fields[];
}

/** Takes the octets of a file apart, or says why it is no template. A text form without a head is named by its channel. */
export function readTemplate(octets: Uint8Array): TemplateContent | Message {
  const parsed = parseText(octets, { hasNamesOnce: false });
  return 'refusal' in parsed ? issueMessage(parsed.refusal) : templateOf(parsed.content);
}

/** As `readTemplate`, of content that is JSON already. */
export function templateOf(content: unknown): TemplateContent | Message {
  if (!isFields(content) || content.format !== TEXT_FORMAT) return say('project.text_format', { format: TEXT_FORMAT });
  if (content.version !== TEXT_VERSION) return say('project.text_version', { newest: TEXT_VERSION });
  if (!Array.isArray(content.channels)) return say('project.text_channels');
  const [first] = content.channels;
  if (content.channels.length !== 1 || !isFields(first)) return say('library.one_channel', { count: content.channels.length });
  const { points = [], ...channel } = first;
  if (!Array.isArray(points) || !points.every(isFields)) return say('project.text_points');
  const head = TemplateHead.safeParse(content.device ?? { name: channel.name });
  return head.success ? { head: head.data, channel, points } : say('library.shape');
}

/** The row of a template; a message where its channel is none that can be listed. */
export function templateRow(id: string, isBuiltIn: boolean, { head, channel, points }: TemplateContent): DeviceTemplate | Message {
  const said = AddChannelBody.pick({ protocol_type: true, conn_type: true, port: true }).safeParse(channel);
  if (!said.success) return say('library.shape');
  const slaves = new Set(points.map(({ slave_id: slave }) => slave).filter((slave) => typeof slave === 'number'));
  const hasStart = ({ protocol }: Fields) => isFields(protocol) && typeof protocol.start_value === 'number';
  return {
    ...head,
    id,
    built_in: isBuiltIn,
    protocol_type: said.data.protocol_type,
    conn_type: said.data.conn_type,
    port: said.data.port ?? null,
    points: points.length,
    slaves: [...slaves].slice(0, MOST_SLAVES),
    start_values: points.filter(hasStart).length,
  };
}

/** The text form that a template is exchanged and read as. */
export function templateText({ head, channel, points }: TemplateContent): string {
  return `${JSON.stringify({ format: TEXT_FORMAT, version: TEXT_VERSION, device: head, channels: [{ ...channel, points }] }, null, 1)}\n`;
}

/** Why a file is no template, as one sentence of its own. */
export function noTemplate(reason: Message): Message {
  return say('library.no_template', { reason });
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
