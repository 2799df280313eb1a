import type { FindBody, FindJob, FoundDevice } from '#shared/contract/jobs.ts';
import type { ProtocolDriver } from '../../../drivers/spi.ts';
import type { DriverDiagnostics } from '../../../drivers/spi-diagnostics.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { TransportFactory } from '../../../transport/types.ts';
import type { JobWork } from '../job-board.ts';
import { BoundedFindings, type JobRecord } from '../job-record.ts';
import { LineSearch } from './line-search.ts';
import { channelBody, type FindSetting, findAddresses, findSettings, lineName, questionMs } from './settings.ts';

/** Devices of one search that are listed; a bus has 247, a gateway 256. */
const MAX_FOUND = 256;

export interface FindDeps {
  readonly clock: Clock;
  readonly transports: TransportFactory;
  readonly driver: ProtocolDriver;
  readonly diagnostics: DriverDiagnostics;
  /** Gives the serial port back. */
  readonly release: () => void;
}

/** The search of a serial line for its settings and slaves, or of a TCP address for unit ids. Only reads are sent. */
export class FindWork implements JobWork<FindJob> {
  readonly #deps: FindDeps;
  readonly #request: FindBody;
  readonly #settings: readonly FindSetting[];
  readonly #addresses: { readonly usual: readonly number[]; readonly rest: readonly number[] };
  readonly #found = new BoundedFindings<FoundDevice>(MAX_FOUND);
  #working: FindSetting | null = null;
  #hasOtherMaster = false;

  constructor(deps: FindDeps, request: FindBody) {
    this.#deps = deps;
    this.#request = request;
    this.#settings = findSettings(request);
    this.#addresses = findAddresses(request, deps.diagnostics);
  }

  async run(job: JobRecord): Promise<void> {
    try {
      job.total = this.#settings.length * (this.#addresses.usual.length + this.#addresses.rest.length);
      await this.#search(job);
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
      predicted_ms: this.#predictedMs(),
      findings: [...this.#found.items],
      channel: working && channelBody(this.#request, working),
      other_master: this.#hasOtherMaster,
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

  #searchWith(setting: FindSetting, job: JobRecord): LineSearch {
    return new LineSearch({
      ...this.#deps,
      request: this.#request,
      setting,
      job,
      onFound: (device) => {
        this.#working = setting;
        this.#found.push({ ...device, line: this.#nameOf(setting), baud_rate: setting.baudRate, format: setting.format });
      },
    });
  }

  #nameOf(setting: FindSetting): string {
    return lineName(this.#request, channelBody(this.#request, setting).port, setting);
  }

  /** Both passes over every setting with nobody there. */
  #predictedMs(): number {
    const questions = this.#addresses.usual.length + this.#addresses.rest.length;
    const listening = this.#request.com_port === null ? 0 : 2 * this.#request.listen_ms;
    return this.#settings.reduce((sum, setting) => sum + listening + questions * questionMs(setting), 0);
  }
}
