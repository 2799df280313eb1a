/** Learning behind a standing association: whether the device is the one known already, else its whole model. */

import { AppError, isCancelled, toAppError } from '#shared/domain/errors.ts';
import { english, firstOf, say, together } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { type Clock, cancelled, delay } from '../../platform/clock.ts';
import { runInTurns, runSteps } from '../../platform/steps.ts';
import { Turns } from '../../platform/turns.ts';
import type { PointConfig } from '../spi/index.ts';
import type { MmsClient } from './association/mms-client.ts';
import type { ChannelMemory } from './channel-memory.ts';
import { Learner } from './learn.ts';
import type { LeftOut } from './learn-types.ts';
import type { MmsType } from './mms/types.ts';
import { describedMembers } from './model/differences.ts';
import type { DataSet, Identity, IedModel } from './model/ied-model.ts';
import { parseReference } from './model/references.ts';
import { readBlockValues } from './reports/block-values.ts';

/** Points that are looked at before other work gets its turn. */
const POINTS_A_TURN = 2000;
/** Logical nodes of a model that is taken over in some milliseconds. */
const NODES_AT_ONCE = 500;
/** A read of data sets waits so long for the model that is being learnt. */
const MOST_WAIT_MS = 60_000;
/** Parts of a model that the event log names beside the first. */
const MOST_TOLD = 5;

export interface ModelSessionOptions {
  readonly client: Pick<MmsClient, 'request' | 'negotiated'>;
  readonly clock: Clock;
  readonly memory: ChannelMemory;
  /** Time limit of requests with long answers, in milliseconds. */
  readonly timeoutMs: number;
  /** References of what is read: only those are compared where the model is known. */
  points(): Iterable<PointConfig>;
  notice(text: Message): void;
  /** Model or data sets have changed. */
  onChanged(): void;
}

export class ModelSession {
  readonly #options: ModelSessionOptions;
  readonly #end = new AbortController();
  #running: Promise<void> | null = null;
  /** While it learns: resolved when the data sets of the device are known, and at its end. */
  #known = Promise.withResolvers<void>();
  /** Whether the device told its data sets over this association; why it did not. */
  #setsAre: 'unasked' | 'asked' | 'known' | AppError = 'unasked';

  constructor(options: ModelSessionOptions) {
    this.#options = options;
    options.memory.proven = new Set();
    options.memory.setProofs.clear();
  }

  /** Begins to learn; what was learnt before counts unless `anew`. Does nothing while it is under way. Never rejects. */
  begin(anew: boolean): Promise<void> {
    this.#running ??= this.#learnOnce(anew);
    return this.#running;
  }

  async #learnOnce(anew: boolean): Promise<void> {
    this.#known = Promise.withResolvers();
    this.#setsAre = 'asked';
    try {
      await this.#learn(anew);
    } finally {
      this.#known.resolve();
      this.#running = null;
    }
  }

  #setsKnown(): void {
    this.#setsAre = 'known';
    this.#known.resolve();
  }

  /**
   * Waits until the data sets of the device are known, a minute at most. Throws `CANCELLED` when `signal` is aborted, `TIMEOUT_RESPONSE` while it still learns, why
   * it could not learn, and `STATE_CONFLICT` where nothing is known and nobody asked.
   */
  async learnt(signal: AbortSignal): Promise<void> {
    const { clock, memory } = this.#options;
    if (this.#running) await inTime(clock, this.#known.promise, signal);
    const { state, done, total } = memory.model.status;
    const told = this.#setsAre;
    if (told === 'asked')
      throw new AppError('TIMEOUT_RESPONSE', say('iec61850.still_learning', { done, total, seconds: MOST_WAIT_MS / 1000 }));
    if (told instanceof AppError) throw new AppError(told.code, say('iec61850.sets_unknown', { reason: told.said }));
    if (told === 'unasked' && state === 'unknown') throw new AppError('STATE_CONFLICT', say('iec61850.sets_unasked'));
  }

  /** No further request is sent for the model. */
  close(): void {
    this.#end.abort();
  }

  /** Takes over the data sets of a domain as the device has them now. Rejects as `MmsClient.request`. */
  async refreshDataSets(domain: string): Promise<void> {
    const sets = await this.#learner(() => undefined).dataSets(domain);
    this.#setsTold(domain, sets);
    this.#replaceDataSets(new Map([[domain, sets]]), (name) => name.startsWith(`${domain}/`));
  }

  /** Takes over a data set that the device told of by its name; false where the model of the device has no such domain. */
  addDataSet(domain: string, set: DataSet): boolean {
    const { device: learnt, index } = this.#options.memory.model;
    const device = learnt && index.device(domain);
    if (!device) return false;
    const others = device.dataSets.filter(({ item }) => item !== set.item);
    this.#replaceDataSets(new Map([[domain, [...others, set]]]), (name) => name === `${domain}/${set.item}`);
    return true;
  }

  async #learn(anew: boolean): Promise<void> {
    const { memory } = this.#options;
    const { model } = memory;
    try {
      const learner = this.#learner((done, total) => model.learning(done, total));
      const asked = learner.domains();
      // beside everything else: a device that never answers it keeps nothing else waiting
      const isBeside = (this.#options.client.negotiated?.window ?? 1) > 1;
      const identified = isBeside ? orError(learner.identity()) : null;
      const domains = await asked;
      const isKnown = !anew && (await this.#isKnown(learner, domains));
      const proven = isKnown ? await this.#compared(learner) : null;
      if (proven) {
        await this.#refreshAll(learner, domains);
        memory.proven = proven;
        model.confirm();
        this.#setsKnown();
      } else {
        memory.limits.clear();
        const { model: learnt, revisions } = await learner.learn(domains);
        for (const { name, dataSets } of learnt.devices) this.#setsTold(name, dataSets);
        const configuration = await learner.configuration(learnt.devices);
        await this.#take({ ...learnt, configuration });
        this.#setsKnown();
        memory.proven = null;
        memory.fingerprint = { identity: null, domains: new Set(domains), revisions };
        model.setBlocks(await readBlockValues({ client: this.#options.client, memory, signal: this.#end.signal }));
      }
      this.#options.onChanged();
      const identity = await (identified ?? orError(learner.identity()));
      if (identity instanceof AppError) throw identity;
      if (!this.#identify(identity)) {
        memory.fingerprint = null;
        await this.#learn(true);
        return;
      }
      this.#tell(learner.leftOut);
    } catch (thrown) {
      this.#failed(toAppError(thrown));
    }
  }

  /** Takes over a learnt model, a large one in turns: until it is there, what was known before is shown. Rejects with `CANCELLED` when the session ends. */
  async #take(learnt: IedModel): Promise<void> {
    const { memory, clock } = this.#options;
    const steps = memory.model.stepsOfUse(learnt, 'device', clock.wallMs());
    if (learnt.devices.reduce((sum, { nodes }) => sum + nodes.length, 0) <= NODES_AT_ONCE) return runSteps(steps);
    const turns = new Turns();
    await runInTurns(steps, async () => {
      await turns.breathe();
      if (this.#end.signal.aborted) throw cancelled();
    });
  }

  /** Takes over who the device says it is; false where that is another device than the one whose model was kept. */
  #identify(identity: Identity | null): boolean {
    const { memory } = this.#options;
    const { fingerprint, model } = memory;
    if (!identity || !fingerprint) return true;
    if (fingerprint.identity && !isSameIdentity(fingerprint.identity, identity)) return false;
    memory.fingerprint = { ...fingerprint, identity };
    model.identify(identity);
    return true;
  }

  /** Says what the model is without, and why; once for the same. */
  #tell(leftOut: readonly LeftOut[]): void {
    const { memory } = this.#options;
    const [first, ...more] = leftOut;
    const told = leftOut.map(({ what, reason }) => `${what} ${english(reason)}`).join();
    const isTold = told === memory.toldLeftOut;
    memory.toldLeftOut = told;
    if (!first || isTold) return;
    const others = firstOf(
      more.map(({ what }) => what),
      MOST_TOLD,
    );
    const learnt = say('iec61850.learnt_without', { what: first.what, reason: first.reason });
    this.#options.notice(together(learnt, more.length === 0 ? null : say('iec61850.left_out', { others })));
  }

  #failed(error: AppError): void {
    const { memory, notice } = this.#options;
    if (this.#setsAre !== 'known') this.#setsAre = error;
    const isEnd = isCancelled(error) || this.#end.signal.aborted;
    memory.model.failed(isEnd ? say('iec61850.learning_cut') : error.said);
    if (!isEnd) notice(say('iec61850.not_learnt', { reason: error.said }));
  }

  /** The same domains and revisions, in any order; a device without any revision is learnt anew each time. */
  async #isKnown(learner: Learner, domains: readonly string[]): Promise<boolean> {
    const { fingerprint, model } = this.#options.memory;
    if (!fingerprint || !model.device || fingerprint.revisions.size === 0) return false;
    if (domains.length !== fingerprint.domains.size || !domains.every((domain) => fingerprint.domains.has(domain))) return false;
    const revisions = await learner.revisions([...fingerprint.revisions.keys()]);
    return [...fingerprint.revisions].every(([domain, revision]) => revisions.get(domain) === revision);
  }

  /**
   * A device that was configured anew may keep its revision, and parts of one kind may have changed places: their values would be taken for one another. So the structures that are read
   * are compared by their names. Null: one is another than it was.
   */
  async #compared(learner: Learner): Promise<ReadonlySet<string> | null> {
    const { memory, clock, points } = this.#options;
    const { index } = memory.model;
    const nodes = new Map<string, MmsType>();
    const add = (domain: string, name: string) => {
      const key = `${domain}/${name}`;
      const node = index.node(domain, name);
      if (node && index.model.unordered?.has(key) !== true) nodes.set(key, node.type);
    };
    let looks = 0;
    for (const { reference } of points()) {
      const parsed = parseReference(reference);
      if (parsed) add(parsed.domain, parsed.node);
      looks += 1;
      if (looks % POINTS_A_TURN === 0) await new Promise<void>((resolve) => void clock.after(0, resolve));
    }
    for (const { dataSets } of index.model.devices)
      for (const member of dataSets.flatMap((set) => set.members)) {
        const [domain = '', item = ''] = member.split('/');
        add(domain, item.split('$')[0] ?? '');
      }
    return learner.compare(nodes);
  }

  /** Data sets of clients may have come and gone, and those of the configuration may have other members, although the revision is the same. */
  async #refreshAll(learner: Learner, domains: readonly string[]): Promise<void> {
    const sets = new Map<string, readonly DataSet[]>();
    for (const domain of domains) {
      const told = await learner.dataSets(domain);
      this.#setsTold(domain, told);
      sets.set(domain, told);
    }
    this.#replaceDataSets(sets, () => true);
  }

  #setsTold(domain: string, sets: readonly DataSet[]): void {
    const { memory, clock } = this.#options;
    const nowMs = clock.monotonicMs();
    for (const { item, isDeletable } of sets) if (isDeletable !== null) memory.setProofs.told(`${domain}/${item}`, nowMs);
  }

  /** @param isAsked true for a data set whose members are those that the device tells now: it is read by its places again */
  #replaceDataSets(sets: ReadonlyMap<string, readonly DataSet[]>, isAsked: (name: string) => boolean): void {
    const { memory, clock } = this.#options;
    const { device, index } = memory.model;
    if (!device || [...sets].every(([domain, each]) => isSame(each, index.device(domain)?.dataSets ?? []))) return;
    memory.model.replaceDataSets(sets, clock.wallMs());
    const { unreadableSets } = memory.limits;
    for (const name of unreadableSets) if (isAsked(name)) unreadableSets.delete(name);
    this.#options.onChanged();
  }

  #learner(onProgress: (done: number, total: number) => void): Learner {
    const { client, memory, timeoutMs } = this.#options;
    const described = (domain: string, item: string) => describedMembers(memory.model.index, domain, item);
    return new Learner({ client, pool: memory.pool, timeoutMs, signal: this.#end.signal, described, onProgress });
  }
}

function isSame(sets: readonly DataSet[], known: readonly DataSet[]): boolean {
  const byItem = new Map(known.map((set) => [set.item, set]));
  return (
    known.length === sets.length &&
    sets.every(({ item, members, isDeletable }) => {
      const other = byItem.get(item);
      return (
        other?.isDeletable === isDeletable &&
        other.members.length === members.length &&
        members.every((member, place) => member === other.members[place])
      );
    })
  );
}

function isSameIdentity(one: Identity, other: Identity): boolean {
  return one.vendor === other.vendor && one.model === other.model && one.revision === other.revision;
}

/** The answer or its error, for what is awaited later. */
function orError<Answer>(answer: Promise<Answer>): Promise<Answer | AppError> {
  return answer.catch(toAppError);
}

/** Waits for something that is under way, for so long at most. Rejects with `CANCELLED` when `signal` is aborted. */
async function inTime(clock: Clock, known: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) throw cancelled();
  const enough = new AbortController();
  const end = () => enough.abort();
  signal.addEventListener('abort', end, { once: true });
  try {
    await Promise.race([known, delay(clock, MOST_WAIT_MS, enough.signal)]);
  } finally {
    signal.removeEventListener('abort', end);
    end();
  }
}
