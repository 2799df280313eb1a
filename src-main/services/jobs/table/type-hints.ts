import { describeDecode, findDecode } from '#shared/domain/decode.ts';
import { say } from '#shared/messages/index.ts';
import type { PointConfig, ProtocolDriver } from '../../../drivers/spi/index.ts';
import type { OctetReading } from '../../../drivers/spi/readings.ts';
import type { TableRecord } from './table-records.ts';

/** Magnitudes that measured values have, in whatever unit, and that whole numbers seldom exceed. */
const LEAST_MAGNITUDE = 1e-6;
const LARGEST_MAGNITUDE = 1e9;
const LARGEST_WHOLE = 2 ** 24;

/** Records that are looked at between two turns of the lines. */
const RECORDS_A_LOOK = 256;

/** A point that answered, with the numbers that its octets may mean; its own type first. */
interface Sample {
  readonly record: TableRecord;
  readonly readings: readonly OctetReading[];
}

/** Supposes another type where values look wrong as the table has them and all of their kind look right as another one. */
export async function hintTypes(
  records: readonly TableRecord[],
  { readingsOf }: Pick<ProtocolDriver, 'readingsOf'>,
  breathe: () => Promise<void>,
): Promise<void> {
  if (!readingsOf) return;
  const kinds = new Map<string, Sample[]>();
  for (const [index, record] of records.entries()) {
    if (index % RECORDS_A_LOOK === 0) await breathe();
    const { point, value } = record;
    if (!value || value.raw.every((octet) => octet === 0)) continue;
    const readings = readingsOf(point, value.raw);
    if (readings.length < 2) continue;
    const kind = kindOf(point);
    const samples = kinds.get(kind);
    if (samples) samples.push({ record, readings });
    else kinds.set(kind, [{ record, readings }]);
  }
  for (const samples of kinds.values()) {
    await breathe();
    hintKind(samples);
  }
}

function kindOf({ slave_id, decode }: PointConfig): string {
  return `${slave_id} ${decode}`;
}

function hintKind(samples: readonly Sample[]): void {
  const [own, ...others] = samples[0]?.readings ?? [];
  const wrong = samples.filter(({ readings }) => !isPlausible(readings[0]));
  if (!own || wrong.length * 2 < samples.length || wrong.length === 0) return;
  const type = findDecode(own.decode)?.type;
  // another order of the same type is the likelier mistake
  const candidates = [...others].sort((a, b) => Number(findDecode(b.decode)?.type === type) - Number(findDecode(a.decode)?.type === type));
  const better = candidates.find(({ decode }) =>
    samples.every(({ readings }) => isPlausible(readings.find((each) => each.decode === decode))),
  );
  if (!better) return;
  for (const { record, readings } of wrong) {
    const instead = readings.find(({ decode }) => decode === better.decode);
    if (!instead) continue;
    record.hint = say('jobs.table_other_type', {
      decode: describeDecode(own.decode),
      shown: shown(readings[0]),
      better: describeDecode(better.decode),
      instead: shown(instead),
    });
  }
}

function isPlausible(reading: OctetReading | undefined): boolean {
  if (!reading) return false;
  const magnitude = Math.abs(Number(reading.value));
  if (!findDecode(reading.decode)?.type.startsWith('float')) return magnitude < LARGEST_WHOLE;
  return magnitude === 0 || (magnitude >= LEAST_MAGNITUDE && magnitude <= LARGEST_MAGNITUDE);
}

function shown(reading: OctetReading | undefined): string {
  const value = reading?.value ?? 0;
  return typeof value === 'bigint' ? String(value) : String(Number(value.toPrecision(6)));
}
