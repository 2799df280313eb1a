import { findDecode } from '#shared/domain/decode.ts';
import { describeRegisters, kindOf } from '#shared/domain/registers.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
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
  const groups = new Map<string, Sample[]>();
  for (const [index, record] of records.entries()) {
    if (index % RECORDS_A_LOOK === 0) await breathe();
    const { point, value } = record;
    if (!value || value.raw.every((octet) => octet === 0)) continue;
    const readings = readingsOf(point, value.raw);
    if (readings.length < 2) continue;
    const group = groupOf(point);
    const samples = groups.get(group);
    if (samples) samples.push({ record, readings });
    else groups.set(group, [{ record, readings }]);
  }
  for (const samples of groups.values()) {
    await breathe();
    hintGroup(samples);
  }
}

/** Points of a slave whose registers are read alike. */
function groupOf(point: PointConfig): string {
  return `${point.slave_id} ${meaningOf(point, { decode: point.decode })}`;
}

/** The same for readings that make the same of registers. */
function meaningOf({ protocol: own }: PointConfig, { decode, protocol = own }: Pick<OctetReading, 'decode' | 'protocol'>): string {
  return `${decode} ${describeRegisters({ decode, protocol })}`;
}

function hintGroup(samples: readonly Sample[]): void {
  const [first] = samples;
  const [own, ...others] = first?.readings ?? [];
  const wrong = samples.filter(({ readings }) => !isPlausible(readings[0]));
  if (!first || !own || wrong.length * 2 < samples.length || wrong.length === 0) return;
  const { point } = first.record;
  const type = typeOf(own, point);
  // another order of the same type is the likelier mistake
  const candidates = [...others].sort((a, b) => Number(typeOf(b, point) === type) - Number(typeOf(a, point) === type));
  const readingAs = ({ record, readings }: Sample, meaning: string) => readings.find((each) => meaningOf(record.point, each) === meaning);
  const better = candidates.find((candidate) => samples.every((sample) => isPlausible(readingAs(sample, meaningOf(point, candidate)))));
  if (!better) return;
  for (const sample of wrong) {
    const instead = readingAs(sample, meaningOf(point, better));
    if (!instead) continue;
    sample.record.hint = say('jobs.table_other_type', {
      decode: registersAs(own, point),
      shown: shown(sample.readings[0]),
      better: registersAs(better, point),
      instead: shown(instead),
    });
  }
}

/** What registers are read as, as tables show it. */
function registersAs({ decode, protocol }: OctetReading, point: PointConfig): string {
  return describeRegisters({ decode, protocol: protocol ?? point.protocol });
}

/** The kind of a reading, or the type of its number. */
function typeOf({ decode, protocol }: OctetReading, point: PointConfig): string | undefined {
  return kindOf({ protocol: protocol ?? point.protocol }) ?? findDecode(decode)?.type;
}

function isPlausible(reading: OctetReading | undefined): boolean {
  if (!reading) return false;
  // words are told only where they can be read, moments where they are of our time
  if (reading.text !== undefined) return true;
  if (reading.value === null) return false;
  const magnitude = Math.abs(Number(reading.value));
  if (!findDecode(reading.decode)?.type.startsWith('float')) return magnitude < LARGEST_WHOLE;
  return magnitude === 0 || (magnitude >= LEAST_MAGNITUDE && magnitude <= LARGEST_MAGNITUDE);
}

function shown(reading: OctetReading | undefined): string | Message {
  if (reading?.text !== undefined) return reading.text;
  if (!reading || reading.value === null) return say('jobs.table_no_number');
  const { value } = reading;
  return typeof value === 'bigint' || Number.isSafeInteger(value) ? String(value) : String(Number(value.toPrecision(6)));
}
