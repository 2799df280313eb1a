/** Learning behind a standing association: whether the device is the one known already, else its whole model. */
import { type AppError, isCancelled, toAppError } from '#shared/domain/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { MmsClient } from './association/mms-client.ts';
import type { ChannelMemory, Fingerprint } from './channel-memory.ts';
import { type DeviceSigns, Learner } from './learn.ts';
import type { DataSet, IedModel } from './model/ied-model.ts';

export interface ModelSessionOptions {
  readonly client: Pick<MmsClient, 'request' | 'negotiated'>;
  readonly clock: Clock;
  readonly memory: ChannelMemory;
  /** Time limit of requests with long answers, in milliseconds. */
  readonly timeoutMs: number;
  notice(text: string): void;
  /** Model or data sets have changed. */
  onChanged(): void;
}

export class ModelSession {
  readonly #options: ModelSessionOptions;
  readonly #end = new AbortController();
  #running: Promise<void> | null = null;

  constructor(options: ModelSessionOptions) {
    this.#options = options;
  }

  /** True while the model is being learnt. */
  get isLearning(): boolean {
    return this.#running !== null;
  }

  /** Begins to learn; what was learnt before counts unless `anew`. Does nothing while it is under way. Never rejects. */
  begin(anew: boolean): Promise<void> {
    this.#running ??= this.#learn(anew).finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** No further request is sent for the model. */
  close(): void {
    this.#end.abort();
  }

  /** Takes over the data sets of a domain as the device has them now. Rejects as `MmsClient.request`. */
  async refreshDataSets(domain: string): Promise<void> {
    const { model } = this.#options.memory;
    const known = model.index.device(domain)?.dataSets ?? [];
    const sets = await this.#learner(() => undefined).dataSets(domain, known);
    this.#replaceDataSets(new Map([[domain, sets]]));
  }

  async #learn(anew: boolean): Promise<void> {
    const { memory, clock } = this.#options;
    const { model } = memory;
    try {
      const learner = this.#learner((done, total) => model.learning(done, total));
      const signs = await learner.signs();
      model.identify(signs.identity);
      if (!anew && (await this.#isKnown(learner, signs))) {
        await this.#refreshAll(learner, signs.domains);
        model.confirm();
      } else {
        memory.limits.clear();
        const learnt = await learner.learn(signs);
        const configuration = await learner.configuration(learnt.model.devices);
        model.use({ ...learnt.model, configuration }, 'device', clock.wallMs());
        memory.fingerprint = learnt.fingerprint;
      }
      this.#options.onChanged();
    } catch (thrown) {
      this.#failed(toAppError(thrown));
    }
  }

  #failed(error: AppError): void {
    const { memory, notice } = this.#options;
    const isEnd = isCancelled(error) || this.#end.signal.aborted;
    memory.model.failed(isEnd ? 'The connection ended before the model was learnt.' : error.message);
    if (!isEnd) notice(`The model of the device could not be learnt. ${error.message}`);
  }

  /** The same identity, domains and revisions; a device without any revision is learnt anew each time. */
  async #isKnown(learner: Learner, signs: DeviceSigns): Promise<boolean> {
    const { fingerprint, model } = this.#options.memory;
    if (!fingerprint || !model.device || !hasSameSigns(fingerprint, signs) || !fingerprint.revisions.some((text) => text !== ''))
      return false;
    const revisions = await learner.revisions(signs.domains.filter((_, place) => fingerprint.revisions[place] !== ''));
    return signs.domains.every((domain, place) => (revisions.get(domain) ?? '') === fingerprint.revisions[place]);
  }

  /** Data sets of clients may have come and gone although the configuration is the same. */
  async #refreshAll(learner: Learner, domains: readonly string[]): Promise<void> {
    const { index } = this.#options.memory.model;
    const sets = new Map<string, readonly DataSet[]>();
    for (const domain of domains) sets.set(domain, await learner.dataSets(domain, index.device(domain)?.dataSets ?? []));
    this.#replaceDataSets(sets);
  }

  #replaceDataSets(sets: ReadonlyMap<string, readonly DataSet[]>): void {
    const { memory, clock } = this.#options;
    const { device } = memory.model;
    if (!device || [...sets].every(([domain, each]) => isSame(each, device, domain))) return;
    const devices = device.devices.map((each) => ({ ...each, dataSets: sets.get(each.name) ?? each.dataSets }));
    memory.model.use({ ...device, devices }, 'device', clock.wallMs());
    memory.limits.unreadableSets.clear();
    this.#options.onChanged();
  }

  #learner(onProgress: (done: number, total: number) => void): Learner {
    const { client, memory, timeoutMs } = this.#options;
    return new Learner({ client, pool: memory.pool, timeoutMs, signal: this.#end.signal, onProgress });
  }
}

function isSame(sets: readonly DataSet[], { devices }: IedModel, domain: string): boolean {
  const known = devices.find(({ name }) => name === domain)?.dataSets ?? [];
  return known.length === sets.length && known.every((set, place) => JSON.stringify(set) === JSON.stringify(sets[place]));
}

function hasSameSigns(fingerprint: Fingerprint, { identity, domains }: DeviceSigns): boolean {
  return JSON.stringify([fingerprint.identity, fingerprint.domains]) === JSON.stringify([identity, domains]);
}
