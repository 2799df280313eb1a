/**
 * Every Read of the client is made here. Under CO a read is not harmless: reading `SBO` is the Select of a control object (IEC 61850-8-1,
 * 20.4), and whoever reads the object or the logical node around it selects as well. So no value under CO is ever asked for, but by the
 * command that selects (`selectByRead`).
 */

import { AppError, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { ExchangeContext } from '../spi/index.ts';
import type { MmsClient, RequestOptions } from './association/mms-client.ts';
import { isTooMuch, refusalOf } from './association/refusals.ts';
import type { DeviceLimits } from './channel-memory.ts';
import { encodeService } from './mms/codec.ts';
import type { MmsRequest, VariableSpec } from './mms/pdu.ts';
import type { MmsResult, ObjectName } from './mms/types.ts';

export type ReadingClient = Pick<MmsClient, 'request'>;

const CONTROL = 'CO';
const SELECTS: ReadonlySet<string> = new Set(['SBO', 'SBOw']);
/** Service error of a name that the device has not: access, object-non-existent; definition, object-undefined. */
const MISSING_OBJECT: ReadonlySet<string> = new Set(['7/2', '2/1']);

/** Why the values of a variable are not asked for, as a clause; null where a read is only a read. */
export function operatedBy({ name, access }: VariableSpec): Message | null {
  const [node = '', constraint, ...path] = name.item.split('$');
  const around = name.scope === 'domain' ? `${name.domain}/${node}` : node;
  if (constraint === undefined) {
    return say('iec61850.whole_node', { node: around });
  }
  const steps = [constraint, ...path];
  for (let selection = access?.[0]; selection; selection = selection.inner?.[0]) {
    if (selection.step.kind === 'component') steps.push(selection.step.name);
  }
  if (constraint !== CONTROL && !steps.some((step) => SELECTS.has(step))) return null;
  const object = path[0] ?? 'DO';
  return say('iec61850.would_select', { item: `${around}$${steps.join('$')}`, state: `${around}.${object}[ST]` });
}

/** Throws `CONFIG_INVALID` for a variable whose values are never asked for. */
export function requireReadable(spec: VariableSpec): void {
  const why = operatedBy(spec);
  if (why !== null) throw notRead(why);
}

/** The error of values that are not asked for; `why` as `operatedBy` says it. */
export function notRead(why: Message): AppError {
  return new AppError('CONFIG_INVALID', say('iec61850.control_not_read', { why }));
}

/**
 * Results of these variables in their order, one each. Rejects as `MmsClient.request`, with `PROTOCOL_MISMATCH` where another number of
 * results came, and with `CONFIG_INVALID` before anything is sent for values under CO. The list must not change afterwards: what it
 * says is encoded once.
 */
export async function readVariables(
  client: ReadingClient,
  items: readonly VariableSpec[],
  options: RequestOptions,
): Promise<readonly MmsResult[]> {
  const { request, service } = readOf(items);
  const { results } = await client.request(request, { ...options, service });
  if (results.length === items.length) return results;
  throw new AppError('PROTOCOL_MISMATCH', say('iec61850.results_variables', { got: results.length, asked: items.length }));
}

/** As `readVariables`, in halves where so many are too much at once: for the request, the answer, or the device. One that is too much by itself rejects. */
export async function readInHalves(
  client: ReadingClient,
  items: readonly VariableSpec[],
  options: RequestOptions,
): Promise<readonly MmsResult[]> {
  try {
    return await readVariables(client, items, options);
  } catch (thrown) {
    if (items.length < 2 || !isTooMuch(toAppError(thrown))) throw thrown;
    const middle = Math.ceil(items.length / 2);
    const first = await readInHalves(client, items.slice(0, middle), options);
    return [...first, ...(await readInHalves(client, items.slice(middle), options))];
  }
}

/** A Read as it is sent. */
interface PreparedRead {
  readonly request: Extract<MmsRequest, { service: 'read' }>;
  readonly service: Uint8Array;
}

/** Reads by what they ask for: a plan asks for the same in each round. */
const prepared = new WeakMap<readonly VariableSpec[], PreparedRead>();

function readOf(items: readonly VariableSpec[]): PreparedRead {
  const known = prepared.get(items);
  if (known) return known;
  for (const item of items) requireReadable(item);
  const request = { service: 'read', spec: { kind: 'variables', items }, withSpecification: false } as const;
  const read = { request, service: encodeService(request) };
  prepared.set(items, read);
  return read;
}

/**
 * Selects a control object by reading its SBO: a command, never a read (IEC 61850-8-1, 20.4). The answer is a reference where it is selected now, and an
 * empty text where it is not. Rejects as `MmsClient.request`.
 */
export async function selectByRead(client: ReadingClient, sbo: VariableSpec, options: RequestOptions): Promise<MmsResult | undefined> {
  const { results } = await client.request(
    { service: 'read', spec: { kind: 'variables', items: [sbo] }, withSpecification: false },
    options,
  );
  return results[0];
}

/**
 * Results of a data set. Its members must be known, and none of them under CO. Some servers take the request only with
 * `specificationWithResult`, as the clients in use send it, others only without: the other way is tried once, and the one that was
 * answered is remembered. Rejects as `MmsClient.request`.
 */
export async function readList(
  client: ReadingClient,
  name: ObjectName,
  limits: Pick<DeviceLimits, 'withSpecification'>,
  context: Pick<ExchangeContext, 'signal' | 'isStopping'>,
): Promise<readonly MmsResult[]> {
  const known = limits.withSpecification;
  const ask = async (withSpecification: boolean) => {
    const request = { service: 'read', spec: { kind: 'list', name }, withSpecification } as const;
    const { results } = await client.request(request, { signal: context.signal });
    limits.withSpecification = withSpecification;
    return results;
  };
  try {
    return await ask(known ?? true);
  } catch (thrown) {
    const error = toAppError(thrown);
    if (known !== null || !mayBeTheSpecification(error) || context.isStopping()) throw error;
    return ask(false).catch((other: unknown) => {
      throw refusalOf(toAppError(other)) ? error : other;
    });
  }
}

/** True for a refusal that the other form of the request may not have. */
function mayBeTheSpecification(error: AppError): boolean {
  const refusal = refusalOf(error);
  if (refusal?.kind === 'service-error') {
    return !isTooMuch(error) && !MISSING_OBJECT.has(`${refusal.error.errorClass}/${refusal.error.code}`);
  }
  return refusal !== null;
}
