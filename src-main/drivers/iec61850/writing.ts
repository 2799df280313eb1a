/** Writing attributes: the value made to the type of the device, one Write, its answer in words. */

import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { ExchangeContext } from '../spi/index.ts';
import type { MmsClient, RequestOptions } from './association/mms-client.ts';
import { variableOf } from './binding.ts';
import type { ChannelMemory } from './channel-memory.ts';
import type { MmsType, MmsValue } from './mms/types.ts';
import { accessErrorWords } from './mms/words.ts';
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
const CONTROL_BLOCKS: Readonly<Record<string, string>> = {
  RP: 'It would enable, trigger or reserve a report for this association: enable_report does that in order, and puts it back.',
  BR: 'It would enable, empty or reserve a report for this association: enable_report does that in order, and puts it back.',
  LG: 'It would start or stop a log. There is no operation for logs in this version yet.',
  GO: 'It would start or stop GOOSE messages. There is no operation for GOOSE in this version yet.',
  GS: 'It would start or stop GSSE messages. There is no operation for GSSE in this version yet.',
  MS: 'It would start or stop sampled values. There is no operation for sampled values in this version yet.',
  US: 'It would start, stop or reserve sampled values. There is no operation for sampled values in this version yet.',
  SP: 'It would change the active setting group, or reserve one for editing. setting_groups reads them; there is no operation that changes them in this version yet.',
};

/**
 * Throws `CONFIG_INVALID` for what is no plain attribute: control objects, and members of control blocks (reports, setting groups, logs,
 * GOOSE, sampled values), which have effects beside the value that is written.
 */
export function requireWritable({ domain, node, constraint, path }: Attribute): void {
  if (constraint === 'CO') {
    const message = 'A control object is not written like an attribute: command its point, which selects and operates.';
    throw new AppError('CONFIG_INVALID', message);
  }
  const name = splitIndex(path[0] ?? '').name;
  if (!isControlBlock(constraint, name)) return;
  const where = formatReference({ domain, node, constraint, path });
  throw new AppError(
    'CONFIG_INVALID',
    `${where} belongs to a control block and is not written like an attribute. ${CONTROL_BLOCKS[constraint]}`,
  );
}

/** Writes one value, of what `requireWritable` lets pass; the refusal of the device in words, null when it took it. Rejects with what the association says. */
export async function writeAttribute(
  { client }: WritingOptions,
  { domain, node, constraint, path }: Attribute,
  value: MmsValue,
  sending: Pick<RequestOptions, 'signal' | 'onSent'>,
): Promise<string | null> {
  requireWritable({ domain, node, constraint, path });
  const items = [variableOf(domain, node, constraint, path)];
  const { results } = await client.request({ service: 'write', spec: { kind: 'variables', items }, values: [value] }, sending);
  const [result] = results;
  if (result === undefined) throw new AppError('PROTOCOL_MISMATCH', say('iec61850.no_result'));
  return result === null ? null : accessErrorWords(result.code);
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
