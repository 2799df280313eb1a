import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concatBytes } from '../../../protocol-kit/bytes.ts';
import type { CapturedRead } from '../../spi/capture.ts';
import { encodeRead, type ReadFunction } from '../codec/request.ts';
import conversation from '../vectors/ascii-conversation.json' with { type: 'json' };
import { octets } from '../vectors/load.ts';
import { encodeAscii } from './ascii.ts';
import { ASCII_LINE, CapturedLineReads, capturedLineReads, RTU_LINE } from './captured-reads.ts';
import { encodeRtu } from './framing.ts';

const ask = (unit: number, code: ReadFunction, start: number, quantity: number) => encodeRtu(unit, encodeRead(code, start, quantity));
const registers = (unit: number, code: number, ...values: number[]) =>
  encodeRtu(unit, Uint8Array.of(code, 2 * values.length, ...values.flatMap((value) => [value >> 8, value & 0xff])));
const told = (reads: readonly CapturedRead[]) =>
  reads.map((read) => `${read[0]?.place.column} = ${read.map(({ value }) => value).join(' ')}`);

type Said = readonly [isToDevice: boolean | null, bytes: Uint8Array, atMs: number];
function hear(...said: readonly Said[]): string[] {
  const finder = new CapturedLineReads('rtu');
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
    const finder = new CapturedLineReads('rtu');
    finder.push(true, ask(1, 3, 0, 1), 0);
    finder.push(false, registers(1, 3, 7).subarray(0, 4), 20);
    finder.gap(false);
    finder.push(true, ask(1, 4, 0, 1), 40);
    expect(told(finder.push(false, registers(1, 4, 8), 60))).toEqual(['1:4:0 = 8']);
  });

  it.each([
    ['of requests', true],
    ['of answers', false],
  ])('are none of what was asked in front of octets that are missing: %s', (_, isToDevice) => {
    // what the answer was for stands in the gap, or the answer does
    const finder = new CapturedLineReads('rtu');
    finder.push(true, ask(1, 3, 0, 1), 0);
    finder.gap(isToDevice);
    expect([...finder.push(false, registers(1, 3, 7), 20), ...finder.end()]).toEqual([]);
    finder.push(true, ask(1, 3, 9, 1), 40);
    expect(told(finder.push(false, registers(1, 3, 8), 60))).toEqual(['1:3:9 = 8']);
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

/** Characters of a frame, one after the other as a serial line brings them. */
const characters = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

describe('reads of a recorded conversation of Modbus ASCII', () => {
  const frames = conversation.frames.map(({ from, text }, at) => ({
    isToDevice: from === 'master',
    bytes: characters(text),
    at: 1_000 + 20 * at,
  }));
  const cutting = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 });

  it.each([
    ['over TCP', 'tcp', ''],
    ['on a line that tells no direction', 'line', ASCII_LINE],
  ] as const)('of a foreign master and slave are what the master read, however they are cut: %s', (_, carrier, line) => {
    fc.assert(
      fc.property(cutting, (sizes) => {
        const finder = capturedLineReads({ carrier, line });
        const found: CapturedRead[] = [];
        let piece = 0;
        for (const { isToDevice, bytes, at } of frames)
          for (let from = 0; from < bytes.length; ) {
            const end = from + (sizes[piece++ % sizes.length] ?? 1);
            found.push(...(finder?.push(carrier === 'line' ? null : isToDevice, bytes.slice(from, end), at) ?? []));
            from = end;
          }
        found.push(...(finder?.end?.() ?? []));
        expect(told(found)).toEqual(conversation.reads);
        expect(finder?.settings).toEqual({ framing: 'ascii' });
      }),
      { numRuns: 100 },
    );
  });

  it('are none with a wrong checksum, in half a frame, of another unit, or where a late answer may be that to an earlier request', () => {
    const request = encodeAscii(1, encodeRead(3, 0, 1));
    const answer = (unit: number, value: number) => encodeAscii(unit, Uint8Array.of(3, 2, 0, value));
    const hearAscii = (...said: readonly Said[]) => {
      const finder = new CapturedLineReads('ascii');
      return told([...said.flatMap((each) => [...finder.push(...each)]), ...finder.end()]);
    };
    expect(hearAscii([true, request, 0], [false, answer(1, 7), 20])).toEqual(['1:3:0 = 7']);
    const wrong = answer(1, 7);
    wrong[10] = 0x38;
    for (const said of [wrong, answer(2, 7), answer(1, 7).subarray(0, 11), characters(':018302'), new Uint8Array(0)]) {
      expect(hearAscii([true, request, 0], [false, said, 20])).toEqual([]);
    }
    const half = [[true, request, 0] as const, [false, answer(1, 7).subarray(0, 8), 20] as const];
    const next = encodeAscii(1, encodeRead(3, 5, 1));
    expect(hearAscii(...half, [true, next, 9_000], [false, answer(1, 8), 9_020])).toEqual(['1:3:5 = 8']);
    const late = [[true, request, 0] as const, [true, next, 1_000] as const];
    expect(hearAscii(...late, [false, answer(1, 7), 1_005], [false, answer(1, 8), 1_030])).toEqual([]);
  });

  it('and of Modbus RTU are told from each other by their octets; lines by their names', () => {
    const finder = capturedLineReads({ carrier: 'tcp', line: '' });
    expect(finder?.push(true, ask(1, 3, 0, 1), 0)).toEqual([]);
    expect(told(finder?.push(false, registers(1, 3, 7), 20) ?? [])).toEqual(['1:3:0 = 7']);
    expect(finder?.settings).toEqual({});
    expect(capturedLineReads({ carrier: 'line', line: RTU_LINE })?.settings).toEqual({});
    expect(capturedLineReads({ carrier: 'line', line: 'DL/T 645' })).toBeNull();
  });

  it('any octets are borne', () => {
    const parts = fc.array(
      fc.tuple(
        fc.constantFrom(true, false, null),
        fc.oneof(fc.uint8Array({ maxLength: 60 }), fc.string({ unit: fc.constantFrom(...':0123ABF\r\n'), maxLength: 60 }).map(characters)),
      ),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(parts, (said) => {
        const finder = capturedLineReads({ carrier: 'tcp', line: '' });
        for (const [at, [isToDevice, bytes]] of said.entries()) {
          finder?.push(isToDevice, bytes, at * 400);
          if (at % 5 === 4) finder?.gap(isToDevice);
        }
        finder?.end?.();
      }),
      { numRuns: 300 },
    );
  });
});
