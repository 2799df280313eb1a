/**
 * Whether the values of structured members can be told apart. A report brings a structure as a row of values in the order of the device; the model says which is which. Where that was not
 * proven over this association (a model that is kept, learnt no more, or of a file), the device is asked for the structure before a block is enabled.
 */
import { isCancelled, toAppError } from '#shared/domain/errors.ts';
import type { ExchangeContext } from '../../spi/index.ts';
import type { MmsClient } from '../association/mms-client.ts';
import { isOfOneRequest } from '../association/refusals.ts';
import type { ChannelMemory } from '../channel-memory.ts';
import { memberType } from '../data-set-layout.ts';
import type { MmsType } from '../mms/types.ts';
import { isLeaf } from '../model/types.ts';

export interface OrderOptions {
  readonly client: Pick<MmsClient, 'request'>;
  readonly memory: Pick<ChannelMemory, 'model' | 'isProven'>;
  /** Time limit of a type, in milliseconds. */
  readonly timeoutMs: number;
}

/** Members `LD/LN$FC$DO[$DA]` whose structure the device does not tell, or has with other names or in another order than the model. Rejects as `MmsClient.request`, but for refusals. */
export async function unsureMembers(
  members: readonly string[],
  { client, memory, timeoutMs }: OrderOptions,
  { signal }: ExchangeContext,
): Promise<ReadonlySet<string>> {
  const unsure = new Set<string>();
  for (const member of members) {
    const known = memberType(memory.model.index, member);
    if (!known || isLeaf(known) || isOrderProven(member, memory)) continue;
    const slash = member.indexOf('/');
    const name = { scope: 'domain', domain: member.slice(0, slash), item: member.slice(slash + 1) } as const;
    try {
      const { type } = await client.request({ service: 'get-variable-access-attributes', name }, { timeoutMs, signal });
      if (!isAlike(type, known)) unsure.add(member);
    } catch (thrown) {
      const error = toAppError(thrown);
      if (isCancelled(error) || signal.aborted || !isOfOneRequest(error)) throw error;
      unsure.add(member);
    }
  }
  return unsure;
}

/** True where the order in the member, and in all structures of it, was told by the device over this association. */
export function isOrderProven(member: string, memory: OrderOptions['memory']): boolean {
  const { unordered } = memory.model.index.model;
  if (!memory.isProven(member)) return false;
  return !unordered || ![...unordered].some((key) => key === member || key.startsWith(`${member}$`));
}

/** True for the same names in the same order; sizes and kinds of values say themselves what they are. */
function isAlike(told: MmsType, known: MmsType): boolean {
  if (told.kind === 'structure' && known.kind === 'structure') {
    const { components } = told;
    return (
      components.length === known.components.length &&
      known.components.every(({ name, type }, place) => components[place]?.name === name && isAlike(components[place].type, type))
    );
  }
  if (told.kind === 'array' && known.kind === 'array') return isAlike(told.element, known.element);
  return isLeaf(told) && isLeaf(known);
}
