/**
 * Learning the model of a device (IEC 61850-8-1, annex on discovery): domains, their names, the type of each logical node with one request,
 * data sets and their members. What a device refuses as a whole is asked in parts.
 */

import { AppError, isCancelled, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { MmsClient } from './association/mms-client.ts';
import { isOfOneRequest, isTooMuch, isUnusable, refusalOf } from './association/refusals.ts';
import { readConfiguration } from './configuration.ts';
import { type LeftOut, learnNodeType } from './learn-types.ts';
import type { VariableSpec } from './mms/pdu.ts';
import type { MmsType, ObjectName } from './mms/types.ts';
import type { DataSet, Identity, IedModel, LogicalDevice, LogicalNode } from './model/ied-model.ts';
import { type TypePool, typeAt } from './model/types.ts';
import { memberKey } from './object-names.ts';
import { readVariables } from './reads.ts';

const VARIABLES = 0;
const VARIABLE_LISTS = 2;
const DOMAINS = 9;
const IDENTIFY_SERVICE = 2;
/** Class of service errors about access: of a kind of object that is not there. */
const ACCESS_CLASS = 7;
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
  /** Members of a data set as the file of the channel has them; null where it has none. Left out: there is no file. */
  described?(domain: string, item: string): readonly string[] | null;
  /** Steps done and all that are known so far. */
  onProgress(done: number, total: number): void;
}

export interface Learnt {
  readonly model: IedModel;
  /** Configuration revision by domain, of those that have one. */
  readonly revisions: ReadonlyMap<string, string>;
}

/** Learns one device over one association. Methods reject with what the association says; a refusal of a part leaves it out. */
export class Learner {
  readonly #options: LearnOptions;
  readonly #leftOut: LeftOut[] = [];
  readonly #unordered = new Set<string>();
  #done = 0;
  #total = 0;

  constructor(options: LearnOptions) {
    this.#options = options;
  }

  /** What the model is without, so far. */
  get leftOut(): readonly LeftOut[] {
    return this.#leftOut;
  }

  /** Names of the logical devices, in the order of the device. */
  async domains(): Promise<readonly string[]> {
    this.#expect(1);
    const domains = await this.#names(DOMAINS, null);
    this.#finish();
    return domains;
  }

  /** Everything below the domains. */
  async learn(domains: readonly string[]): Promise<Learnt> {
    this.#expect(domains.length * 2);
    const devices: LogicalDevice[] = [];
    for (const domain of domains) devices.push(await this.#device(domain));
    const revisions = await this.revisions(devices.filter(hasRevision).map(({ name }) => name));
    const configurationRevision = domains.flatMap((domain) => revisions.get(domain) ?? []).join(',');
    const revised = devices.map((device) => ({ ...device, revision: revisions.get(device.name) ?? '' }));
    return { model: { name: '', devices: revised, identity: null, configurationRevision, unordered: this.#unordered }, revisions };
  }

  /** `configRev` of these domains; one that cannot be read, or is empty, is left out. */
  async revisions(domains: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (let at = 0; at < domains.length; at += REVISIONS_AT_ONCE) {
      await this.#addRevisions(domains.slice(at, at + REVISIONS_AT_ONCE), found);
    }
    return found;
  }

  /** Asks for fewer at once where the device cannot answer so many. */
  async #addRevisions(domains: readonly string[], found: Map<string, string>): Promise<void> {
    const items = domains.map((domain): VariableSpec => ({ name: { scope: 'domain', domain, item: REVISION_ITEM }, access: null }));
    const results = await this.#orError(() => readVariables(this.#options.client, items, this.#limits()));
    if (results instanceof AppError) {
      if (domains.length < 2 || !(isTooMuch(results) || isUnusable(results))) return;
      const middle = domains.length >> 1;
      await this.#addRevisions(domains.slice(0, middle), found);
      await this.#addRevisions(domains.slice(middle), found);
      return;
    }
    results.forEach((result, place) => {
      const domain = domains[place];
      const text = result.kind === 'visible-string' || result.kind === 'mms-string' ? result.text : '';
      if (domain !== undefined && text !== '') found.set(domain, text);
    });
  }

  /** Units and scales of these logical devices: see `readConfiguration`. */
  async configuration(devices: readonly LogicalDevice[]): Promise<ReadonlyMap<string, string>> {
    this.#expect(1);
    const values = await readConfiguration(devices, { client: this.#options.client, ...this.#limits() });
    this.#finish();
    return values;
  }

  /** The data sets of a domain with their members. */
  async dataSets(domain: string): Promise<DataSet[]> {
    const listed = await this.#orError(() => this.#names(VARIABLE_LISTS, domain));
    const names = (isUnknownClass(listed) ? null : this.#orLeft(`the data sets of ${domain}`, listed)) ?? [];
    this.#expect(names.length);
    const sets = await this.#together(names, async (item) => {
      const set = await this.#dataSet(domain, item);
      this.#finish();
      return set;
    });
    return sets;
  }

  /** Who the device says it is; null where it does not, with the reason told. Bounded by the time limit of an ordinary request. */
  async identity(): Promise<Identity | null> {
    const { client, signal } = this.#options;
    if (!client.negotiated?.supports(IDENTIFY_SERVICE)) return null;
    const answer = await this.#orError(() => client.request({ service: 'identify' }, { signal }));
    if (answer instanceof AppError) {
      this.#leave('its vendor, model and revision (Identify)', answer);
      return null;
    }
    return { vendor: answer.vendor, model: answer.model, revision: answer.revision };
  }

  async #device(domain: string): Promise<LogicalDevice> {
    const names = this.#orLeft(`${domain}, its names`, await this.#orError(() => this.#names(VARIABLES, domain))) ?? [];
    this.#finish();
    const nodeNames = names.filter((name) => !name.includes('$'));
    this.#expect(nodeNames.length);
    const byNode = groupByNode(names);
    const nodes = await this.#together(nodeNames, async (name) => {
      const learnt = await learnNodeType(domain, name, byNode.get(name) ?? [], (item) => this.#type(domain, item));
      for (const key of learnt.unordered) this.#unordered.add(key);
      this.#leftOut.push(...learnt.leftOut);
      this.#finish();
      return { name, type: this.#options.pool.intern(learnt.type), notes: null } satisfies LogicalNode;
    });
    const dataSets = await this.dataSets(domain);
    this.#finish();
    return { name: domain, instance: '', description: '', nodes, dataSets };
  }

  /**
   * Which of these logical nodes (`LD/LN`) are as they are known. One whose type the device does not tell now is left out; null: one is another than it was.
   */
  async compare(nodes: ReadonlyMap<string, MmsType>): Promise<ReadonlySet<string> | null> {
    const same = new Set<string>();
    let isOther = false;
    this.#expect(nodes.size);
    await this.#together([...nodes], async ([key, known]) => {
      if (isOther) return;
      const slash = key.indexOf('/');
      const told = await this.#type(key.slice(0, slash), key.slice(slash + 1));
      this.#finish();
      if (told instanceof AppError) return;
      if (this.#options.pool.intern(told) === known) same.add(key);
      else isOther = true;
    });
    return isOther ? null : same;
  }

  #type(domain: string, item: string): Promise<MmsType | AppError> {
    const request = { service: 'get-variable-access-attributes', name: { scope: 'domain', domain, item } } as const;
    return this.#orError(async () => (await this.#options.client.request(request, this.#limits())).type);
  }

  /** A data set whose members the device cannot tell is known by its name, with the members of the file where there is one. */
  async #dataSet(domain: string, item: string): Promise<DataSet> {
    const directory = await this.#orError(() => readDirectory(this.#options.client, { scope: 'domain', domain, item }, this.#limits()));
    if (!(directory instanceof AppError)) return { item, ...directory };
    const members = this.#options.described?.(domain, item) ?? null;
    const name = `${domain}/${item}`;
    this.#leave(members === null ? `the members of data set ${name}` : `the members of data set ${name} (taken from the file)`, directory);
    return { item, members: members ?? [], isDeletable: null };
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
      if (names.length > MOST_NAMES) throw new AppError('PROTOCOL_MISMATCH', say('iec61850.many_names', { most: MOST_NAMES }));
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

  /** The error of what the device refuses, cannot say in a PDU, or does not answer. */
  async #orError<Answer>(ask: () => Promise<Answer>): Promise<Answer | AppError> {
    try {
      return await ask();
    } catch (thrown) {
      const error = toAppError(thrown);
      if (isCancelled(error) || this.#options.signal.aborted) throw error;
      if (!isOfOneRequest(error)) throw error;
      return error;
    }
  }

  /** An answer; null for an error, which is noted. */
  #orLeft<Answer>(what: string, answer: Answer | AppError): Answer | null {
    if (!(answer instanceof AppError)) return answer;
    this.#leave(what, answer);
    return null;
  }

  #leave(what: string, { said }: AppError): void {
    this.#leftOut.push({ what, reason: said });
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

/** True for the refusal of a device that has no data sets at all. */
function isUnknownClass(answer: unknown): boolean {
  const refusal = answer instanceof AppError ? refusalOf(answer) : null;
  return refusal?.kind === 'reject' || (refusal?.kind === 'service-error' && refusal.error.errorClass === ACCESS_CLASS);
}

function hasRevision({ nodes }: LogicalDevice): boolean {
  const node = nodes.find(({ name }) => name === 'LLN0');
  return node !== undefined && typeAt(node.type, ['DC', 'NamPlt', 'configRev']) !== null;
}
