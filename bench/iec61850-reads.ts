import { decodeMms, encodeMms } from '../src-main/drivers/iec61850/mms/codec.ts';
import type { MmsPdu } from '../src-main/drivers/iec61850/mms/pdu.ts';
import { readAnswerSize, readRequestSize } from '../src-main/drivers/iec61850/mms/sizes.ts';
import type { MmsValue } from '../src-main/drivers/iec61850/mms/types.ts';
import { startPeer } from './peers/child.ts';
import type { Cost } from './peers/iec61850-client.ts';
import { measuredValues, PLANT } from './peers/iec61850-plant.ts';
import { type BenchResult, ratioAtLeast, ratioAtMost } from './result.ts';

const PDU_SIZES = [1000, 8192, 65_000];
const MEASURE_MS = 1500;
const ROUNDS = 5;
const WARM_UP = 60;
/** Octets of a measured value with quality and time in an answer (IEC 61850-8-1, 8.1.3). */
const MEASURED_OCTETS = 26;
/** Octets of an item in a request beside its names, as long as each length is below 128. */
const ITEM_OCTETS = 10;
const US = 1_000_000;
/** Of the values that the codec alone does in the same processor time. The codec takes half and less of what it took when the rest was first measured against it. */
const LEAST = { batch: 0.13, single: 0.02 } as const;
/** Values of a loop of the codec, and loops; the first half of them warm up. */
const CODEC_VALUES = 20_000;
const CODEC_ROUNDS = 20;

/** Requests that rounds of our client take, and what its values cost beside each other and beside the codec. */
export async function reads(): Promise<BenchResult[]> {
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
    for (const mode of ['batch', 'single'] as const) {
      const values = `iec61850: values of ${mode} reads, whole stack, beside their questions encoded and answers decoded alone`;
      results.push(ratioAtLeast(values, US / costs[mode], '1/s', US / codecCost(mode), LEAST[mode]));
    }
    return results;
  } finally {
    await Promise.all([server.end(), client.end()]);
  }
}

/** Requests that a question for each measured value and its answer need at least, however they are put together. */
export function leastRequests(maxPduOctets: number, answerOctets: number, itemOf = (item: string) => item): number {
  const values = measuredValues();
  const asked = values.reduce((sum, { domain, item }) => sum + ITEM_OCTETS + domain.length + itemOf(item).length, 0);
  const answered = values.length * answerOctets;
  return Math.max(Math.ceil(asked / (maxPduOctets - readRequestSize(0))), Math.ceil(answered / (maxPduOctets - readAnswerSize(0))));
}

/** Processor time in microseconds that a value takes in the codec alone: its name encoded, its answer decoded, all in one PDU or one a PDU. */
function codecCost(mode: 'batch' | 'single'): number {
  const items = measuredValues().map((value) => ({ name: { scope: 'domain', ...value } as const, access: null }));
  const perPdu = mode === 'batch' ? items.length : 1;
  const answer = encodeMms(answerOf(perPdu));
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < CODEC_ROUNDS; round++) {
    const used = process.cpuUsage();
    let values = 0;
    for (; values < CODEC_VALUES; values += perPdu) {
      const at = values % items.length;
      const request = {
        service: 'read',
        spec: { kind: 'variables', items: items.slice(at, at + perPdu) },
        withSpecification: false,
      } as const;
      encodeMms({ kind: 'request', invokeId: values, request });
      decodeMms(answer);
    }
    const { user, system } = process.cpuUsage(used);
    if (round >= CODEC_ROUNDS / 2) least = Math.min(least, (user + system) / values);
  }
  return least;
}

/** A Read response with so many measured values. */
export function answerOf(count: number): MmsPdu {
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
