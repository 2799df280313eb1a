import { Learner } from '../src-main/drivers/iec61850/learn.ts';
import { decodeMms, encodeMms } from '../src-main/drivers/iec61850/mms/codec.ts';
import type { MmsPdu, MmsRequest } from '../src-main/drivers/iec61850/mms/pdu.ts';
import { readAnswerSize, readRequestSize } from '../src-main/drivers/iec61850/mms/sizes.ts';
import type { MmsValue } from '../src-main/drivers/iec61850/mms/types.ts';
import { DeviceModel } from '../src-main/drivers/iec61850/model/device-model.ts';
import { readSclDevice } from '../src-main/drivers/iec61850/model/scl/device.ts';
import { openScl } from '../src-main/drivers/iec61850/model/scl/file.ts';
import { TypePool } from '../src-main/drivers/iec61850/model/types.ts';
import { SimulatedIed } from '../src-main/drivers/iec61850/server/ied.ts';
import { answer } from '../src-main/drivers/iec61850/server/services.ts';
import { ManualClock } from '../src-main/platform/manual-clock.ts';
import { startPeer } from './peers/child.ts';
import type { Cost } from './peers/iec61850-client.ts';
import { measuredValues, PLANT, plantFile } from './peers/iec61850-plant.ts';
import { type BenchResult, ratioAtLeast, ratioAtMost, valueAtMost } from './result.ts';

const LEARN_PDU = 8192;
const PDU_SIZES = [1000, 8192, 65_000];
const MEASURE_MS = 1500;
const ROUNDS = 5;
const WARM_UP = 60;
/** Octets of a measured value with quality and time in an answer (IEC 61850-8-1, 8.1.3). */
const MEASURED_OCTETS = 26;
/** Octets of unit and multiplier. */
const UNIT_OCTETS = 8;
/** Octets of an item in a request beside its names, as long as each length is below 128. */
const ITEM_OCTETS = 10;
const MODEL_BYTES = 3_200_000;

const CODEC_VALUES = 1000;
const CODEC_ROUNDS = 60;
const REPEATS = 10;

/** What learning asks, what a model takes, what rounds ask and cost, and how quick the codec is. */
export async function run(): Promise<BenchResult[]> {
  return [...(await learning()), ...(await rounds()), ...codec()];
}

/** The simulated device as the other end of a client, each PDU encoded and decoded; counts what is asked. */
class LocalClient {
  readonly negotiated = { maxPduOctets: LEARN_PDU, window: 5, nesting: 10, tpduSize: 8192, supports: () => true };
  readonly counts = new Map<string, number>();
  readonly #ied: SimulatedIed;
  readonly #state: Parameters<typeof answer>[2];

  constructor(ied: SimulatedIed) {
    this.#ied = ied;
    const client = { label: 'bench', report: () => undefined, reportBehind: () => undefined };
    this.#state = { dataSets: ied.dataSets.association(), openFiles: new Map(), client, maxPduOctets: LEARN_PDU };
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
  const before = await settledBytes();
  const client = new LocalClient(ied);
  const known = new DeviceModel();
  const pool = new TypePool();
  const learner = new Learner({ client, pool, timeoutMs: 1000, signal: new AbortController().signal, onProgress: () => undefined });
  const learnt = await learner.learn(await learner.domains());
  await learner.identity();
  const requests = client.all;
  const configuration = await learner.configuration(learnt.model.devices);
  known.use({ ...learnt.model, configuration }, 'device', 0);
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

async function rounds(): Promise<BenchResult[]> {
  const server = startPeer('iec61850-server.ts');
  const client = startPeer('iec61850-client.ts');
  const results: BenchResult[] = [];
  try {
    const { port } = await server.ask<{ port: number }>({});
    for (const maxPduOctets of PDU_SIZES) {
      await client.ask({ kind: 'connect', port, maxPduOctets });
      const { requests } = await client.ask<{ requests: number }>({ kind: 'round' });
      const name = `iec61850: requests of a batch round of ${PLANT.points} points, PDUs of ${maxPduOctets} octets, beside the least`;
      results.push(ratioAtMost(name, requests, '', leastRequests(maxPduOctets, MEASURED_OCTETS), 1.1));
    }
    for (let round = 0; round < WARM_UP; round++) await client.ask({ kind: 'round' });
    // the least of several: whatever else the computer does only adds to it
    const costs = { batch: Number.POSITIVE_INFINITY, single: Number.POSITIVE_INFINITY };
    for (let round = 0; round < ROUNDS; round++) {
      for (const mode of ['batch', 'single'] as const) {
        const { cpuUs, points } = await client.ask<Cost>({ kind: 'read', mode, ms: MEASURE_MS });
        costs[mode] = Math.min(costs[mode], cpuUs / points);
      }
    }
    const name = 'iec61850: CPU an attribute in a batch round, whole stack, beside single reads';
    results.push(ratioAtMost(name, costs.batch, 'us', costs.single, 0.2));
    return results;
  } finally {
    await Promise.all([server.end(), client.end()]);
  }
}

/** Requests that a question for each measured value and its answer need at least, however they are put together. */
function leastRequests(maxPduOctets: number, answerOctets: number, itemOf = (item: string) => item): number {
  const values = measuredValues();
  const asked = values.reduce((sum, { domain, item }) => sum + ITEM_OCTETS + domain.length + itemOf(item).length, 0);
  const answered = values.length * answerOctets;
  return Math.max(Math.ceil(asked / (maxPduOctets - readRequestSize(0))), Math.ceil(answered / (maxPduOctets - readAnswerSize(0))));
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

/** A Read response with so many measured values. */
function answerOf(count: number): MmsPdu {
  const time = Uint8Array.from([0x65, 0xe1, 0xcb, 0x70, 0xc9, 0xfb, 0xe7, 0x8a]);
  const results = Array.from(
    { length: count },
    (_, at): MmsValue => ({
      kind: 'structure',
      items: [
        { kind: 'structure', items: [{ kind: 'float', value: at + 0.5, width: 32 }] },
        { kind: 'bit-string', size: 13, octets: new Uint8Array(2) },
        { kind: 'utc-time', octets: time },
      ],
    }),
  );
  return { kind: 'response', invokeId: 7, response: { service: 'read', spec: null, results } };
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

/** Octets in use after everything unused was collected. */
async function settledBytes(): Promise<number> {
  if (!globalThis.gc) throw new Error('memory can be measured only with node --expose-gc');
  for (let turn = 0; turn < 6; turn++) {
    globalThis.gc();
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
