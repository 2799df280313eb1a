import type { ScanBody, ScanJob } from '#shared/contract/jobs.ts';
import { AppError, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { ScanAnswer, ScanBlock, ScanFunction } from '../../../drivers/spi/diagnostics.ts';
import type { DriverConnection, ExchangeContext } from '../../../drivers/spi/index.ts';
import type { JobWork } from '../job-board.ts';
import { BoundedFindings, type JobRecord } from '../job-record.ts';
import { ScanRanges } from './scan-ranges.ts';
import { ScanValues } from './scan-values.ts';

/** Ranges of one outcome that are listed. */
const MAX_RANGES = 2000;
/** Blocks in a row without an answer after which the slave is taken to be gone. */
const MAX_SILENT = 5;

export interface ScanDeps {
  readonly functions: readonly ScanFunction[];
  /** Runs one exchange under the lock of the device. */
  readonly ask: <T>(exchange: (connection: DriverConnection, context: ExchangeContext) => Promise<T>, signal: AbortSignal) => Promise<T>;
}

/** The scan of the registers of one slave: by blocks, halved where they are refused. */
export class ScanWork implements JobWork<ScanJob> {
  readonly request: ScanBody;
  /** Everything that was read. */
  readonly values: ScanValues;
  readonly #deps: ScanDeps;
  readonly #ranges = new ScanRanges(new BoundedFindings(MAX_RANGES));
  #requests = 0;
  #silentInARow = 0;

  /** `request` names functions that `deps.functions` has. */
  constructor(deps: ScanDeps, request: ScanBody) {
    this.#deps = deps;
    this.request = request;
    const names = new Set(request.func_codes);
    this.values = new ScanValues(deps.functions.filter((item) => names.has(item.code)));
  }

  async run(job: JobRecord): Promise<void> {
    job.total = this.values.functions.length * this.request.quantity;
    for (const scanned of this.values.functions) await this.#scanFunction(scanned, job);
  }

  snapshot(job: JobRecord): ScanJob {
    const { slave_id, start, quantity } = this.request;
    return {
      ...job.facts(this.#ranges.dropped),
      kind: 'scan',
      slave_id,
      func_codes: this.values.functions.map((item) => item.code),
      start,
      quantity,
      found: this.values.size,
      requests: this.#requests,
      findings: this.#ranges.list(),
    };
  }

  async #scanFunction(scanned: ScanFunction, job: JobRecord): Promise<void> {
    const { start, quantity, block } = this.request;
    const size = Math.min(block ?? scanned.largestBlock, scanned.largestBlock);
    const before = job.current;
    for (let at = start; at < start + quantity; at += size) {
      const first: ScanBlock = { functionCode: scanned.code, start: at, quantity: Math.min(size, start + quantity - at) };
      if (await this.#scanBlock(first, job)) continue;
      const left = start + quantity - at;
      this.#ranges.add({ functionCode: scanned.code, start: at, quantity: left }, 'refused', say('jobs.no_function'));
      job.current = before + quantity;
      return;
    }
  }

  /** Reads a block with its halves, from the lowest address on. False when the device has nothing under this function. */
  async #scanBlock(first: ScanBlock, job: JobRecord): Promise<boolean> {
    const waiting = [first];
    for (let block = waiting.pop(); block; block = waiting.pop()) {
      job.checkpoint();
      job.activity = say('jobs.scanning', { function: block.functionCode, first: block.start, last: block.start + block.quantity - 1 });
      const answer = await this.#ask(block, job);
      if (answer?.kind === 'refused') {
        if (answer.isWhole) return false;
        if (answer.isDivisible && block.quantity > Math.max(1, this.request.smallest_block)) {
          waiting.push(...halves(block));
          continue;
        }
      }
      this.#take(block, answer);
      job.current += block.quantity;
    }
    return true;
  }

  #take(block: ScanBlock, answer: ScanAnswer | null): void {
    if (!answer) this.#ranges.add(block, 'silent');
    else if (answer.kind === 'refused') this.#ranges.add(block, 'refused', answer.detail);
    else {
      this.values.put(block, answer.values);
      this.#ranges.add(block, 'values');
    }
  }

  /** The answer; null when none came in time. Throws when the line is gone, or the slave does not answer at all any more. */
  async #ask(block: ScanBlock, job: JobRecord): Promise<ScanAnswer | null> {
    this.#requests += 1;
    try {
      const answer = await this.#deps.ask((connection, context) => {
        if (!connection.diagnostics) throw new AppError('CONFIG_INVALID', say('jobs.no_scan'));
        return connection.diagnostics.scan(this.request.slave_id, block, context);
      }, job.signal);
      this.#silentInARow = 0;
      return answer;
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.code !== 'TIMEOUT_RESPONSE' && !error.code.startsWith('FRAME_')) throw error;
      this.#silentInARow += 1;
      if (this.#silentInARow < MAX_SILENT) return null;
      throw new AppError(error.code, say('jobs.scan_silent', { slave: this.request.slave_id, count: MAX_SILENT, reason: error.said }));
    }
  }
}

/** Both halves, the lower one last, so that it is taken first. */
function halves({ functionCode, start, quantity }: ScanBlock): ScanBlock[] {
  const low = quantity >> 1;
  return [
    { functionCode, start: start + low, quantity: quantity - low },
    { functionCode, start, quantity: low },
  ];
}
