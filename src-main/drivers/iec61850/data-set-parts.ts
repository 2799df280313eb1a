/** Members of a data set as single variables, in halves and components until the device can answer: what is too large for a PDU as a whole. */

import { AppError, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { ExchangeContext } from '../spi/index.ts';
import { isTooMuch, isUnusable } from './association/refusals.ts';
import { variableOf } from './binding.ts';
import { memberType } from './data-set-layout.ts';
import type { VariableSpec } from './mms/pdu.ts';
import { suitAll } from './mms/type-check.ts';
import type { MmsResult, MmsType } from './mms/types.ts';
import type { ModelIndex } from './model/places.ts';
import { parseReference } from './model/references.ts';
import type { ItemResult } from './reading.ts';
import { notRead, operatedBy, readVariables } from './reads.ts';
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
 * Reads variables in these requests, halving those that are too much, down to the leaves; structures whose order is not known by components. A leaf that is too much alone is refused with its
 * reason, the others are read. Rejects as `MmsClient.request`, and with `CANCELLED` between two requests.
 */
export async function readInParts(
  parts: readonly (readonly string[])[],
  options: WritingOptions,
  context: ExchangeContext,
): Promise<InParts> {
  const waiting = parts.map((part) => inOrder(part, options.memory.model.index));
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
      if (!isTooMuch(error) && !isUnusable(error)) throw error;
      const smaller = other !== undefined ? halves(part) : isDivisible(error) ? halves(await componentsOf(only, options, context)) : [];
      if (smaller.flat().length > 0) waiting.unshift(...smaller);
      else {
        results.push({ kind: 'refused', error });
        done.push(part);
      }
    }
  }
  return { parts: done, results };
}

/** The components in place of structures whose order of components is not known. */
function inOrder(part: readonly string[], index: ModelIndex): readonly string[] {
  const { unordered } = index.model;
  if (!unordered || !part.some((member) => unordered.has(member))) return part;
  return part.flatMap((member) => {
    const type = unordered.has(member) ? memberType(index, member) : null;
    if (type?.kind !== 'structure') return [member];
    return inOrder(
      type.components.map(({ name }) => `${member}$${name}`),
      index,
    );
  });
}

/** Whether parts of a variable may do better than the whole of it: not where the number of results was wrong. */
function isDivisible(error: AppError): boolean {
  return isTooMuch(error) || error.code === 'PROTOCOL_MALFORMED';
}

/**
 * Results of one request; what is never asked for and what is no name is refused without it, the rest is read. Throws `PROTOCOL_MALFORMED` for a
 * structure that is another than the model has: its components are asked for by name.
 */
async function readPart(
  part: readonly string[],
  { client, memory }: WritingOptions,
  { signal }: ExchangeContext,
): Promise<readonly ItemResult[]> {
  const asked = part.map(variableAt);
  const items = asked.flatMap((item) => (item instanceof AppError ? [] : [item]));
  const results = items.length === 0 ? [] : await readVariables(client, items, { signal });
  const read = part.filter((_, place) => !(asked[place] instanceof AppError));
  const other = read.find((member, place) => {
    const type = memberType(memory.model.index, member);
    return (type?.kind === 'structure' || type?.kind === 'array') && !suitAll([type], results, place);
  });
  if (other !== undefined) throw new AppError('PROTOCOL_MALFORMED', say('iec61850.other_structure', { member: other }));
  let next = 0;
  return asked.map((item): ItemResult => (item instanceof AppError ? { kind: 'refused', error: item } : (results[next++] as MmsResult)));
}

/** The variable of a member, or why it is not asked for. */
function variableAt(member: string): VariableSpec | AppError {
  const reference = parseReference(member);
  if (!reference) return new AppError('PROTOCOL_MISMATCH', say('iec61850.no_attribute', { member }));
  const item = variableOf(reference.domain, reference.node, reference.constraint, reference.path);
  const why = operatedBy(item);
  return why === null ? item : notRead(why);
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
