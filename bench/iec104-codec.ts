import { decodeAsdu, encodeAsdu, openAsdu } from '../src-main/drivers/iec104/codec/asdu.ts';
import { Cause } from '../src-main/drivers/iec104/codec/causes.ts';
import { ObjectCursor } from '../src-main/drivers/iec104/codec/cursor.ts';
import { makeAsdu } from '../src-main/drivers/iec104/codec/make.ts';
import { STANDARD_SIZES } from '../src-main/drivers/iec104/codec/sizes.ts';
import { TypeId } from '../src-main/drivers/iec104/codec/types.ts';
import { APCI_LENGTH, encodeI } from '../src-main/drivers/iec104/link/apci.ts';
import { ApduFramer } from '../src-main/drivers/iec104/link/framer.ts';
import { Quality } from '../src-main/drivers/iec104/quality.ts';
import { readVectors } from '../src-main/drivers/iec104/testing/captures.ts';
import { type BenchResult, median, ratioAtLeast } from './result.ts';

/** Floats with quality that fill one ASDU (type 13, SQ 1). */
export const FLOATS = 48;
const FRAMES_IN_CHUNK = 64;
const CHUNKS = 200;
const ROUNDS = 9;

/** One I frame with 48 floats with quality; the values differ from frame to frame. */
export function floatFrame(number: number, cause: number = Cause.spontaneous): Uint8Array {
  const objects = Array.from({ length: FLOATS }, (_, index) => ({
    kind: 'float' as const,
    address: 1 + index,
    value: Math.fround(220 + number / 100 + index),
    quality: 0,
    time: null,
  }));
  const asdu = makeAsdu({ typeId: TypeId.M_ME_NC_1, isSequence: true, cause, commonAddress: 1, objects });
  return encodeI(number % 32_768, 0, encodeAsdu(asdu, STANDARD_SIZES));
}

/** Frames of 48 floats in one chunk, as a socket delivers them. */
function floatChunk(): Uint8Array {
  return Buffer.concat(Array.from({ length: FRAMES_IN_CHUNK }, (_, index) => floatFrame(index)));
}

/** What somebody who only decodes would do with an ASDU: look at each value and quality. */
interface Sum {
  values: number;
  total: number;
  invalid: number;
}

/** ASDUs a second of processor time of `take`, the median of several rounds; every round is checked to have seen all values. */
function rate(chunk: Uint8Array, take: (bytes: Uint8Array, sum: Sum) => void): number {
  const rates: number[] = [];
  warmUp(take);
  for (let round = -2; round < ROUNDS; round += 1) {
    const framer = new ApduFramer();
    const sum: Sum = { values: 0, total: 0, invalid: 0 };
    const before = process.threadCpuUsage();
    for (let count = 0; count < CHUNKS; count += 1) {
      for (const item of framer.push(chunk)) if (item.kind === 'frame' && item.format === 'I') take(item.bytes, sum);
    }
    const { user, system } = process.threadCpuUsage(before);
    const seconds = (user + system) / 1e6;
    if (sum.values !== CHUNKS * FRAMES_IN_CHUNK * FLOATS || !(sum.total > 0)) throw new Error(`${sum.values} values were seen.`);
    if (round >= 0) rates.push((CHUNKS * FRAMES_IN_CHUNK) / seconds);
  }
  return median(rates);
}

/** Every golden ASDU once or more: a codec that has only seen one type runs faster than any service ever will. */
function warmUp(take: (bytes: Uint8Array, sum: Sum) => void): void {
  const frames = readVectors().filter((vector) => vector.format === 'I');
  const sum: Sum = { values: 0, total: 0, invalid: 0 };
  for (let round = 0; round < 50; round += 1) for (const { bytes } of frames) take(bytes, sum);
}

function takeObjects(bytes: Uint8Array, sum: Sum): void {
  for (const object of decodeAsdu(bytes, STANDARD_SIZES, APCI_LENGTH).objects) {
    sum.values += 1;
    if ('value' in object) sum.total += object.value;
    if ('quality' in object && (object.quality & Quality.invalid) !== 0) sum.invalid += 1;
  }
}

const cursor = new ObjectCursor();

function takeWalking(bytes: Uint8Array, sum: Sum): void {
  cursor.open(openAsdu(bytes, STANDARD_SIZES, APCI_LENGTH));
  while (cursor.next()) {
    sum.values += 1;
    sum.total += cursor.value;
    if ((cursor.quality & Quality.invalid) !== 0) sum.invalid += 1;
  }
}

/**
 * ASDUs of 48 floats with quality that framer and codec take in a second, each decoded to objects and each value and quality looked at: the
 * comparator of the whole way from socket to table.
 */
export function codecRate(): number {
  return rate(floatChunk(), takeObjects);
}

/** Walking over the objects of an ASDU beside making them. */
export async function run(): Promise<BenchResult[]> {
  const walked = rate(floatChunk(), takeWalking);
  return [ratioAtLeast('iec104: ASDUs of 48 floats walked over, beside decoded to objects', walked, '1/s', codecRate(), 1)];
}
