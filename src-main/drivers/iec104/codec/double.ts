/** Double-point information, DIQ (IEC 60870-5-101, 7.2.6.2): bits 0 and 1 state, bits 4 to 7 BL SB NT IV. */
import { expectRange } from './checks.ts';
import type { ElementCodec } from './element.ts';
import type { ValueObject } from './objects.ts';

const FLAGS = 0xf0;

/** DIQ, 1 octet. */
export const doubleElement: ElementCodec<ValueObject> = {
  kind: 'double',
  length: 1,
  decode(octets, at, address, time) {
    const octet = octets[at] ?? 0;
    return { kind: 'double', address, value: octet & 3, quality: octet & FLAGS, time };
  },
  encode(object, octets, at) {
    expectRange('double-point value', object.value, 0, 3);
    expectRange('quality octet', object.quality, 0, 0xff);
    octets[at] = object.value | (object.quality & FLAGS);
  },
  read(octets, from, stride, count, { value, quality }) {
    for (let index = 0, at = from; index < count; index++, at += stride) {
      const octet = octets[at] ?? 0;
      value[index] = octet & 3;
      quality[index] = octet & FLAGS;
    }
  },
};
