/** Step position information: VTI and QDS (IEC 60870-5-101, 7.2.6.5): bits 0 to 6 signed position, bit 7 transient. */
import { expectRange } from './checks.ts';
import type { ElementCodec } from './element.ts';
import type { StepObject } from './objects.ts';
import { putQds, qds } from './qds.ts';

/** Sign extension of the seven-bit position. */
function position(octet: number): number {
  return (octet << 25) >> 25;
}

/** VTI QDS, 2 octets. */
export const stepElement: ElementCodec<StepObject> = {
  kind: 'step',
  length: 2,
  decode(octets, at, address, time) {
    const octet = octets[at] ?? 0;
    return { kind: 'step', address, value: position(octet), quality: qds(octets, at + 1), isTransient: (octet & 0x80) !== 0, time };
  },
  encode(object, octets, at) {
    expectRange('step position', object.value, -64, 63);
    octets[at] = (object.value & 0x7f) | (object.isTransient ? 0x80 : 0);
    putQds(object.quality, octets, at + 1);
  },
  read(octets, from, stride, count, { value, quality }) {
    for (let index = 0, at = from; index < count; index++, at += stride) {
      value[index] = position(octets[at] ?? 0);
      quality[index] = qds(octets, at + 1);
    }
  },
};
