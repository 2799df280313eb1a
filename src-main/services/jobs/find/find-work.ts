import type { FindBody, FindJob, FindNote, FoundDevice } from '#shared/contract/jobs.ts';
import { NewPoint } from '#shared/contract/points.ts';
import { FrameType } from '#shared/domain/enums.ts';
import { type FindCode, findSentence } from '#shared/domain/find.ts';
import type { MessageParams } from '#shared/messages/message.ts';
import type { WildcardSearch } from '../../../drivers/spi/diagnostics.ts';
import { addressText } from '../doctor/addresses.ts';
import type { JobWork } from '../job-board.ts';
import { BoundedFindings, type JobRecord } from '../job-record.ts';
import type { FindDeps, NewlyFound, QuestionBudget } from './find-deps.ts';
import { LineSearch } from './line-search.ts';
import { channelBody, type FindSetting, findAddresses, findSettings, lateMs, lineName, octetMs, questionMs } from './settings.ts';
import { WildcardFind } from './wildcard-find.ts';

/** Devices of one search that are listed; a bus has 247, a gateway 256. */
const MAX_FOUND = 256;
/** Collisions and noise of one search that are told. */
const MAX_NOTES = 50;
/** Octets of a question by wildcards, with its preambles. */
const WILDCARD_OCTETS = 20;
/** Settings with which only noise came that are searched for meters that answer at once. */
const MAX_NOISY_SETTINGS = 3;

/** The search of a serial line for its settings and slaves, or of a TCP address for unit ids; by wildcards where the protocol has them. Only reads are sent. */
export class FindWork implements JobWork<FindJob> {
  readonly #deps: FindDeps;
  readonly #request: FindBody;
  readonly #settings: readonly FindSetting[];
  readonly #addresses: { readonly usual: readonly number[]; readonly rest: readonly number[] };
  readonly #found = new BoundedFindings<FoundDevice>(MAX_FOUND);
  readonly #notes = new BoundedFindings<FindNote>(MAX_NOTES);
  /** Settings of the points of devices that answered a wildcard. */
  readonly #protocols = new Map<number, Readonly<Record<string, unknown>>>();
  #working: FindSetting | null = null;
  #hasOtherMaster = false;

  constructor(deps: FindDeps, request: FindBody) {
    this.#deps = deps;
    this.#request = request;
    this.#settings = findSettings(request, deps.diagnostics);
    this.#addresses = deps.diagnostics.wildcards ? { usual: [], rest: [] } : findAddresses(request, deps.diagnostics);
  }

  async run(job: JobRecord): Promise<void> {
    const { wildcards } = this.#deps.diagnostics;
    try {
      const questions = wildcards ? wildcards.roots.length : this.#addresses.usual.length + this.#addresses.rest.length;
      job.total = this.#settings.length * questions;
      if (wildcards) await this.#searchByWildcards(wildcards, job);
      else await this.#search(job);
      job.current = job.total;
    } finally {
      this.#deps.release();
    }
  }

  snapshot(job: JobRecord): FindJob {
    const working = this.#working;
    return {
      ...job.facts(this.#found.dropped),
      kind: 'find',
      predicted_ms: this.#predictedMs(job),
      findings: [...this.#found.items],
      channel: working && channelBody(this.#request, working),
      other_master: this.#hasOtherMaster,
      points: this.#usualPoints(),
      notes: [...this.#notes.items],
    };
  }

  /** First every setting with the usual addresses, then with the rest; the first setting that works is searched to its end and is the last one. */
  async #search(job: JobRecord): Promise<void> {
    const { usual, rest } = this.#addresses;
    let busy = 0;
    let tried = 0;
    for (const [addresses, others] of [
      [usual, rest],
      [rest, []],
    ] as const) {
      if (addresses.length === 0) continue;
      for (const setting of this.#settings) {
        job.checkpoint();
        tried += 1;
        const outcome = await this.#searchWith(setting, job).run(addresses, others);
        if (outcome === 'found') return;
        if (outcome === 'heard') {
          this.#hasOtherMaster = true;
          return;
        }
        if (outcome === 'busy') busy += 1;
      }
    }
    this.#hasOtherMaster = busy > 0 && busy === tried;
  }

  /** First every setting until somebody answers in whole frames; then those with which only noise came, for devices that answer at once. */
  async #searchByWildcards(wildcards: WildcardSearch, job: JobRecord): Promise<void> {
    const budget: QuestionBudget = { asked: 0 };
    const noisy: FindSetting[] = [];
    let busy = 0;
    for (const setting of this.#settings) {
      job.checkpoint();
      const outcome = await this.#findWith(setting, wildcards, budget, job).run(false);
      if (outcome === 'found') return;
      if (outcome === 'heard') {
        this.#hasOtherMaster = true;
        return;
      }
      if (outcome === 'busy') busy += 1;
      if (outcome === 'noise') noisy.push(setting);
    }
    this.#hasOtherMaster = busy === this.#settings.length;
    for (const setting of noisy.slice(0, MAX_NOISY_SETTINGS)) {
      job.checkpoint();
      job.total += wildcards.roots.length;
      if ((await this.#findWith(setting, wildcards, budget, job).run(true)) === 'found') return;
    }
  }

  #searchWith(setting: FindSetting, job: JobRecord): LineSearch {
    return new LineSearch({
      ...this.#deps,
      request: this.#request,
      setting,
      job,
      onFound: (device) => this.#add(device, setting),
    });
  }

  #findWith(setting: FindSetting, wildcards: WildcardSearch, budget: QuestionBudget, job: JobRecord): WildcardFind {
    return new WildcardFind({
      ...this.#deps,
      wildcards,
      budget,
      request: this.#request,
      setting,
      job,
      onFound: (device, protocol) => {
        this.#add(device, setting);
        if (protocol) this.#protocols.set(device.slave_id, protocol);
      },
      onIdentity: (slaveId, identity) => {
        const at = this.#found.items.findIndex((device) => device.slave_id === slaveId);
        const device = this.#found.items[at];
        if (device) this.#found.items[at] = { ...device, identity };
      },
      onNote: (code, params) => this.#note(code, params),
    });
  }

  #add(device: NewlyFound, setting: FindSetting): void {
    this.#working = setting;
    const address = addressText(device.slave_id, this.#deps.diagnostics);
    this.#found.push({ ...device, address, line: this.#nameOf(setting), baud_rate: setting.baudRate, format: setting.format });
  }

  #note(code: FindCode, params: MessageParams): void {
    const { text, next } = findSentence(code, params);
    this.#notes.push({ code, params: { ...params }, text, next_step: next });
  }

  #nameOf(setting: FindSetting): string {
    return lineName(this.#request, channelBody(this.#request, setting).port, setting);
  }

  /** The usual points of every device that answered, with its number in their codes. */
  #usualPoints(): NewPoint[] {
    const { diagnostics } = this.#deps;
    return this.#found.items.flatMap(({ slave_id }) => {
      const protocol = this.#protocols.get(slave_id);
      return (protocol ? (diagnostics.usualPoints?.(protocol) ?? []) : []).map(({ code, address }) =>
        NewPoint.parse({
          frame_type: FrameType.yc,
          code: `M${addressText(slave_id, diagnostics)}_${code}`,
          address,
          slave_id,
          protocol,
        }),
      );
    });
  }

  /** Every question that is known now, with nobody there; both passes over every setting where addresses are asked one by one. */
  #predictedMs(job: JobRecord): number {
    const { wildcards } = this.#deps.diagnostics;
    const listening = this.#request.com_port === null ? 0 : this.#request.listen_ms;
    if (wildcards) {
      const question = (setting: FindSetting) => setting.timeoutMs + (WILDCARD_OCTETS + wildcards.answerOctets) * octetMs(setting);
      const longest = Math.max(...this.#settings.map(question));
      const late = this.#settings.reduce((sum, setting) => sum + lateMs(setting), 0);
      return Math.ceil(this.#settings.length * listening + late + job.total * longest);
    }
    const questions = this.#addresses.usual.length + this.#addresses.rest.length;
    return this.#settings.reduce((sum, setting) => sum + 2 * (listening + lateMs(setting)) + questions * questionMs(setting), 0);
  }
}
