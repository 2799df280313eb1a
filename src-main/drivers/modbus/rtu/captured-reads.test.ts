import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concatBytes } from '../../../protocol-kit/bytes.ts';
import type { CapturedRead } from '../../spi/capture.ts';
import { encodeRead, type ReadFunction } from '../codec/request.ts';
import { octets } from '../vectors/load.ts';
import { CapturedRtuReads } from './captured-reads.ts';
import { encodeRtu } from './framing.ts';

const ask = (unit: number, code: ReadFunction, start: number, quantity: number) => encodeRtu(unit, encodeRead(code, start, quantity));
const registers = (unit: number, code: number, ...values: number[]) =>
  encodeRtu(unit, Uint8Array.of(code, 2 * values.length, ...values.flatMap((value) => [value >> 8, value & 0xff])));
const told = (reads: readonly CapturedRead[]) =>
  reads.map((read) => `${read[0]?.place.column} = ${read.map(({ value }) => value).join(' ')}`);

type Said = readonly [isToDevice: boolean | null, bytes: Uint8Array, atMs: number];
function hear(...said: readonly Said[]): string[] {
  const finder = new CapturedRtuReads();
  return told([...said.flatMap((each) => [...finder.push(...each)]), ...finder.end()]);
}

describe('reads of a recorded conversation of Modbus RTU', () => {
  it.each([
    ['in a network', true, false],
    ['on a line that tells no direction', null, null],
  ] as const)('are pairs of request and answer: %s', (_, toDevice, toMaster) => {
    // the example of V1.1b3, 6.3, as a frame
    const example = encodeRtu(17, octets('03 06 02 2B 00 00 00 64'));
    expect(
      hear(
        [toDevice, ask(17, 3, 0x6b, 3), 0],
        [toMaster, example, 20],
        [toDevice, ask(1, 1, 5, 10), 100],
        [toMaster, encodeRtu(1, Uint8Array.of(1, 2, 0b101, 0b10)), 130],
        [toDevice, ask(1, 4, 0, 2), 200],
        [toMaster, registers(1, 4, 0x7fc0, 0), 220],
      ),
    ).toEqual(['17:3:107 = 555 0 100', '1:1:5 = 1 0 1 0 0 0 0 0 0 1', '1:4:0 = 32704 0']);
  });

  it('are none of another unit, with a wrong checksum, refused, unasked, twice, or of half a frame', () => {
    const answer = registers(1, 3, 7);
    const wrong = answer.slice();
    wrong[3] = 9;
    for (const said of [registers(2, 3, 7), wrong, encodeRtu(1, Uint8Array.of(0x83, 2)), registers(1, 4, 7), registers(1, 3, 7, 8)]) {
      expect(hear([true, ask(1, 3, 0, 1), 0], [false, said, 20])).toEqual([]);
    }
    expect(hear([false, answer, 20])).toEqual([]);
    expect(hear([true, ask(1, 3, 0, 1), 0], [false, answer, 20], [false, answer, 40])).toEqual(['1:3:0 = 7']);
    const half = [[true, ask(1, 3, 0, 1), 0] as const, [false, answer.subarray(0, 4), 20] as const];
    expect(hear(...half, [true, ask(1, 3, 5, 1), 9_000], [false, registers(1, 3, 8), 9_020])).toEqual(['1:3:5 = 8']);
  });

  it('are none where a late answer may be that to an earlier request', () => {
    const late = [[true, ask(1, 3, 0, 1), 0] as const, [true, ask(1, 3, 50, 1), 1_000] as const];
    expect(hear(...late, [false, registers(1, 3, 7), 1_005], [false, registers(1, 3, 8), 1_030])).toEqual([]);
  });

  it('leave the echo of an adapter out', () => {
    const asked = ask(1, 3, 0, 1);
    expect(hear([true, asked, 0], [false, asked, 1], [false, registers(1, 3, 7), 20])).toEqual(['1:3:0 = 7']);
  });

  it('go on behind octets that are missing', () => {
    const finder = new CapturedRtuReads();
    finder.push(true, ask(1, 3, 0, 1), 0);
    finder.push(false, registers(1, 3, 7).subarray(0, 4), 20);
    finder.gap(false);
    finder.push(true, ask(1, 4, 0, 1), 40);
    expect(told(finder.push(false, registers(1, 4, 8), 60))).toEqual(['1:4:0 = 8']);
  });

  it('are the same however the octets are cut, and any octets are borne', () => {
    const said = concatBytes(registers(1, 3, 1, 2));
    for (let cut = 1; cut < said.length; cut++) {
      const parts: Said[] = [
        [true, ask(1, 3, 0, 2), 0],
        [false, said.slice(0, cut), 20],
        [false, said.slice(cut), 30],
      ];
      expect(hear(...parts)).toEqual(['1:3:0 = 1 2']);
    }
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(true, false, null), fc.uint8Array({ maxLength: 60 })), { maxLength: 20 }), (parts) => {
        hear(...parts.map(([isToDevice, bytes], at): Said => [isToDevice, bytes, at * 400]));
      }),
      { numRuns: 300 },
    );
  });
});
