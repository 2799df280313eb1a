/** Models and values of the devices behind the captures, learnt from their own answers. */

import { decodeMms } from '../../mms/codec.ts';
import type { MmsPdu, MmsRequest, MmsResponse, VariableSpec } from '../../mms/pdu.ts';
import type { MmsComponent, MmsType, MmsValue, ObjectName } from '../../mms/types.ts';
import type { DataSet, Identity, IedModel, LogicalDevice } from '../../model/ied-model.ts';
import { mmsOf, readCapture } from '../../testing/captures.ts';

/** One request and its answer. */
interface Exchange {
  readonly request: MmsRequest;
  readonly response: MmsResponse;
}

/** A device as its answers show it. */
export interface LearnedDevice {
  readonly model: IedModel;
  /** Values as they were first read. */
  readonly values: readonly (readonly [name: ObjectName, value: MmsValue])[];
}

/** A node of the tree of names; the type where the device told it. */
interface Branch {
  type: MmsType | null;
  readonly parts: Map<string, Branch>;
}

/** Requests with their answers in captures, by prefixes of their names. */
export function exchangesOf(prefixes: readonly string[]): readonly Exchange[] {
  return prefixes.flatMap((prefix) => {
    const asked = new Map<string, MmsRequest>();
    const found: Exchange[] = [];
    for (const { bytes, connection } of mmsOf(readCapture(prefix))) {
      const pdu = decoded(bytes);
      if (pdu?.kind === 'request') asked.set(`${connection} ${pdu.invokeId}`, pdu.request);
      const request = pdu?.kind === 'response' ? asked.get(`${connection} ${pdu.invokeId}`) : undefined;
      if (pdu?.kind === 'response' && request) found.push({ request, response: pdu.response });
    }
    return found;
  });
}

function decoded(bytes: Uint8Array): MmsPdu | null {
  try {
    return decodeMms(bytes);
  } catch {
    return null;
  }
}

/** The device as the answers in `types` (names, types, data sets) and in `values` (reads) show it. */
export function learnDevice(types: readonly string[], values: readonly string[], identity: Identity): LearnedDevice {
  const domains = new Map<string, Branch>();
  const dataSets = new Map<string, DataSet[]>();
  for (const exchange of exchangesOf(types)) learn(exchange, domains, dataSets);
  for (const exchange of exchangesOf(values)) learnFromValues(exchange, domains);
  const devices = [...domains].map(([name, branch]): LogicalDevice => {
    const nodes = [...branch.parts].map(([node, part]) => ({ name: node, type: typeOf(part), notes: null }));
    return { name, instance: '', description: '', nodes, dataSets: dataSets.get(name) ?? [] };
  });
  const model: IedModel = { name: '', devices, identity, configurationRevision: '' };
  const lists = listsIn([...exchangesOf(types), ...exchangesOf(values)]);
  return { model, values: exchangesOf(values).flatMap((exchange) => valuesIn(exchange, lists)) };
}

function learn({ request, response }: Exchange, domains: Map<string, Branch>, dataSets: Map<string, DataSet[]>): void {
  if (request.service === 'get-name-list' && response.service === 'get-name-list') {
    if (request.objectClass === 9) for (const name of response.names) branchAt(domains, name, []);
    if (request.objectClass === 0 && request.scope.scope === 'domain') {
      for (const name of response.names) branchAt(domains, request.scope.domain, name.split('$'));
    }
  }
  if (request.service === 'get-variable-access-attributes' && response.service === 'get-variable-access-attributes') {
    if (request.name.scope === 'domain') branchAt(domains, request.name.domain, request.name.item.split('$')).type ??= response.type;
  }
  if (request.service !== 'get-named-variable-list-attributes' || response.service !== 'get-named-variable-list-attributes') return;
  const { name } = request;
  if (name.scope !== 'domain' || response.isDeletable) return;
  const members = response.items.map((item) => (item.name.scope === 'domain' ? `${item.name.domain}/${item.name.item}` : ''));
  const known = dataSets.get(name.domain) ?? [];
  if (known.some(({ item }) => item === name.item)) return;
  dataSets.set(name.domain, [...known, { item: name.item, members, isDeletable: false }]);
}

/** The type of a value that was read tells something where nobody asked for the type. */
function learnFromValues({ request, response }: Exchange, domains: Map<string, Branch>): void {
  if (request.service !== 'read' || response.service !== 'read' || request.spec.kind !== 'variables') return;
  for (const [index, { name, access }] of request.spec.items.entries()) {
    const result = response.results[index];
    if (access !== null || name.scope !== 'domain' || !result || result.kind === 'failure') continue;
    const path = name.item.split('$');
    const isKnown = path.some((_, depth) => branchAt(domains, name.domain, path.slice(0, depth)).type !== null);
    const branch = branchAt(domains, name.domain, path);
    if (!isKnown) setLikely(branch, result);
  }
}

/** Members of a structure get the types of their values where names and values are as many; their order is that of the name list. */
function setLikely(branch: Branch, value: MmsValue): void {
  if (branch.parts.size === 0) branch.type ??= likelyType(value);
  else if (value.kind === 'structure' && value.items.length === branch.parts.size) {
    for (const [index, part] of [...branch.parts.values()].entries()) {
      const item = value.items[index];
      if (item) setLikely(part, item);
    }
  }
}

function likelyType(value: MmsValue): MmsType {
  switch (value.kind) {
    case 'structure':
      return { kind: 'structure', components: value.items.map((item, index) => ({ name: `part${index}`, type: likelyType(item) })) };
    case 'array':
      return { kind: 'array', count: value.items.length, element: likelyType(value.items[0] ?? { kind: 'boolean', value: false }) };
    case 'integer':
    case 'unsigned':
      return { kind: value.kind, size: 32 };
    case 'float':
      return { kind: 'float', width: value.width, exponentWidth: value.width === 32 ? 8 : 11 };
    case 'bit-string':
      return { kind: 'bit-string', size: value.size };
    case 'binary-time':
      return { kind: 'binary-time', hasDate: value.octets.length === 6 };
    case 'boolean':
    case 'utc-time':
      return { kind: value.kind };
    case 'other':
      return value;
    default:
      return { kind: value.kind, size: -255 };
  }
}

function branchAt(domains: Map<string, Branch>, domain: string, path: readonly string[]): Branch {
  let branch = below(domains, domain);
  for (const part of path) branch = below(branch.parts, part);
  return branch;
}

function below(parts: Map<string, Branch>, name: string): Branch {
  const known = parts.get(name);
  if (known) return known;
  const branch: Branch = { type: null, parts: new Map() };
  parts.set(name, branch);
  return branch;
}

function typeOf({ type, parts }: Branch): MmsType {
  if (type) return type;
  if (parts.size === 0) return { kind: 'boolean' };
  return { kind: 'structure', components: [...parts].map(([name, part]): MmsComponent => ({ name, type: typeOf(part) })) };
}

/** Values of a Read, with the members of a data set where the answer repeats them or `lists` knows them. */
function valuesIn(
  { request, response }: Exchange,
  lists: ReadonlyMap<string, readonly VariableSpec[]>,
): (readonly [ObjectName, MmsValue])[] {
  if (request.service !== 'read' || response.service !== 'read') return [];
  const { spec } = request;
  const items = spec.kind === 'variables' ? spec.items : (lists.get(spec.name.item) ?? []);
  return items.flatMap(({ name, access }, index) => {
    const result = response.results[index];
    return access === null && result && result.kind !== 'failure' ? [[name, result] as const] : [];
  });
}

/** Members of every data set that was asked for or defined, by name without domain. */
function listsIn(exchanges: readonly Exchange[]): ReadonlyMap<string, readonly VariableSpec[]> {
  const lists = new Map<string, readonly VariableSpec[]>();
  for (const { request, response } of exchanges) {
    if (request.service === 'define-named-variable-list') lists.set(request.name.item, request.items);
    if (request.service === 'get-named-variable-list-attributes' && response.service === request.service) {
      lists.set(request.name.item, response.items);
    }
  }
  return lists;
}
