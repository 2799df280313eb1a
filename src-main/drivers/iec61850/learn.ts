/**
 * Learning the model of a device (IEC 61850-8-1, annex on discovery): domains, their names, the type of each logical node with one request,
 * data sets and their members. What a device refuses as a whole is asked in parts.
 */
import { AppError, isCancelled, toAppError } from '#shared/domain/errors.ts';
import type { MmsClient } from './association/mms-client.ts';
import { refusalOf } from './association/refusals.ts';
import type { Fingerprint } from './channel-memory.ts';
import { readConfiguration } from './configuration.ts';
import type { VariableSpec } from './mms/pdu.ts';
import type { MmsComponent, MmsType, ObjectName } from './mms/types.ts';
import { CONSTRAINTS, constraintOrder } from './model/constraints.ts';
import type { DataSet, Identity, IedModel, LogicalDevice, LogicalNode } from './model/ied-model.ts';
import { type TypePool, typeAt } from './model/types.ts';
import { memberKey } from './object-names.ts';

const VARIABLES = 0;
const VARIABLE_LISTS = 2;
const DOMAINS = 9;
const IDENTIFY_SERVICE = 2;
/** Names of one list; more of them are no device of this world. */
const MOST_NAMES = 1_000_000;
/** Revisions that are read with one request. */
const REVISIONS_AT_ONCE = 20;
const REVISION_ITEM = 'LLN0$DC$NamPlt$configRev';

export interface LearnOptions {
  readonly client: Pick<MmsClient, 'request' | 'negotiated'>;
  readonly pool: TypePool;
  /** Time limit of requests with long answers, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Steps done and all that are known so far. */
  onProgress(done: number, total: number): void;
}

/** What a device is before its model is asked. */
export interface DeviceSigns {
  readonly identity: Identity | null;
  readonly domains: readonly string[];
}

export interface Learnt {
  readonly model: IedModel;
  readonly fingerprint: Fingerprint;
}

/** Learns one device over one association. Methods reject with what the association says; a refusal of a part leaves it out. */
export class Learner {
  readonly #options: LearnOptions;
  #done = 0;
  #total = 0;

  constructor(options: LearnOptions) {
    this.#options = options;
  }

  /** Identity and domains: two requests. A device that does not say who it is has no identity. */
  async signs(): Promise<DeviceSigns> {
    this.#expect(2);
    const identity = await this.#identify();
    const domains = await this.#names(DOMAINS, null);
    this.#finish();
    return { identity, domains };
  }

  /** Everything below the domains. */
  async learn({ identity, domains }: DeviceSigns): Promise<Learnt> {
    this.#expect(domains.length * 2);
    const devices: LogicalDevice[] = [];
    for (const domain of domains) devices.push(await this.#device(domain));
    const revisions = await this.revisions(devices.filter(hasRevision).map(({ name }) => name));
    const all = domains.map((domain) => revisions.get(domain) ?? '');
    const configurationRevision = all.filter((text) => text !== '').join(',');
    return { model: { name: '', devices, identity, configurationRevision }, fingerprint: { identity, domains, revisions: all } };
  }

  /** `configRev` of these domains; one that cannot be read is left out. */
  async revisions(domains: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (let at = 0; at < domains.length; at += REVISIONS_AT_ONCE) {
      const asked = domains.slice(at, at + REVISIONS_AT_ONCE);
      const items = asked.map((domain): VariableSpec => ({ name: { scope: 'domain', domain, item: REVISION_ITEM }, access: null }));
      const results = await this.#orNull(async () => {
        const request = { service: 'read', spec: { kind: 'variables', items }, withSpecification: false } as const;
        return (await this.#options.client.request(request, this.#limits())).results;
      });
      results?.forEach((result, place) => {
        const domain = asked[place];
        if (domain !== undefined && (result.kind === 'visible-string' || result.kind === 'mms-string')) found.set(domain, result.text);
      });
    }
    return found;
  }

  /** Units and scales of these logical devices: see `readConfiguration`. */
  async configuration(devices: readonly LogicalDevice[]): Promise<ReadonlyMap<string, string>> {
    this.#expect(1);
    const values = await readConfiguration(devices, { client: this.#options.client, ...this.#limits() });
    this.#finish();
    return values;
  }

  /** The data sets of a domain with their members. Sets of `known` that are part of the configuration are not asked again. */
  async dataSets(domain: string, known: readonly DataSet[]): Promise<DataSet[]> {
    const names = (await this.#orNull(() => this.#names(VARIABLE_LISTS, domain))) ?? [];
    const fixed = new Map(known.filter(({ isDeletable }) => isDeletable === false).map((set) => [set.item, set]));
    this.#expect(names.length);
    const sets = await this.#together(names, async (item) => {
      const set = fixed.get(item) ?? (await this.#dataSet(domain, item));
      this.#finish();
      return set;
    });
    return sets.filter((set) => set !== null);
  }

  async #identify(): Promise<Identity | null> {
    const { client } = this.#options;
    const answer = client.negotiated?.supports(IDENTIFY_SERVICE)
      ? await this.#orNull(() => client.request({ service: 'identify' }, { signal: this.#options.signal }))
      : null;
    this.#finish();
    return answer && { vendor: answer.vendor, model: answer.model, revision: answer.revision };
  }

  async #device(domain: string): Promise<LogicalDevice> {
    const names = (await this.#orNull(() => this.#names(VARIABLES, domain))) ?? [];
    this.#finish();
    const nodeNames = names.filter((name) => !name.includes('$'));
    this.#expect(nodeNames.length);
    const byNode = groupByNode(names);
    const nodes = await this.#together(nodeNames, async (name) => {
      const type = await this.#nodeType(domain, name, byNode.get(name) ?? []);
      this.#finish();
      return { name, type: this.#options.pool.intern(type), notes: null } satisfies LogicalNode;
    });
    const dataSets = await this.dataSets(domain, []);
    this.#finish();
    return { name: domain, instance: '', description: '', nodes, dataSets };
  }

  /** Type of a logical node; put together of its parts where the device does not give it as a whole. */
  async #nodeType(domain: string, node: string, names: readonly string[]): Promise<MmsType> {
    const whole = await this.#type(domain, node);
    if (whole?.kind === 'structure') return whole;
    const constraints = names.filter((name) => name.split('$').length === 2).map((name) => name.slice(node.length + 1));
    const parts = constraints.length > 0 ? constraints : [...CONSTRAINTS];
    const components: MmsComponent[] = [];
    for (const constraint of parts) {
      const item = `${node}$${constraint}`;
      const type = (await this.#type(domain, item)) ?? (await this.#objectsOf(domain, item, names));
      if (type) components.push({ name: constraint, type });
    }
    components.sort((one, other) => constraintOrder(one.name) - constraintOrder(other.name));
    return { kind: 'structure', components };
  }

  /** The data objects under one functional constraint, one by one. */
  async #objectsOf(domain: string, prefix: string, names: readonly string[]): Promise<MmsType | null> {
    const depth = prefix.split('$').length + 1;
    const objects = names.filter((name) => name.startsWith(`${prefix}$`) && name.split('$').length === depth);
    const components: MmsComponent[] = [];
    for (const object of objects) {
      const type = await this.#type(domain, object);
      if (type) components.push({ name: object.slice(prefix.length + 1), type });
    }
    return components.length === 0 ? null : { kind: 'structure', components };
  }

  #type(domain: string, item: string): Promise<MmsType | null> {
    const request = { service: 'get-variable-access-attributes', name: { scope: 'domain', domain, item } } as const;
    return this.#orNull(async () => (await this.#options.client.request(request, this.#limits())).type);
  }

  async #dataSet(domain: string, item: string): Promise<DataSet | null> {
    const directory = await this.#orNull(() => readDirectory(this.#options.client, { scope: 'domain', domain, item }, this.#limits()));
    return directory && { item, ...directory };
  }

  /** All names of a class, page by page; a page that brings nothing new is the last (`moreFollows` is true unless it is said otherwise). */
  async #names(objectClass: number, domain: string | null): Promise<string[]> {
    const scope = domain === null ? ({ scope: 'vmd' } as const) : ({ scope: 'domain', domain } as const);
    const names: string[] = [];
    let continueAfter: string | null = null;
    for (;;) {
      const request = { service: 'get-name-list', objectClass, scope, continueAfter } as const;
      const page: { readonly names: readonly string[]; readonly moreFollows: boolean } = await this.#options.client.request(
        request,
        this.#limits(),
      );
      const last = page.names.at(-1);
      if (last === undefined || last === continueAfter) return names;
      for (const name of page.names) names.push(name);
      if (names.length > MOST_NAMES)
        throw new AppError('PROTOCOL_MISMATCH', `The device lists more than ${MOST_NAMES} names in one domain.`);
      if (!page.moreFollows) return names;
      continueAfter = last;
    }
  }

  /** As many at once as the window lets through, one place left for reads. Answers in order. */
  async #together<Item, Result>(items: readonly Item[], act: (item: Item) => Promise<Result>): Promise<Result[]> {
    const results: Result[] = new Array(items.length);
    let next = 0;
    const work = async () => {
      for (let place = next++; place < items.length; place = next++) results[place] = await act(items[place] as Item);
    };
    const workers = Math.max(1, (this.#options.client.negotiated?.window ?? 1) - 1);
    await Promise.all(Array.from({ length: Math.min(workers, items.length) }, work));
    return results;
  }

  /** Null for what the device refuses, cannot say in a PDU, or does not answer. */
  async #orNull<Answer>(ask: () => Promise<Answer>): Promise<Answer | null> {
    try {
      return await ask();
    } catch (thrown) {
      const error = toAppError(thrown);
      if (isCancelled(error) || this.#options.signal.aborted) throw error;
      const isAnswer = refusalOf(error) !== null || error.code === 'TIMEOUT_RESPONSE' || error.code.startsWith('PROTOCOL_');
      if (!isAnswer) throw error;
      return null;
    }
  }

  #limits() {
    return { timeoutMs: this.#options.timeoutMs, signal: this.#options.signal };
  }

  #expect(steps: number): void {
    this.#total += steps;
    this.#options.onProgress(this.#done, this.#total);
  }

  #finish(): void {
    this.#done += 1;
    this.#options.onProgress(this.#done, this.#total);
  }
}

/** Members of a data set as keys `LD/LN$FC$DO[$DA]`. Rejects as `MmsClient.request`. */
export async function readDirectory(
  client: Pick<MmsClient, 'request'>,
  name: ObjectName,
  options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
): Promise<{ readonly members: readonly string[]; readonly isDeletable: boolean }> {
  const answer = await client.request({ service: 'get-named-variable-list-attributes', name }, options);
  return { members: answer.items.map(memberKey), isDeletable: answer.isDeletable };
}

function groupByNode(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const end = name.indexOf('$');
    const node = end < 0 ? name : name.slice(0, end);
    const known = groups.get(node);
    if (known) known.push(name);
    else groups.set(node, [name]);
  }
  return groups;
}

function hasRevision({ nodes }: LogicalDevice): boolean {
  const node = nodes.find(({ name }) => name === 'LLN0');
  return node !== undefined && typeAt(node.type, ['DC', 'NamPlt', 'configRev']) !== null;
}
