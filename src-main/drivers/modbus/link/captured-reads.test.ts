import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concatBytes } from '../../../protocol-kit/bytes.ts';
import type { CapturedRead } from '../../spi/capture.ts';
import { encodeRead, type ReadFunction } from '../codec/request.ts';
import { CapturedMbapReads } from './captured-reads.ts';
import { encodeMbap } from './mbap.ts';

const ask = (tid: number, unit: number, code: ReadFunction, start: number, quantity: number) =>
  encodeMbap(tid, unit, encodeRead(code, start, quantity));
const registers = (tid: number, unit: number, code: number, ...values: number[]) =>
  encodeMbap(tid, unit, Uint8Array.of(code, 2 * values.length, ...values.flatMap((value) => [value >> 8, value & 0xff])));

/** `unit:function:start = numbers`. */
const told = (reads: readonly CapturedRead[]) =>
  reads.map((read) => `${read[0]?.place.column} = ${read.map(({ value }) => value).join(' ')}`);

describe('reads of a recorded conversation', () => {
  it('are pairs of request and answer, also several at once and in another order', () => {
    const finder = new CapturedMbapReads();
    expect(finder.push(true, concatBytes(ask(1, 1, 3, 100, 2), ask(2, 1, 4, 0, 1), ask(3, 2, 1, 5, 10)), 0)).toEqual([]);
    const bits = encodeMbap(3, 2, Uint8Array.of(1, 2, 0b101, 0b10));
    expect(told(finder.push(false, concatBytes(registers(2, 1, 4, 9), bits, registers(1, 1, 3, 258, 65_535)), 0))).toEqual([
      '1:4:0 = 9',
      '2:1:5 = 1 0 1 0 0 0 0 0 0 1',
      '1:3:100 = 258 65535',
    ]);
  });

  it('are none where the answer is a refusal, of another unit, function or length, unasked, or comes twice', () => {
    const finder = new CapturedMbapReads();
    for (const answer of [
      encodeMbap(1, 1, Uint8Array.of(0x83, 2)),
      registers(1, 2, 3, 1, 2),
      registers(1, 1, 4, 1, 2),
      registers(1, 1, 3, 1),
      registers(7, 1, 3, 1, 2),
    ]) {
      finder.push(true, ask(1, 1, 3, 0, 2), 0);
      expect(finder.push(false, answer, 0)).toEqual([]);
    }
    finder.push(true, ask(9, 1, 3, 0, 1), 0);
    expect(finder.push(false, registers(9, 1, 3, 5), 0)).toHaveLength(1);
    expect(finder.push(false, registers(9, 1, 3, 5), 0)).toEqual([]);
  });

  it('go on behind octets that are missing', () => {
    const finder = new CapturedMbapReads();
    finder.push(true, ask(1, 1, 3, 0, 2), 0);
    finder.push(false, registers(1, 1, 3, 1, 2).subarray(0, 8), 0);
    finder.gap(false);
    finder.push(true, ask(2, 1, 3, 0, 1), 0);
    expect(told(finder.push(false, registers(2, 1, 3, 4), 0))).toEqual(['1:3:0 = 4']);
  });

  it.each([
    ['of requests', true],
    ['of answers', false],
  ])('are none of what was asked in front of octets that are missing, whatever the ids: %s', (_, isToDevice) => {
    const finder = new CapturedMbapReads();
    finder.push(true, ask(1, 1, 3, 0, 1), 0);
    finder.gap(isToDevice);
    expect(finder.push(false, registers(1, 1, 3, 7), 20)).toEqual([]);
    finder.push(true, ask(1, 1, 3, 9, 1), 40);
    expect(told(finder.push(false, registers(1, 1, 3, 8), 60))).toEqual(['1:3:9 = 8']);
  });

  it('are none where a master uses one id for all, and an answer may be late', () => {
    const finder = new CapturedMbapReads();
    const exchange = (address: number, value: number, at: number) => {
      finder.push(true, ask(0, 1, 3, address, 1), at);
      return told(finder.push(false, registers(0, 1, 3, value), at + 20));
    };
    expect(exchange(10, 1, 0)).toEqual(['1:3:10 = 1']);
    // not answered in time; the master goes on, and what comes is the answer to this one
    finder.push(true, ask(0, 1, 3, 20, 1), 1_000);
    expect(exchange(30, 2, 2_000)).toEqual([]);
    expect(exchange(40, 3, 3_000)).toEqual([]);
    // nothing is reckoned with for ever
    expect(exchange(50, 5, 6_000)).toEqual(['1:3:50 = 5']);
    // the answer to this one would be longer
    finder.push(true, ask(0, 1, 3, 20, 2), 6_100);
    expect(exchange(55, 6, 6_200)).toEqual(['1:3:55 = 6']);
    // asked again, it is the same question
    finder.push(true, ask(0, 1, 3, 60, 1), 7_000);
    expect(exchange(60, 6, 8_000)).toEqual(['1:3:60 = 6']);
  });

  it('are the same however the octets are cut, and any octets are borne', () => {
    const said = concatBytes(registers(1, 1, 3, 1, 2), registers(2, 1, 3, 3, 4));
    for (let cut = 0; cut <= said.length; cut++) {
      const finder = new CapturedMbapReads();
      finder.push(true, concatBytes(ask(1, 1, 3, 0, 2), ask(2, 1, 3, 8, 2)), 0);
      const found = [...finder.push(false, said.slice(0, cut), 0), ...finder.push(false, said.slice(cut), 0)];
      expect(told(found)).toEqual(['1:3:0 = 1 2', '1:3:8 = 3 4']);
    }
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.uint8Array({ maxLength: 300 })), { maxLength: 20 }), (parts) => {
        const finder = new CapturedMbapReads();
        for (const [isToDevice, bytes] of parts) finder.push(isToDevice, bytes, 0);
      }),
      { numRuns: 300 },
    );
  });
});
