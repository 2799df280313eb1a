/** What comes of the answer to a batch: values, and reads of the scale registers that some of them wait for. */
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { PointReading, ReadAnswer, ReadBatch } from '../../spi/index.ts';
import { OctetReadings } from '../../spi/octet-readings.ts';
import { KindDecoder } from '../registers/kind-decoder.ts';
import { type BatchItem, limitOf, type ModbusBatch } from './planner.ts';
import { isWithin, scaleReads } from './planner-scales.ts';

/** What a read asks for. */
export type ReadRange = Pick<ModbusBatch, 'slaveId' | 'functionCode' | 'start' | 'quantity'>;

/** A value that waits for its scale. */
interface Unscaled {
  readonly item: BatchItem;
  readonly octets: Uint8Array;
}

/** The read of the scale registers of values that came without them. */
export class ScaleBatch implements ReadBatch, ReadRange {
  readonly slaveId: number;
  readonly functionCode: ModbusBatch['functionCode'];
  readonly start: number;
  readonly quantity: number;
  readonly pointIds: readonly number[];
  readonly #values: readonly Unscaled[];

  constructor(
    { slaveId, functionCode }: ModbusBatch,
    { start, end }: { readonly start: number; readonly end: number },
    values: readonly Unscaled[],
  ) {
    this.slaveId = slaveId;
    this.functionCode = functionCode;
    this.start = start;
    this.quantity = end - start;
    this.#values = values;
    this.pointIds = values.map(({ item }) => item.pointId);
  }

  readings(data: Uint8Array): PointReading[] {
    return this.#values.map(({ item, octets }) => {
      const at = 2 * ((item.scale ?? 0) - this.start);
      return scaledReading(item, octets, data.subarray(at, at + 2));
    });
  }
}

/** The reading of a point whose octets and scale register are given. */
export function scaledReading(
  { point, decoder }: Pick<BatchItem, 'point' | 'decoder'>,
  octets: Uint8Array,
  scale: Uint8Array,
): PointReading {
  if (decoder instanceof KindDecoder) return decoder.valueScaled(octets, 0, scale);
  throw new AppError('INTERNAL', say('modbus.not_served', { point: point.code }));
}

/** The scale registers that are read behind a batch. */
export function scalesBehind(batch: ModbusBatch) {
  const request = { start: batch.start, end: batch.start + batch.quantity };
  return scaleReads(batch.items, request, limitOf(batch, {}));
}

/** What came of a batch, and the reads of scale registers that it needs. */
export function answerOf(batch: ModbusBatch, data: Uint8Array): ReadAnswer {
  const reads = scalesBehind(batch);
  if (reads.length === 0) return new ValuesAnswer(batch, data);
  const request = { start: batch.start, end: batch.start + batch.quantity };
  const isComplete = ({ scale }: BatchItem) => scale === null || isWithin(scale, request);
  const whole = batch.items.filter(isComplete);
  const { readings } = new ValuesAnswer({ ...batch, items: whole, pointIds: whole.map(({ pointId }) => pointId) }, data);
  const next = reads.map((read) => {
    const waiting = batch.items.filter((item) => !isComplete(item) && isWithin(item.scale ?? -1, read));
    return new ScaleBatch(
      batch,
      read,
      waiting.map((item) => ({ item, octets: data.slice(2 * item.offset, 2 * (item.offset + item.length)) })),
    );
  });
  return { readings, next };
}

/** The values of a batch; readings are made for those who ask for them. */
class ValuesAnswer implements ReadAnswer {
  readonly octets: OctetReadings;

  constructor({ functionCode, quantity, pointIds, items }: ModbusBatch, data: Uint8Array) {
    const isBits = functionCode <= 2;
    this.octets = new OctetReadings(pointIds, items, isBits ? unpackBits(data, quantity) : data, isBits ? 1 : 2);
  }

  get readings(): PointReading[] {
    return [...this.octets];
  }

  get next(): readonly ReadBatch[] {
    return NO_BATCHES;
  }
}

const NO_BATCHES: readonly ReadBatch[] = [];

/** One octet (0 or 1) a coil, out of eight coils an octet, the first in the lowest bit (V1.1b3, 6.1). */
export function unpackBits(octets: Uint8Array, quantity: number): Uint8Array {
  const bits = new Uint8Array(quantity);
  for (let at = 0; at < quantity; at++) bits[at] = ((octets[at >> 3] ?? 0) >> (at & 7)) & 1;
  return bits;
}
