import type { MmsClient } from '../src-main/drivers/iec61850/association/mms-client.ts';
import { BoundTable } from '../src-main/drivers/iec61850/bound-table.ts';
import { ChannelMemory } from '../src-main/drivers/iec61850/channel-memory.ts';
import { decodeMms, encodeMms } from '../src-main/drivers/iec61850/mms/codec.ts';
import type { MmsRequest } from '../src-main/drivers/iec61850/mms/pdu.ts';
import { Reports } from '../src-main/drivers/iec61850/reports/reports.ts';
import { SimulatedIed } from '../src-main/drivers/iec61850/server/ied.ts';
import { type AssociationState, answer } from '../src-main/drivers/iec61850/server/services.ts';
import { tableModel } from '../src-main/drivers/iec61850/server/table-model.ts';
import { ReadingBlock } from '../src-main/drivers/spi/reading-block.ts';
import { testPoint } from '../src-main/drivers/testing/points.ts';
import { ManualClock } from '../src-main/platform/manual-clock.ts';
import { type BenchResult, ratioAtLeast } from './result.ts';

/** Of the rate of decoding alone, that taking is to reach. */
const LEAST = 0.3;
const MEMBERS = 100;
const BATCH = 200;
const ROUNDS = 15;
const MOST_OCTETS = 65_000;
const BLOCK = 'LD/LLN0.urcbMeas01[RP]';
const OPTIONS = ['time_stamp', 'reason', 'data_set', 'revision'];

/** Our device and our client of reports, each PDU encoded and decoded, without a line. */
class Pair {
  readonly #points = Array.from({ length: MEMBERS }, (_, at) => testPoint({ id: at + 1, reference: `LD/MMXU1.An${at}.mag.f[MX]` }));
  readonly #clock = new ManualClock();
  readonly #sent: Uint8Array[] = [];
  readonly #ied: SimulatedIed;
  readonly #association: AssociationState;
  readonly #reports: Reports;
  taken = 0;

  constructor() {
    const model = tableModel(this.#points);
    const identity = { vendor: 'bench', model: 'reports', revision: '1' };
    const nothing = () => undefined;
    this.#ied = new SimulatedIed({ model, identity, files: [], accessErrors: new Map(), clock: this.#clock, onWritten: nothing });
    this.#ied.start();
    this.#association = {
      address: 'bench',
      dataSets: this.#ied.dataSets.association(),
      openFiles: new Map(),
      control: { label: 'bench', report: nothing, reportBehind: nothing },
      maxPduOctets: MOST_OCTETS,
      waitingOctets: () => 0,
      report: (report) => void this.#sent.push(encodeMms({ kind: 'information-report', report })),
      end: nothing,
    };
    const memory = new ChannelMemory();
    memory.model.use(model, 'device', 0);
    this.#reports = new Reports({
      client: { request: (request: MmsRequest) => this.#ask(request) } as Pick<MmsClient, 'request'>,
      clock: this.#clock,
      memory,
      timeoutMs: 1000,
      table: new BoundTable({ memory, points: () => this.#points }),
      atStart: [],
      checkMs: 0,
      peer: '127.0.0.1:102',
      lasting: undefined,
      audit: undefined,
      health: { compared: () => undefined },
      mayWrite: () => true,
      sink: {
        values: (readings) => {
          // a block has nothing but values; to walk over it would make the objects that it spares
          if (readings instanceof ReadingBlock) this.taken += readings.length;
          else for (const { kind } of readings) if (kind === 'value') this.taken += 1;
        },
        notice: nothing,
      },
    });
  }

  /** A report of all members, as it travels. */
  async report(): Promise<Uint8Array> {
    const context = { signal: new AbortController().signal, isStopping: () => false, retries: 0 };
    await this.#reports.run('enable_report', { block: BLOCK, option_fields: OPTIONS, interrogate: true }, context);
    await this.#clock.advance(0);
    const [octets] = this.#sent;
    if (!octets) throw new Error('no report came');
    return octets;
  }

  take(octets: Uint8Array): void {
    // as the client does: what is kept of a report is its own
    const pdu = decodeMms(new Uint8Array(octets));
    if (pdu.kind === 'information-report') this.#reports.onReport(pdu.report);
  }

  async #ask(request: MmsRequest): Promise<never> {
    const response = answer(this.#ied, request, this.#association);
    if (response === null || !('service' in response)) throw new Error(`${request.service} was refused`);
    const pdu = decodeMms(encodeMms({ kind: 'response', invokeId: 1, response }));
    return (pdu.kind === 'response' ? pdu.response : null) as never;
  }
}

/** Reports a second that the client takes, beside the decoding of their octets alone; both by processor time. */
export async function reports(): Promise<BenchResult[]> {
  const pair = new Pair();
  const octets = await pair.report();
  const before = pair.taken;
  const [taken, decoded] = rates(
    () => pair.take(octets),
    () => void decodeMms(octets),
  );
  const expected = 2 * ROUNDS * BATCH * MEMBERS;
  if (pair.taken - before !== expected) throw new Error(`${pair.taken - before} values came, not ${expected}`);
  return [ratioAtLeast(`iec61850: reports of ${MEMBERS} members taken, beside MMS decode alone`, taken, '1/s', decoded, LEAST)];
}

/** Runs a second of both by processor time, in turns, the best of many rounds: whatever else the computer does only takes from it. */
function rates(ours: () => void, theirs: () => void): readonly [ours: number, theirs: number] {
  const best: [number, number] = [0, 0];
  for (let round = -ROUNDS; round < ROUNDS; round++) {
    for (const [at, work] of [ours, theirs].entries()) {
      const start = process.cpuUsage();
      for (let count = 0; count < BATCH; count++) work();
      const { user, system } = process.cpuUsage(start);
      if (round >= 0) best[at] = Math.max(best[at] ?? 0, (BATCH * 1_000_000) / (user + system));
    }
  }
  return best;
}
