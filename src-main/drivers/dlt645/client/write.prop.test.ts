import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { hexText } from '../../../protocol-kit/bytes.ts';
import { BROADCAST, encodeAddress } from '../codec/address.ts';
import { carriesSecret, FROM_METER, REFUSED } from '../codec/control.ts';
import type { Dlt645Frame } from '../codec/frame.ts';
import { decodeItems } from '../codec/items.ts';
import { findItem } from '../dictionary/dictionary.ts';
import { TABLE_2007 } from '../dictionary/table-2007.ts';
import { explainDlt645 } from '../explain/explain.ts';
import { answersOf } from '../meter/answers.ts';
import { SimulatedMeter } from '../meter/meter.ts';
import { meterPoint } from '../meter-point.ts';
import { pointsOf, testSettings } from '../testing/bench.ts';
import { encodeWritten, layoutOf } from './write-values.ts';

const METER = '000012345678';
const NOW = Date.UTC(2026, 2, 5, 6, 30);
const POINTS = pointsOf([
  { address: 0x02010100, slave_id: Number(METER) },
  { address: 0x9010, slave_id: Number(METER), protocol: { edition: 1997 } },
]).map(meterPoint);
const DIGITS = '918273';
const FUNCTIONS = [0x03, 0x04, 0x08, 0x0a, 0x0c, 0x0f, 0x10, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x1b, 0x1c, 0x1d, 0x1e, 0x1f];

function meter(): SimulatedMeter {
  const made = new SimulatedMeter(METER, NOW, 0, () => DIGITS);
  made.update(POINTS);
  return made;
}

const ask = (asked: SimulatedMeter, frame: Dlt645Frame) => answersOf(frame, [asked], { wallMs: NOW, partOctets: 195 });
const request = fc.record({
  address: fc.constantFrom(METER, 'AAAAAAAAAAAA', 'AAAA12345678', BROADCAST).map(encodeAddress),
  control: fc.constantFrom(...FUNCTIONS),
  data: fc.uint8Array({ maxLength: 60 }),
});
const isOwnPassword = ({ data }: Dlt645Frame) => hexText(data).includes('73 82 91');

describe('a simulated meter', () => {
  it('answers whatever is asked with a frame, and changes nothing without its password', () => {
    fc.assert(
      fc.property(fc.array(request, { maxLength: 8 }), (requests) => {
        const asked = meter();
        for (const frame of requests) {
          for (const answer of ask(asked, frame)) {
            expect(answer.control & FROM_METER).toBe(FROM_METER);
            expect(answer.data.length).toBeLessThanOrEqual(200);
            if (carriesSecret(frame.control) && !isOwnPassword(frame)) expect(answer.control & REFUSED).toBe(REFUSED);
          }
        }
        expect(asked.relay.word).toBe(0);
      }),
      { numRuns: 300 },
    );
  });

  it('has never less than one day of rest after three wrong passwords, whoever asks', () => {
    const wrong = fc.uint8Array({ minLength: 3, maxLength: 3 }).filter((octets) => hexText(octets) !== '73 82 91');
    fc.assert(
      fc.property(fc.array(wrong, { minLength: 3, maxLength: 6 }), fc.integer({ min: 0, max: 86_399_999 }), (passwords, later) => {
        const { passwords: lock } = meter();
        for (const octets of passwords) expect(lock.check(Uint8Array.of(2, ...octets), 4, 2007, NOW)).toBe(false);
        const right = Uint8Array.of(2, 0x73, 0x82, 0x91);
        expect(lock.check(right, 4, 2007, NOW + later)).toBe(false);
        expect(lock.check(right, 4, 2007, NOW + 86_400_000)).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  it('takes a level only for what it may do', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 9 }), (level, needed) => {
        const isTaken = meter().passwords.check(Uint8Array.of(level, 0x73, 0x82, 0x91), needed, 2007, NOW);
        expect(isTaken).toBe(level <= needed && level <= 9);
      }),
      { numRuns: 100 },
    );
  });
});

describe('written values', () => {
  const writable = TABLE_2007.filter((line) => line.split('|')[3]?.includes('w') && !/assword/.test(line)).map((line) =>
    Number.parseInt((line.split('|')[0] ?? '').replaceAll(/\[(..)-..\]/g, '$1'), 16),
  );
  const part = fc.oneof(
    fc.double({ noNaN: false }),
    fc.integer({ min: -10, max: 99_999_999 }),
    fc.string({ maxLength: 20 }),
    fc.constantFrom('0x10', '', '99'),
  );
  const value = fc.oneof(part, fc.array(fc.oneof(part, fc.array(part, { maxLength: 3 })), { maxLength: 6 }));

  it('are octets that their own format reads, or are refused with words', () => {
    fc.assert(
      fc.property(fc.constantFrom(...writable), value, (di, written) => {
        const item = findItem(2007, di);
        if (!item) throw new Error(di.toString(16));
        try {
          const octets = encodeWritten(written, layoutOf(item, item.format));
          expect(octets.length).toBeGreaterThan(0);
          if (item.format.size !== null) expect(octets.length % item.format.size).toBe(0);
          expect(() => decodeItems(octets, item.format, item.elements === 1 ? 1 : null)).not.toThrow();
        } catch (thrown) {
          if (!(thrown instanceof AppError)) throw thrown;
          expect(thrown.code).toBe('CONFIG_RANGE');
        }
      }),
      { numRuns: 300 },
    );
  });

  it('come back as the number that was written', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99 }), (minutes) => {
        const item = findItem(2007, 0x04000103);
        if (!item) throw new Error('item');
        const octets = encodeWritten(minutes, layoutOf(item, item.format));
        expect(decodeItems(octets, item.format, 1)[0]?.parts[0]?.value).toBe(minutes);
      }),
      { numRuns: 100 },
    );
  });
});

it('octets of any kind are explained without an exception', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), fc.constantFrom(...FUNCTIONS), (noise, control) => {
      const bytes = Uint8Array.of(...noise.subarray(0, 7), 0x68, control, ...noise);
      const { secrets } = explainDlt645(bytes, { kind: 'noise', isRequest: true, request: null, settings: testSettings });
      for (const { start, end } of secrets) expect(start <= end && end <= bytes.length).toBe(true);
    }),
    { numRuns: 300 },
  );
});
