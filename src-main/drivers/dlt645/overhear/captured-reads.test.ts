import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CapturedRead } from '../../spi/capture.ts';
import { encodeAddress } from '../codec/address.ts';
import { encodeFrame } from '../codec/frame.ts';
import { allVectors, octets } from '../vectors/load.ts';
import { CapturedMeterReads } from './captured-reads.ts';

const METER = '000000000012';
const frame = (control: number, data: string, meter = METER) =>
  encodeFrame({ address: encodeAddress(meter), control, data: octets(data) }, 4);
const VOLTAGE_A = '00 01 01 02';
const VOLTAGES = '00 FF 01 02';

const told = (reads: readonly CapturedRead[]) =>
  reads.map((read) => read.map(({ place, value }) => `${place.column.replace(`${METER}:`, '')} = ${value}`).join(', '));
const hear = (...said: readonly Uint8Array[]) => {
  const finder = new CapturedMeterReads();
  return told(said.flatMap((bytes, at) => [...finder.push(null, bytes, at * 10)]));
};

describe('reads of a recorded conversation with meters', () => {
  const numbers = allVectors.filter(
    ({ name, category, request_hex, response_hex, meaning: { values, response_control, di } }) =>
      category === 'read' &&
      request_hex &&
      response_hex &&
      di &&
      response_control === '91' &&
      values?.every((value) => typeof value === 'number') &&
      // counts with durations are below; a meter that answers with wildcards does not say which one it is
      !/_event_|reply_keeps_AA/.test(name),
  );

  it.each(numbers.map((vector) => [vector.name, vector] as const))('have the numbers that other stacks said: %s', (_, vector) => {
    const { request_hex: request, response_hex: response, meaning } = vector;
    const finder = new CapturedMeterReads();
    expect(finder.push(true, octets(request ?? ''), 0)).toEqual([]);
    const [read = []] = finder.push(false, octets(response ?? ''), 20);
    expect(read.map(({ value }) => value)).toEqual(meaning.values);
    expect(read.every(({ place }) => place.point.slave_id === Number(meaning.address))).toBe(true);
  });

  it('are enough of them', () => expect(numbers.length).toBeGreaterThan(5));

  it('are pairs of a request and the answer of its meter, the items of a block by their own identifiers', () => {
    expect(hear(frame(0x11, VOLTAGE_A), frame(0x91, `${VOLTAGE_A} 05 22`))).toEqual(['02010100 = 220.5']);
    // phase C does not exist
    expect(hear(frame(0x11, VOLTAGES), frame(0x91, `${VOLTAGES} 05 22 15 22 FF FF`))).toEqual(['02010100 = 220.5, 02010200 = 221.5']);
    expect(hear(frame(0x01, '11 B6', METER), frame(0x81, '11 B6 20 02'))).toEqual(['B611 = 220']);
  });

  it('have the first number of elements of several parts, by their places where they have no identifiers', () => {
    const { request_hex, response_hex } = allVectors.find(({ name }) => name === 'std_event_counts_03010000') ?? {};
    expect(
      hear(octets(request_hex ?? ''), octets(response_hex ?? ''))
        .join()
        .replace(/\d{12}:/g, ''),
    ).toBe('03010000.1 = 3, 03010000.2 = 0, 03010000.3 = 1');
  });

  it('are none of another meter, with a wrong checksum, refused, unasked, or of half a frame', () => {
    const answer = frame(0x91, `${VOLTAGE_A} 05 22`);
    const wrong = answer.slice();
    wrong[wrong.length - 2] = ((wrong.at(-2) ?? 0) + 1) & 0xff;
    for (const said of [frame(0x91, `${VOLTAGE_A} 05 22`, '000000000013'), wrong, frame(0xd1, '02'), answer.subarray(0, 12)]) {
      expect(hear(frame(0x11, VOLTAGE_A), said)).toEqual([]);
    }
    expect(hear(answer)).toEqual([]);
    // half an answer, and the next one whole
    expect(hear(frame(0x11, VOLTAGE_A), answer.subarray(0, 12), frame(0x11, VOLTAGE_A), answer)).toEqual(['02010100 = 220.5']);
  });

  it('go on behind octets that are missing, and bear any', () => {
    const finder = new CapturedMeterReads();
    finder.push(false, frame(0x91, `${VOLTAGE_A} 05 22`).subarray(0, 9), 0);
    finder.gap(false);
    finder.push(true, frame(0x11, VOLTAGE_A), 10);
    expect(told(finder.push(false, frame(0x91, `${VOLTAGE_A} 05 22`), 20))).toEqual(['02010100 = 220.5']);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(true, false, null), fc.uint8Array({ maxLength: 60 })), { maxLength: 20 }), (parts) => {
        const any = new CapturedMeterReads();
        for (const [at, [isToDevice, bytes]] of parts.entries()) any.push(isToDevice, bytes, at * 400);
      }),
      { numRuns: 300 },
    );
  });
});
