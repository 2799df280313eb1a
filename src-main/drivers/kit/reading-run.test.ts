import { expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { PointReading, PointValue } from '../spi/index.ts';
import { BLOCK_CAPACITY } from '../spi/reading-block.ts';
import { ReadingRun, type RunKind } from './reading-run.ts';

const reading = (pointId: number, more: Partial<PointValue> = {}): PointValue => ({
  kind: 'value',
  pointId,
  value: pointId / 2,
  form: undefined,
  valueText: '',
  raw: Uint8Array.of(1, 2, 3, 4, 5, 6, pointId & 0xff),
  quality: 'good',
  flags: [],
  sourceTime: null,
  detail: undefined,
  ...more,
});
const failed: PointReading = { kind: 'failure', pointId: 9, error: new AppError('DEVICE_REJECTED', say('iec61850.nothing_read')) };

/** What came out, batch by batch; a block is another one when the call is over. */
function bench() {
  const batches: [kind: RunKind, readings: PointReading[]][] = [];
  const run = new ReadingRun({ values: (readings, kind) => void batches.push([kind, [...readings]]) });
  /** As a driver with one room for the octets of all values. */
  const add = (value: PointValue, kind: RunKind) => {
    const room = new Uint8Array(64).fill(0xee);
    room.set(value.raw);
    run.add({ ...value, raw: room }, value.raw.length, kind);
    room.fill(0xdd);
  };
  return { run, add, batches };
}

it('passes on what it was given in the order of arrival, in as few batches as can be', () => {
  const { run, add, batches } = bench();
  const detail = { timeAccuracy: 10 };
  const first = [reading(1), reading(2, { form: 'state', quality: 'invalid', flags: ['IV', 'test'], sourceTime: 1_770_000_000_000 })];
  const second = [reading(3, { detail }), reading(4, { detail })];
  for (const each of [...first, ...second]) add(each, true);
  run.push(failed, true);
  add(reading(5), false);
  run.flush();
  run.flush();
  expect(batches).toEqual([
    [true, first],
    [true, second],
    [true, [failed]],
    [false, [reading(5)]],
  ]);
});

it.each<[string, Partial<PointValue>]>([
  ['a word', { valueText: 'open' }],
  ['no number', { value: null }],
  ['a number that is not exact as one', { value: 2n ** 60n }],
  ['more octets than a block has room for', { raw: new Uint8Array(9).fill(7) }],
  ['an engineering value', { form: 'written' }],
  ['a power of ten', { exponent: 3 }],
  ['words behind the number', { textBehind: ' at noon' }],
  ['why it is invalid', { quality: 'invalid', remark: say('iec61850.nothing_read') }],
])('%s goes on as it is, with octets of its own', (_, more) => {
  const { run, add, batches } = bench();
  const odd = reading(2, more);
  for (const each of [reading(1), odd, reading(3)]) add(each, false);
  run.flush();
  expect(batches.flatMap(([, readings]) => readings)).toEqual([reading(1), odd, reading(3)]);
  expect(batches).toHaveLength(3);
});

it('more than a block holds are several blocks', () => {
  const { run, add, batches } = bench();
  const all = Array.from({ length: 2 * BLOCK_CAPACITY + 1 }, (_, at) => reading(at));
  for (const each of all) add(each, true);
  run.flush();
  expect(batches.map(([, readings]) => readings.length)).toEqual([BLOCK_CAPACITY, BLOCK_CAPACITY, 1]);
  expect(batches.flatMap(([, readings]) => readings)).toEqual(all);
});
