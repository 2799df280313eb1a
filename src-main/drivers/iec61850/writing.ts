/** Writing attributes: the value made to the type of the device, one Write, its answer in words. */

import { AppError } from '#shared/domain/errors.ts';
import { quoted, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { ExchangeContext } from '../spi/index.ts';
import type { MmsClient, RequestOptions } from './association/mms-client.ts';
import { variableOf } from './binding.ts';
import type { ChannelMemory } from './channel-memory.ts';
import type { MmsType, MmsValue } from './mms/types.ts';
import { accessErrorText } from './mms/words.ts';
import { isControlBlock } from './model/constraints.ts';
import { formatReference, type Reference, splitIndex } from './model/references.ts';
import { typeAt } from './model/types.ts';

export interface WritingOptions {
  readonly client: Pick<MmsClient, 'request'>;
  readonly memory: Pick<ChannelMemory, 'model'>;
}

/** A reference with its functional constraint. */
export type Attribute = Reference & { readonly constraint: string };

/**
 * Type of an attribute: from the model, else from the device, which costs a request. Throws `DEVICE_*` when the device has none, and what the
 * association says.
 */
export async function typeOfAttribute({ client, memory }: WritingOptions, attribute: Attribute, signal: AbortSignal): Promise<MmsType> {
  const { domain, node, constraint, path } = attribute;
  const learnt = memory.model.device ? memory.model.index.node(domain, node) : null;
  const known = learnt && typeAt(learnt.type, [constraint, ...path]);
  if (known) return known;
  const { name } = variableOf(
    domain,
    node,
    constraint,
    path.map((part) => splitIndex(part).name),
  );
  const { type } = await client.request({ service: 'get-variable-access-attributes', name }, { signal });
  return type.kind === 'array' && path.at(-1)?.endsWith(')') ? type.element : type;
}

/** What writing a member of a control block would do by the way, and which operation is for it. */
const CONTROL_BLOCKS: Readonly<Record<string, Message>> = {
  RP: say('iec61850.block_report'),
  BR: say('iec61850.block_buffered_report'),
  LG: say('iec61850.block_log'),
  GO: say('iec61850.block_goose'),
  GS: say('iec61850.block_gsse'),
  MS: say('iec61850.block_sampled'),
  US: say('iec61850.block_unicast_sampled'),
  SP: say('iec61850.block_setting_groups'),
};

/**
 * Throws `CONFIG_INVALID` for what is no plain attribute: control objects, and members of control blocks (reports, setting groups, logs,
 * GOOSE, sampled values), which have effects beside the value that is written.
 */
export function requireWritable({ domain, node, constraint, path }: Attribute): void {
  if (constraint === 'CO') throw new AppError('CONFIG_INVALID', say('iec61850.control_not_written'));
  const name = splitIndex(path[0] ?? '').name;
  if (!isControlBlock(constraint, name)) return;
  const reference = formatReference({ domain, node, constraint, path });
  const effect = CONTROL_BLOCKS[constraint] ?? quoted('');
  throw new AppError('CONFIG_INVALID', say('iec61850.block_not_written', { reference, effect }));
}

/** Writes one value, of what `requireWritable` lets pass; the refusal of the device in words, null when it took it. Rejects with what the association says. */
export async function writeAttribute(
  { client }: WritingOptions,
  { domain, node, constraint, path }: Attribute,
  value: MmsValue,
  sending: Pick<RequestOptions, 'signal' | 'onSent'>,
): Promise<Message | null> {
  requireWritable({ domain, node, constraint, path });
  const items = [variableOf(domain, node, constraint, path)];
  const { results } = await client.request({ service: 'write', spec: { kind: 'variables', items }, values: [value] }, sending);
  const [result] = results;
  if (result === undefined) throw new AppError('PROTOCOL_MISMATCH', say('iec61850.no_result'));
  return result === null ? null : accessErrorText(result.code);
}

/** A reference that has its constraint. Throws `CONFIG_INVALID`. */
export function attributeOf(reference: Reference): Attribute {
  const { constraint } = reference;
  if (constraint !== null) return { ...reference, constraint };
  throw new AppError('CONFIG_INVALID', say('iec61850.no_constraint', { reference: formatReference(reference) }));
}

/** Throws `CANCELLED` when the exchange is to end before anything was sent. */
export function requireGoing(context: Pick<ExchangeContext, 'isStopping'>): void {
  if (context.isStopping()) throw new AppError('CANCELLED', say('iec61850.stopping'));
}
