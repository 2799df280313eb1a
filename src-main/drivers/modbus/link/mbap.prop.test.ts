import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { english } from '#shared/messages/index.ts';
import type { FramerItem } from './framer.ts';
import { encodeMbap, MbapFramer } from './mbap.ts';

const frame = fc.record({
  transactionId: fc.integer({ min: 0, max: 0xffff }),
  unitId: fc.integer({ min: 0, max: 0xff }),
  pdu: fc.uint8Array({ minLength: 1, maxLength: 253 }),
});

/** Cuts octets at the given places. */
function chunks(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...places].map((from, index) => bytes.subarray(from, places[index] ?? bytes.length));
}

function push(parts: readonly Uint8Array[]): { framer: MbapFramer; items: FramerItem[] } {
  const framer = new MbapFramer();
  return { framer, items: parts.flatMap((part) => framer.push(part)) };
}

/** Items without the chunking of what stands behind a fatal fault. */
function essence(items: readonly FramerItem[]): { frames: unknown[]; fault: string | null; octets: number } {
  const frames = items.flatMap((item) =>
    item.kind === 'frame' ? [{ id: item.transactionId, unit: item.unitId, pdu: Uint8Array.from(item.pdu) }] : [],
  );
  const fault = items.find((item) => item.kind === 'fault');
  return { frames, fault: fault ? english(fault.message) : null, octets: items.reduce((sum, item) => sum + item.bytes.length, 0) };
}

describe('MBAP framer, any stream', () => {
  it('finds the frames that were sent, however the stream is cut', () => {
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 6 }), fc.array(fc.nat(2000), { maxLength: 8 }), (sent, cuts) => {
        const stream = Uint8Array.from(sent.flatMap((one) => [...encodeMbap(one.transactionId, one.unitId, one.pdu)]));
        const { framer, items } = push(chunks(stream, cuts));
        expect(essence(items).frames).toEqual(sent.map((one) => ({ id: one.transactionId, unit: one.unitId, pdu: one.pdu })));
        expect(framer.buffered).toBe(0);
      }),
      { numRuns: 200 },
    );
  });

  it('gives the same frames and the same fault for any octets, however they are cut; no octet is lost', () => {
    const header = fc.tuple(fc.nat(255), fc.nat(255), fc.constantFrom(0, 0, 0, 1), fc.constant(0), fc.constantFrom(0, 0, 1), fc.nat(12));
    const noise = fc.array(fc.oneof(header, fc.array(fc.nat(255), { maxLength: 12 })), { maxLength: 10 });
    fc.assert(
      fc.property(noise, fc.array(fc.nat(200), { maxLength: 8 }), (parts, cuts) => {
        const stream = Uint8Array.from(parts.flat());
        const whole = push([stream]);
        const cut = push(chunks(stream, cuts));
        expect(essence(cut.items)).toEqual(essence(whole.items));
        expect(cut.framer.buffered).toBe(whole.framer.buffered);
        expect(essence(whole.items).octets + whole.framer.buffered).toBe(stream.length);
        expect(whole.framer.buffered).toBeLessThan(260);
      }),
      { numRuns: 300 },
    );
  });

  it('never throws and stays bounded when frames are given up at any time', () => {
    const step = fc.oneof(fc.uint8Array({ maxLength: 30 }), fc.constant(null));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const framer = new MbapFramer();
        let seen = 0;
        let pushed = 0;
        for (const one of steps) {
          if (one === null) seen += framer.giveUp(1).length;
          else {
            pushed += one.length;
            for (const item of framer.push(one)) seen += item.bytes.length;
          }
          expect(framer.buffered).toBeLessThan(260);
        }
        expect(seen + framer.buffered).toBe(pushed);
      }),
      { numRuns: 300 },
    );
  });
});
