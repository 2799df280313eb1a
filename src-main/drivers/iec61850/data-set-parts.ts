/** Members of a data set as single variables, in halves and components until the device can answer: what is too large for a PDU as a whole. */
import { AppError, toAppError } from '#shared/domain/errors.ts';
import type { ExchangeContext } from '../spi.ts';
import { variableOf } from './binding.ts';
import { isTooMuch } from './client-reads.ts';
import type { VariableSpec } from './mms/pdu.ts';
import type { MmsType } from './mms/types.ts';
import { parseReference } from './model/references.ts';
import type { ItemResult } from './reading.ts';
import { attributeOf, requireGoing, typeOfAttribute, type WritingOptions } from './writing.ts';

/** Elements of an array that are asked one by one; a longer one fails. */
const MOST_ELEMENTS = 10_000;

/** What was read, and by which requests the device could answer it. */
export interface InParts {
  /** Members, or components of them, of each request; their order is that of `results`. */
  readonly parts: readonly (readonly string[])[];
  readonly results: readonly ItemResult[];
}

/** Two requests in place of one; a single member stays alone. */
export function halves(members: readonly string[]): readonly (readonly string[])[] {
  const middle = members.length >> 1;
  return members.length < 2 ? [members] : [members.slice(0, middle), members.slice(middle)];
}

/**
 * Reads variables in these requests, halving those that are too much, down to the leaves. A leaf that is too much alone is refused with its
 * reason, the others are read. Rejects as `MmsClient.request`, and with `CANCELLED` between two requests.
 */
export async function readInParts(
  parts: readonly (readonly string[])[],
  options: WritingOptions,
  context: ExchangeContext,
): Promise<InParts> {
  const waiting = [...parts];
  const done: (readonly string[])[] = [];
  const results: ItemResult[] = [];
  for (let part = waiting.shift(); part; part = waiting.shift()) {
    requireGoing(context);
    const [only = '', other] = part;
    try {
      results.push(...(await readPart(part, options, context)));
      done.push(part);
    } catch (thrown) {
      const error = toAppError(thrown);
      if (!isTooMuch(error)) throw error;
      const smaller = other === undefined ? halves(await componentsOf(only, options, context)) : halves(part);
      if (smaller.flat().length > 0) waiting.unshift(...smaller);
      else {
        results.push({ kind: 'refused', error });
        done.push(part);
      }
    }
  }
  return { parts: done, results };
}

async function readPart(part: readonly string[], { client }: WritingOptions, { signal }: ExchangeContext): Promise<readonly ItemResult[]> {
  const items = part.map(variableAt);
  const { results } = await client.request({ service: 'read', spec: { kind: 'variables', items }, withSpecification: false }, { signal });
  if (results.length === items.length) return results;
  throw new AppError('PROTOCOL_MISMATCH', `The device answered ${results.length} results to ${items.length} variables.`);
}

function variableAt(member: string): VariableSpec {
  const reference = parseReference(member);
  if (reference) return variableOf(reference.domain, reference.node, reference.constraint, reference.path);
  throw new AppError('PROTOCOL_MISMATCH', `"${member}" of the data set is no name of an attribute.`);
}

/** Names of the components of a structure or the elements of an array; none for a leaf, and where the type cannot be known. */
async function componentsOf(member: string, options: WritingOptions, { signal }: ExchangeContext): Promise<readonly string[]> {
  const reference = parseReference(member);
  if (!reference || reference.constraint === null) return [];
  let type: MmsType;
  try {
    type = await typeOfAttribute(options, attributeOf(reference), signal);
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.code.startsWith('DEVICE_')) return [];
    throw error;
  }
  if (type.kind === 'structure') return type.components.map(({ name }) => `${member}$${name}`);
  if (type.kind !== 'array' || type.count > MOST_ELEMENTS) return [];
  return Array.from({ length: type.count }, (_, element) => `${member}(${element})`);
}
