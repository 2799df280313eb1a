/** Data sets of the simulated device: those of the model, and those that clients define. */
import { runSteps, type Steps } from '../../../platform/steps.ts';
import type { VariableSpec } from '../mms/pdu.ts';
import type { ObjectName } from '../mms/types.ts';
import { SERVICE_ERROR } from '../mms/words.ts';
import type { IedModel } from '../model/ied-model.ts';
import { memberKey } from '../object-names.ts';
import { compareNames } from './name-space.ts';

/** What a definition can fail with. */
export type DefineError = (typeof SERVICE_ERROR)[keyof typeof SERVICE_ERROR];

/** A data set: its members in order, and whether a client defined it. */
export interface ServedDataSet {
  readonly items: readonly VariableSpec[];
  readonly isDeletable: boolean;
}

/** As both known stacks limit them. */
const MOST_MEMBERS = 100;
const MOST_DYNAMIC = 10;

/** Data sets of one scope: those of a domain or of an association. */
class DataSetScope {
  readonly #sets = new Map<string, ServedDataSet>();

  find(item: string): ServedDataSet | undefined {
    return this.#sets.get(item);
  }

  names(): readonly string[] {
    return [...this.#sets.keys()].sort(compareNames);
  }

  put(item: string, set: ServedDataSet): void {
    this.#sets.set(item, set);
  }

  delete(item: string): void {
    this.#sets.delete(item);
  }

  all(): readonly (readonly [string, ServedDataSet])[] {
    return [...this.#sets];
  }

  dynamic(): readonly (readonly [string, ServedDataSet])[] {
    return [...this.#sets].filter(([, set]) => set.isDeletable);
  }
}

/** Data sets of one association; they end with it. */
export type AssociationDataSets = DataSetScope;

/** Data sets of a model by domain, with their names below it. */
export type ModelSets = ReadonlyMap<string, readonly (readonly [item: string, set: ServedDataSet])[]>;

/** Makes the data sets of a model, in steps. */
export function* modelSets(model: IedModel): Steps<ModelSets> {
  const found = new Map<string, (readonly [string, ServedDataSet])[]>();
  for (const { name, dataSets } of model.devices) {
    const own: (readonly [string, ServedDataSet])[] = [];
    found.set(name, own);
    for (const { item, members } of dataSets) {
      yield;
      own.push([item, { items: members.map(variableSpec), isDeletable: false }]);
    }
  }
  return found;
}

/** Data sets by domain; those of an association are given with each call. */
export class DataSets {
  readonly #domains = new Map<string, DataSetScope>();
  /** Told when a client has defined or deleted a set of a domain. */
  onChanged: () => void = () => undefined;

  constructor(model: IedModel) {
    this.update(model, runSteps(modelSets(model)));
  }

  /** Takes over another model with its sets; those that clients defined stay where their domain does. */
  update(model: IedModel, sets: ModelSets): void {
    const before = new Map(this.#domains);
    this.#domains.clear();
    for (const { name } of model.devices) {
      const scope = new DataSetScope();
      for (const [item, set] of before.get(name)?.dynamic() ?? []) scope.put(item, set);
      for (const [item, set] of sets.get(name) ?? []) scope.put(item, set);
      this.#domains.set(name, scope);
    }
  }

  /** An empty scope for an association. */
  association(): AssociationDataSets {
    return new DataSetScope();
  }

  /** Names of the sets of a domain; null where there is no such domain. */
  names(domain: string): readonly string[] | null {
    return this.#domains.get(domain)?.names() ?? null;
  }

  /** The sets of all domains with their names, `LD/LN$name`, those of the model first. */
  all(): { readonly name: string; readonly set: ServedDataSet }[] {
    const sets = [...this.#domains].flatMap(([domain, scope]) => scope.all().map(([item, set]) => ({ name: `${domain}/${item}`, set })));
    return sets.sort((one, other) => Number(one.set.isDeletable) - Number(other.set.isDeletable));
  }

  find(name: ObjectName, association: AssociationDataSets): ServedDataSet | null {
    return this.#scope(name, association)?.find(name.item) ?? null;
  }

  /** Sets that clients defined in domains, with the keys of their members. */
  dynamic(): { readonly name: string; readonly members: readonly string[] }[] {
    return [...this.#domains].flatMap(([domain, scope]) =>
      scope.dynamic().map(([item, { items }]) => ({ name: `${domain}/${item}`, members: items.map(memberKey) })),
    );
  }

  /** Defines a set that was there before; one that the model does not allow any more is left out. */
  restore(name: string, members: readonly string[], isKnown: (item: VariableSpec) => boolean): void {
    const slash = name.indexOf('/');
    const object = { scope: 'domain', domain: name.slice(0, Math.max(0, slash)), item: name.slice(slash + 1) } as const;
    this.define(object, members.map(variableSpec), this.association(), isKnown);
  }

  /** The set that a report block names: `LD/LN$name`, or `@name` of the association; null where there is none. */
  named(name: string, association: AssociationDataSets | null): ServedDataSet | null {
    if (name.startsWith('@')) return association?.find(name.slice(1)) ?? null;
    const slash = name.indexOf('/');
    return this.#domains.get(name.slice(0, Math.max(0, slash)))?.find(name.slice(slash + 1)) ?? null;
  }

  /** Defines a set; answers why not, or null. `isKnown` tells whether the device has a variable. */
  define(
    name: ObjectName,
    items: readonly VariableSpec[],
    association: AssociationDataSets,
    isKnown: (item: VariableSpec) => boolean,
  ): DefineError | null {
    const scope = this.#scope(name, association);
    if (!scope) return name.scope === 'vmd' ? SERVICE_ERROR.accessUnsupported : SERVICE_ERROR.definitionUndefined;
    if (scope.find(name.item)) return SERVICE_ERROR.definitionExists;
    if (name.item.length === 0 || items.length === 0) return SERVICE_ERROR.definitionInvalidAddress;
    if (items.length > MOST_MEMBERS || scope.dynamic().length >= MOST_DYNAMIC) return SERVICE_ERROR.resourceMemory;
    if (!items.every(isKnown)) return SERVICE_ERROR.definitionUndefined;
    scope.put(name.item, { items, isDeletable: true });
    if (name.scope === 'domain') this.onChanged();
    return null;
  }

  /** Deletes the named sets that may be; counts those that are there and those that are gone. One that `isUsed` names stays. */
  delete(
    names: readonly ObjectName[],
    association: AssociationDataSets,
    isUsed: (name: string) => boolean,
  ): { readonly matched: number; readonly deleted: number } {
    let [matched, deleted] = [0, 0];
    for (const name of names) {
      const set = this.find(name, association);
      if (!set) continue;
      matched += 1;
      if (!set.isDeletable || isUsed(name.scope === 'domain' ? `${name.domain}/${name.item}` : `@${name.item}`)) continue;
      deleted += 1;
      this.#scope(name, association)?.delete(name.item);
      if (name.scope === 'domain') this.onChanged();
    }
    return { matched, deleted };
  }

  #scope(name: ObjectName, association: AssociationDataSets): DataSetScope | null {
    if (name.scope === 'association') return association;
    return name.scope === 'domain' ? (this.#domains.get(name.domain) ?? null) : null;
  }
}

/** A member `LD/LN$FC$DO` of a data set; an element of an array, `name(3)`, becomes an alternate access. */
function variableSpec(member: string): VariableSpec {
  const slash = member.indexOf('/');
  const domain = member.slice(0, slash);
  const match = /^(.*?)\((\d+)\)(?:\$(.*))?$/.exec(member.slice(slash + 1));
  if (!match) return { name: { scope: 'domain', domain, item: member.slice(slash + 1) }, access: null };
  const [, item = '', index = '', rest] = match;
  let inner = null;
  for (const name of rest?.split('$').reverse() ?? []) inner = [{ step: { kind: 'component' as const, name }, inner }];
  return { name: { scope: 'domain', domain, item }, access: [{ step: { kind: 'index', index: Number(index) }, inner }] };
}
