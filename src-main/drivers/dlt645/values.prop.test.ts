import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeNumber, encodeNumber } from './codec/bcd.ts';
import { encodeFrame } from './codec/frame.ts';
import { encodeDi } from './dictionary/dictionary.ts';
import { TABLE_1997 } from './dictionary/table-1997.ts';
import { TABLE_2007 } from './dictionary/table-2007.ts';
import { explainDlt645 } from './explain/explain.ts';
import { meterPoint, readingOfItem } from './meter-point.ts';
import { pointsOf, testSettings } from './testing/bench.ts';

const first = (line: string) => Number.parseInt((line.split('|')[0] ?? '').replaceAll(/\[(..)-..\]/g, '$1'), 16);
const points = [
  ...pointsOf(TABLE_2007.map((line) => ({ address: first(line) }))),
  ...pointsOf(TABLE_1997.map((line) => ({ address: first(line), protocol: { edition: 1997 } }))),
];
const point = fc.constantFrom(...points);
/** Octets as meters send them, and others. */
const data = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.uint8Array({ maxLength: 24 }).map((bytes) => bytes.map((octet) => ((octet >> 4) % 10) * 16 + ((octet & 15) % 10))),
  fc.integer({ min: 0, max: 24 }).map((length) => new Uint8Array(length).fill(0xff)),
);
const context = { kind: 'rx', isRequest: false, request: null, settings: testSettings } as const;

it('makes a reading of whatever a meter answers, with a finite value or a reason', () => {
  fc.assert(
    fc.property(point, data, (config, bytes) => {
      const reading = readingOfItem(meterPoint(config), bytes);
      if (reading.kind === 'value') expect(reading.value === null || Number.isFinite(reading.value)).toBe(true);
      else expect(reading.error.code).toBe('PROTOCOL_MALFORMED');
    }),
    { numRuns: 1000 },
  );
});

it('explains whatever frame comes, without a gap between its nodes', () => {
  const control = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(point, control, data, fc.boolean(), (config, code, bytes, hasDi) => {
      const di = encodeDi(config.address, config.protocol.edition === 1997 ? 1997 : 2007);
      const frame = encodeFrame({
        address: Uint8Array.of(0x78, 0x56, 0x34, 0x12, 0, 0),
        control: code,
        data: Uint8Array.of(...(hasDi ? di : []), ...bytes).subarray(0, 200),
      });
      const { nodes, secrets } = explainDlt645(frame, context);
      let at = 0;
      for (const node of nodes) {
        expect(node.start).toBe(at);
        at = node.end;
      }
      expect(at).toBe(frame.length);
      for (const { start, end } of secrets) expect(start >= 10 && end <= frame.length - 2 && start < end).toBe(true);
    }),
    { numRuns: 500 },
  );
});

it('explains octets that are no frame', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      const { nodes } = explainDlt645(bytes, context);
      expect(nodes.at(-1)?.end ?? 0).toBe(bytes.length);
    }),
    { numRuns: 300 },
  );
});

it('reads every number that it writes', () => {
  const shape = fc.record({ size: fc.integer({ min: 1, max: 6 }), decimals: fc.integer({ min: 0, max: 4 }), isSigned: fc.boolean() });
  fc.assert(
    fc.property(shape, fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean(), ({ size, decimals, isSigned }, share, isNegative) => {
      const places = Math.min(decimals, 2 * size);
      const most = (isSigned ? 8 : 10) * 10 ** (2 * size - 1) - 1;
      const integer = Math.floor(share * most);
      const value = Number(`${isSigned && isNegative ? -integer : integer}e-${places}`);
      const read = decodeNumber(encodeNumber(value, size, places, isSigned), places, isSigned);
      expect(read.value).toBe(value === 0 ? 0 : value);
      expect(Math.abs(read.integer)).toBe(integer);
    }),
    { numRuns: 500 },
  );
});
