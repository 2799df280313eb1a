import fc from 'fast-check';
import { expect, it } from 'vitest';
import { concatBytes } from '../../../protocol-kit/bytes.ts';
import { encodeRead, type ReadFunction } from '../codec/request.ts';
import { encodeRtu } from '../rtu/framing.ts';
import { OverheardRtu } from './frames.ts';
import { OverheardLine } from './line.ts';

const newLine = () => new OverheardLine({ cutter: new OverheardRtu(), brokenMs: 200, answerMs: 1000 });
const noise = fc.uint8Array({ maxLength: 12 });

/** The register at each address of each unit holds this, so that a value that came under another address is seen. */
const holds = (unit: number, address: number) => (unit * 7919 + address * 31) & 0xffff;

const asked = fc.record({
  unit: fc.integer({ min: 1, max: 3 }),
  code: fc.constantFrom<ReadFunction>(3, 4),
  start: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0x200, max: 0x420 })),
  quantity: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 125 })),
});
type Asked = typeof asked extends fc.Arbitrary<infer T> ? T : never;

const requestOf = ({ unit, code, start, quantity }: Asked) => encodeRtu(unit, encodeRead(code, start, quantity));

function answerOf({ unit, code, start, quantity }: Asked): Uint8Array {
  const words = Array.from({ length: quantity }, (_, at) => holds(unit, start + at));
  return encodeRtu(unit, Uint8Array.of(code, 2 * quantity, ...words.flatMap((word) => [word >> 8, word & 0xff])));
}

/** What happens to an exchange on a bad line; a late answer comes behind the next request. Of a torn request three octets are heard at least: one that is lost without a trace cannot be told. */
const fate = fc.constantFrom('answered', 'answered', 'answered', 'silent', 'late', 'torn', 'request torn', 'twice');

it('gives no value under another address, whatever happens on the line, and no octet gets lost', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(asked, fate, noise, fc.nat(30)), { maxLength: 12 }),
      fc.array(fc.nat(4000), { maxLength: 20 }),
      (said, cuts) => {
        const parts: Uint8Array[] = [];
        let late: Uint8Array[] = [];
        for (const [exchange, how, dirt, at] of said) {
          const [request, answer] = [requestOf(exchange), answerOf(exchange)];
          parts.push(how === 'request torn' ? request.subarray(0, 3 + (at % 5)) : request, ...late);
          late = [];
          if (how === 'late') late = [answer];
          else if (how === 'torn') parts.push(answer.subarray(0, at % answer.length));
          else if (how !== 'silent') parts.push(answer);
          if (how === 'twice') parts.push(answer);
          if (at % 3 === 0) parts.push(dirt);
        }
        const stream = concatBytes(...parts);
        const line = newLine();
        const ends = [...cuts.map((cut) => cut % (stream.length + 1)), stream.length].sort((a, b) => a - b);
        const heard = ends.flatMap((end, index) => [...line.push(stream.subarray(ends[index - 1] ?? 0, end), 0)]);
        heard.push(...line.passed(300), ...line.passed(2000));
        let octets = 0;
        for (const item of heard) {
          if (item.kind === 'noise') octets += item.bytes.length;
          else if ('frame' in item && item.kind !== 'value' && item.kind !== 'doubt') octets += item.frame.bytes.length;
          if (item.kind !== 'value') continue;
          const { unitId, pdu } = item.request;
          const start = ((pdu[1] ?? 0) << 8) | (pdu[2] ?? 0);
          for (let word = 0; 2 * word < item.frame.pdu.length - 2; word++) {
            const value = ((item.frame.pdu[2 + 2 * word] ?? 0) << 8) | (item.frame.pdu[3 + 2 * word] ?? 0);
            expect(value).toBe(holds(unitId, start + word));
          }
        }
        expect(octets).toBe(stream.length);
      },
    ),
    { numRuns: 1500 },
  );
});

it('gives every value of a line on which nothing goes wrong, however it is delivered', () => {
  fc.assert(
    fc.property(fc.array(asked, { minLength: 1, maxLength: 12 }), fc.array(fc.nat(4000), { maxLength: 20 }), (said, cuts) => {
      const stream = concatBytes(...said.flatMap((exchange) => [requestOf(exchange), answerOf(exchange)]));
      const line = newLine();
      const ends = [...cuts.map((cut) => cut % (stream.length + 1)), stream.length].sort((a, b) => a - b);
      const heard = ends.flatMap((end, index) => [...line.push(stream.subarray(ends[index - 1] ?? 0, end), 0)]);
      heard.push(...line.passed(300), ...line.passed(2000));
      const settled = heard.filter(({ kind }) => kind === 'value' || kind === 'doubt');
      expect(settled).toHaveLength(said.length);
    }),
    { numRuns: 500 },
  );
});

it('bears any octets, holds 256 of them at most, and hears the same however they are cut', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 1200 }), fc.array(fc.nat(1200), { maxLength: 10 }), (stream, cuts) => {
      const ends = [...cuts.map((cut) => cut % (stream.length + 1)), stream.length].sort((a, b) => a - b);
      const [whole, pieces] = [new OverheardRtu(), new OverheardRtu()];
      const frames = (items: ReturnType<OverheardRtu['push']>) => items.flatMap((item) => (item.kind === 'frame' ? [item.frame] : []));
      const cut = ends.flatMap((end, index) => [...pieces.push(stream.subarray(ends[index - 1] ?? 0, end))]);
      expect(pieces.buffered).toBeLessThanOrEqual(256);
      expect(frames([...cut, ...pieces.silence()])).toEqual(frames([...whole.push(stream), ...whole.silence()]));
    }),
    { numRuns: 300 },
  );
});
