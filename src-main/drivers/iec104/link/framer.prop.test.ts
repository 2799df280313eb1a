import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { english } from '#shared/messages/index.ts';
import { encodeAsdu } from '../codec/asdu.ts';
import { anyAsdu } from '../testing/arbitraries.ts';
import { type Apdu, type ApduFault, encodeI, encodeS, encodeU } from './apci.ts';
import { ApduFramer } from './framer.ts';

const number = fc.nat(32_767);
const frame = fc.oneof(
  fc.tuple(number, number, anyAsdu).map(([ns, nr, { asdu, sizes }]) => encodeI(ns, nr, encodeAsdu(asdu, sizes))),
  number.map(encodeS),
  fc
    .constantFrom('startdt-act' as const, 'startdt-con' as const, 'stopdt-act' as const, 'testfr-act' as const, 'testfr-con' as const)
    .map(encodeU),
);

/** Cuts octets at the given places. */
function chunks(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...places].map((from, index) => bytes.subarray(from, places[index] ?? bytes.length));
}

function push(parts: readonly Uint8Array[]): { framer: ApduFramer; items: (Apdu | ApduFault)[] } {
  const framer = new ApduFramer();
  return { framer, items: parts.flatMap((part) => framer.push(part)) };
}

/** Items without the chunking of what stands behind a fatal fault. */
function essence(items: readonly (Apdu | ApduFault)[]): { frames: string[]; faults: string[]; octets: number } {
  const frames = items.filter((item) => item.kind === 'frame').map((item) => Buffer.from(item.bytes).toString('hex'));
  const faults = items.filter((item) => item.kind === 'fault').map((item) => english(item.message));
  return {
    frames,
    faults: faults.filter((message) => !message.startsWith('Octets behind')),
    octets: items.reduce((sum, item) => sum + item.bytes.length, 0),
  };
}

const cuts = fc.array(fc.nat(3000), { maxLength: 10 });

describe('APDU framer, any stream', () => {
  it('finds the frames that were sent, however the stream is cut', () => {
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 8 }), cuts, (sent, places) => {
        const stream = Uint8Array.from(sent.flatMap((one) => [...one]));
        const { framer, items } = push(chunks(stream, places));
        expect(essence(items)).toEqual({ frames: sent.map((one) => Buffer.from(one).toString('hex')), faults: [], octets: stream.length });
        expect(framer.buffered).toBe(0);
      }),
      { numRuns: 200 },
    );
  });

  it('gives the same frames and faults for any octets, however they are cut; no octet is lost and the buffer stays below a frame', () => {
    const spoilt = fc.tuple(frame, fc.nat(20), fc.nat(255)).map(([bytes, at, value]) => {
      const copy = Uint8Array.from(bytes);
      if (at < copy.length) copy[at] = value;
      return copy;
    });
    const noise = fc.array(
      fc.oneof(
        { weight: 3, arbitrary: frame },
        { weight: 1, arbitrary: spoilt },
        { weight: 1, arbitrary: fc.uint8Array({ maxLength: 12 }) },
      ),
      {
        maxLength: 10,
      },
    );
    fc.assert(
      fc.property(noise, cuts, (parts, places) => {
        const stream = Uint8Array.from(parts.flatMap((part) => [...part]));
        const whole = push([stream]);
        const cut = push(chunks(stream, places));
        expect(essence(cut.items)).toEqual(essence(whole.items));
        expect(cut.framer.buffered).toBe(whole.framer.buffered);
        expect(essence(whole.items).octets + whole.framer.buffered).toBe(stream.length);
        expect(whole.framer.buffered).toBeLessThan(255);
      }),
      { numRuns: 300 },
    );
  });
});
