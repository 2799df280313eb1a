import { Learner } from '../src-main/drivers/iec61850/learn.ts';
import { decodeMms, encodeMms } from '../src-main/drivers/iec61850/mms/codec.ts';
import type { MmsRequest } from '../src-main/drivers/iec61850/mms/pdu.ts';
import { DeviceModel } from '../src-main/drivers/iec61850/model/device-model.ts';
import type { IedModel } from '../src-main/drivers/iec61850/model/ied-model.ts';
import { readSclDevice } from '../src-main/drivers/iec61850/model/scl/device.ts';
import { openScl } from '../src-main/drivers/iec61850/model/scl/file.ts';
import { TypePool } from '../src-main/drivers/iec61850/model/types.ts';
import { SimulatedIed } from '../src-main/drivers/iec61850/server/ied.ts';
import { answer } from '../src-main/drivers/iec61850/server/services.ts';
import { ManualClock } from '../src-main/platform/manual-clock.ts';
import { answerOf, leastRequests, reads } from './iec61850-reads.ts';
import { reports } from './iec61850-reports.ts';
import { settledBytes } from './memory.ts';
import { PLANT, plantFile } from './peers/iec61850-plant.ts';
import { type BenchResult, ratioAtLeast, ratioAtMost, valueAtMost } from './result.ts';

const LEARN_PDU = 8192;
/** Octets of unit and multiplier. */
const UNIT_OCTETS = 8;
const MODEL_BYTES = 1_600_000;

const CODEC_VALUES = 1000;
const CODEC_ROUNDS = 60;
const REPEATS = 10;

/** What learning asks, what a model takes, what rounds ask and cost, how quick the codec is, and what reports cost. */
export async function run(): Promise<BenchResult[]> {
  return [...(await learning()), ...(await reads()), ...codec(), ...(await reports())];
}

/** The simulated device as the other end of a client, each PDU encoded and decoded; counts what is asked. */
class LocalClient {
  readonly negotiated = { maxPduOctets: LEARN_PDU, window: 5, nesting: 10, tpduSize: 8192, supports: () => true };
  readonly counts = new Map<string, number>();
  readonly #ied: SimulatedIed;
  readonly #state: Parameters<typeof answer>[2];

  constructor(ied: SimulatedIed) {
    this.#ied = ied;
    const control = { label: 'bench', report: () => undefined, reportBehind: () => undefined };
    this.#state = {
      address: 'bench',
      dataSets: ied.dataSets.association(),
      openFiles: new Map(),
      control,
      maxPduOctets: LEARN_PDU,
      waitingOctets: () => 0,
      report: () => undefined,
      end: () => undefined,
    };
  }

  count(service: MmsRequest['service']): number {
    return this.counts.get(service) ?? 0;
  }

  get all(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  async request(request: MmsRequest): Promise<never> {
    this.counts.set(request.service, this.count(request.service) + 1);
    const response = answer(this.#ied, request, this.#state);
    if (response === null || !('service' in response)) throw new Error(`${request.service} was refused`);
    const octets = encodeMms({ kind: 'response', invokeId: 1, response });
    if (octets.length > LEARN_PDU) throw new Error(`the answer to ${request.service} has ${octets.length} octets`);
    const pdu = decodeMms(octets);
    // what the learner asked for is what the codec gives back
    return (pdu.kind === 'response' ? pdu.response : null) as never;
  }
}

async function learning(): Promise<BenchResult[]> {
  const { model } = readSclDevice(openScl('plant.cid', plantFile()), '');
  const identity = { vendor: 'bench', model: 'plant', revision: '1' };
  const ied = new SimulatedIed({
    model,
    identity,
    files: [],
    accessErrors: new Map(),
    clock: new ManualClock(0),
    onWritten: () => undefined,
  });
  // what the simulated device makes for its first answers is not the model's
  await learnFrom(new LocalClient(ied));
  const before = await settledBytes();
  const client = new LocalClient(ied);
  const known = new DeviceModel();
  const { model: learnt, requests } = await learnFrom(client);
  known.use(learnt, 'device', 0);
  const bytes = (await settledBytes()) - before;
  const { attributes, dataSets, logicalNodes } = known.status.counts;
  if (attributes < 10_000 || dataSets !== PLANT.dataSets || logicalNodes !== PLANT.logicalNodes) {
    throw new Error(`${attributes} attributes, ${dataSets} data sets and ${logicalNodes} nodes were learnt`);
  }
  const directories = client.count('get-named-variable-list-attributes');
  const bound = PLANT.domains + PLANT.logicalNodes + client.count('get-name-list');
  const units = leastRequests(LEARN_PDU, UNIT_OCTETS, (item) => `${item.replace('$MX$', '$CF$')}$units`);
  return [
    ratioAtMost('iec61850: requests that learn a model, beside domains, nodes and pages of names', requests - directories, '', bound, 1),
    ratioAtMost('iec61850: directories that learning asks for, beside data sets', directories, '', PLANT.dataSets, 1),
    ratioAtMost('iec61850: requests that read the units behind it, beside the least', client.all - requests, '', units, 1.1),
    valueAtMost(
      `iec61850: memory of a learnt model of ${attributes} attributes with units, no two nodes alike`,
      bytes,
      'bytes',
      MODEL_BYTES,
    ),
  ];
}

/** What a device tells of itself, and how many requests its names and types take. */
async function learnFrom(client: LocalClient): Promise<{ readonly model: IedModel; readonly requests: number }> {
  const signal = new AbortController().signal;
  const learner = new Learner({ client, pool: new TypePool(), timeoutMs: 1000, signal, onProgress: () => undefined });
  const { model } = await learner.learn(await learner.domains());
  await learner.identity();
  const requests = client.all;
  return { model: { ...model, configuration: await learner.configuration(model.devices) }, requests };
}

/** Measured values a second through the codec, beside the same values as JSON through the parser of the engine. */
function codec(): BenchResult[] {
  const pdu = answerOf(CODEC_VALUES);
  const octets = encodeMms(pdu);
  const objects = Array.from({ length: CODEC_VALUES }, (_, at) => ({ mag: { f: at + 0.5 }, q: [0, 0], t: `65e1cb70c9fbe7${at % 90}` }));
  const json = JSON.stringify({ invokeId: 7, results: objects });
  const [decoded, parsed] = rates(
    () => decodeMms(octets),
    () => JSON.parse(json),
  );
  const [encoded, written] = rates(
    () => encodeMms(pdu),
    () => JSON.stringify(objects),
  );
  return [
    ratioAtLeast('iec61850: measured values decoded, beside the same as JSON parsed', decoded, '1/s', parsed, 0.5),
    ratioAtLeast('iec61850: measured values encoded, beside the same as JSON written', encoded, '1/s', written, 0.5),
  ];
}

/** Values a second of both, in turns, the best of many rounds: whatever else the computer does only takes from it. */
function rates(ours: () => unknown, theirs: () => unknown): readonly [ours: number, theirs: number] {
  const best: [number, number] = [0, 0];
  for (let round = -CODEC_ROUNDS; round < CODEC_ROUNDS; round++) {
    for (const [at, work] of [ours, theirs].entries()) {
      const start = performance.now();
      for (let count = 0; count < REPEATS; count++) work();
      const seconds = (performance.now() - start) / 1000;
      if (round >= 0) best[at] = Math.max(best[at] ?? 0, (REPEATS * CODEC_VALUES) / seconds);
    }
  }
  return best;
}
