/** Names of objects as MMS sends them. */

import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { VariableSpec } from './mms/pdu.ts';
import type { ObjectName } from './mms/types.ts';
import { dataSetName } from './model/references.ts';

/** Name of a data set in any spelling, `@name` of the association. Throws `CONFIG_INVALID`. */
export function dataSetObject(text: string): ObjectName {
  const name = dataSetName(text);
  if (name === null) throw new AppError('CONFIG_INVALID', say('iec61850.no_data_set', { name: text.slice(0, 80) }));
  if (name.startsWith('@')) return { scope: 'association', item: name.slice(1) };
  const slash = name.indexOf('/');
  return { scope: 'domain', domain: name.slice(0, slash), item: name.slice(slash + 1) };
}

/** True where two members of data sets are the same variable. */
export function isSameMember(one: VariableSpec, other: VariableSpec): boolean {
  if (one.access !== null || other.access !== null) return memberKey(one) === memberKey(other);
  return one.name.item === other.name.item && domainOf(one.name) === domainOf(other.name);
}

/** True for the same members in the same order. */
export function areSameMembers(some: readonly VariableSpec[], others: readonly VariableSpec[]): boolean {
  if (some === others) return true;
  return some.length === others.length && some.every((member, place) => isSameMember(member, others[place] as VariableSpec));
}

function domainOf(name: ObjectName): string {
  return name.scope === 'domain' ? name.domain : '';
}

/** `LD/LN$FC$DO$DA` of a variable, as members of data sets are written; an index and what is selected behind it as `name(3)$part`. */
export function memberKey({ name, access }: VariableSpec): string {
  let key = name.scope === 'domain' ? `${name.domain}/${name.item}` : name.item;
  for (let selection = access?.[0]; selection; selection = selection.inner?.[0]) {
    const { step } = selection;
    if (step.kind === 'index') key += `(${step.index})`;
    else if (step.kind === 'component') key += `$${step.name}`;
  }
  return key;
}
