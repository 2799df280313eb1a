import { Cause } from '../src-main/drivers/iec104/codec/causes.ts';
import { codecRate, FLOATS, floatFrame } from './iec104-codec.ts';
import { type Peer, startPeer } from './peers/child.ts';
import { EventSender } from './peers/event-sender.ts';
import type { ClientState } from './peers/iec104-client.ts';
import { type BenchResult, median, ratioAtLeast, valueAtMost } from './result.ts';

const WARM_UP = 12_000;
const FRAMES_A_ROUND = 8000;
const ROUNDS = 7;
const MEMORY_EVENTS = 5_000_000;
const MEMORY_STEPS = 5;
/** Place of the first float in a frame: APCI, header, one object address. */
const FIRST_FLOAT = 6 + 6 + 3;
const FLOAT_OCTETS = 5;

/** Value of an object in a frame: exact in a single, so that it can be compared. */
const sampleOf = (number: number, index: number) => (number % 1_000_000) + index;

function patch(frame: Uint8Array, number: number): void {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.length);
  for (let index = 0; index < FLOATS; index++) view.setFloat32(FIRST_FLOAT + index * FLOAT_OCTETS, sampleOf(number, index), true);
}

/** A kind of data, whether each change is an event as well, and the least part of the rate of the codec alone that its intake has to reach. */
interface Stream {
  readonly name: string;
  readonly cause: number;
  readonly isEvent: boolean;
  readonly limit: number;
}

const SPONTANEOUS: Stream = { name: 'spontaneous', cause: Cause.spontaneous, isEvent: true, limit: 0.33 };
const CYCLIC: Stream = { name: 'cyclic', cause: Cause.periodic, isEvent: false, limit: 0.39 };

/** Sends frames and waits until each of their values has come where it belongs: the last ones into the table, each of an event into the log. */
async function exchange(sender: EventSender, client: Peer, { isEvent }: Stream, count: number): Promise<ClientState> {
  sender.send(count);
  const last = sender.wanted - 1;
  const state = await client.ask<ClientState>({ kind: 'await', value: sampleOf(last, FLOATS - 1) });
  const events = isEvent ? sender.wanted * FLOATS : 0;
  const isWhole = state.events === events && state.values.every((value, index) => value === sampleOf(last, index));
  if (!isWhole) throw new Error(`${state.events} of ${events} events arrived, or the table has other values`);
  return state;
}

/**
 * ASDUs of 48 floats a second that reach the table, by processor time, against what framer and codec alone take; and the memory an event leaves behind.
 * A client built on lib60870 (-O2) that only reads the values reaches 0.49 to 0.55 of the codec alone: at 0.33 the whole stack takes at most 1/0.6 of its processor time, and less than 0.39 of
 * cyclic values would be a step back.
 */
export async function run(): Promise<BenchResult[]> {
  return [...(await intake(CYCLIC)), ...(await intake(SPONTANEOUS))];
}

async function intake(stream: Stream): Promise<BenchResult[]> {
  const sender = await EventSender.open(floatFrame(0, stream.cause), patch);
  const client = startPeer('iec104-client.ts');
  try {
    await client.ask({ kind: 'connect', port: sender.port, objects: FLOATS });
    let before = await exchange(sender, client, stream, WARM_UP);
    const rates: number[] = [];
    const baselines: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const state = await exchange(sender, client, stream, FRAMES_A_ROUND);
      rates.push(FRAMES_A_ROUND / ((state.cpuUs - before.cpuUs) / 1e6));
      before = state;
      // in turns, so that a busy machine slows both down
      baselines.push(codecRate());
    }
    const name = `iec104: ASDUs of 48 ${stream.name} floats from socket to table, beside framer and codec alone`;
    const rate = ratioAtLeast(name, median(rates), '1/s', median(baselines), stream.limit);
    if (!stream.isEvent) return [rate];
    const slope = await memorySlope(sender, client, stream);
    return [rate, valueAtMost('iec104: memory an event leaves behind, over 5 million events', slope, 'bytes', 1)];
  } finally {
    await client.end();
    sender.end();
  }
}

/** Slope of the memory in use over the number of events, by least squares. */
async function memorySlope(sender: EventSender, client: Peer, stream: Stream): Promise<number> {
  const frames = Math.ceil(MEMORY_EVENTS / MEMORY_STEPS / FLOATS);
  const points: { readonly events: number; readonly bytes: number }[] = [];
  for (let step = 0; step <= MEMORY_STEPS; step++) {
    if (step > 0) await exchange(sender, client, stream, frames);
    const { bytes } = await client.ask<{ bytes: number }>({ kind: 'memory' });
    points.push({ events: step * frames * FLOATS, bytes });
  }
  const mean = (of: (point: (typeof points)[number]) => number) => points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [events, bytes] = [mean((point) => point.events), mean((point) => point.bytes)];
  const covariance = mean((point) => (point.events - events) * (point.bytes - bytes));
  return covariance / mean((point) => (point.events - events) ** 2);
}
