/** Single-point information, SIQ (IEC 60870-5-101, 7.2.6.1): bit 0 state, bits 4 to 7 BL SB NT IV. */
import { expectRange } from './checks.ts';
import type { ElementCodec } from './element.ts';
import type { ValueObject } from './objects.ts';

const FLAGS = 0xf0;

/** SIQ, 1 octet. */
export const singleElement: ElementCodec<ValueObject> = {
  kind: 'single',
  length: 1,
  decode(octets, at, address, time) {
    const octet = octets[at] ?? 0;
    return { kind: 'single', address, value: octet & 1, quality: octet & FLAGS, time };
  },
  encode(object, octets, at) {
    expectRange('single-point value', object.value, 0, 1);
    expectRange('quality octet', object.quality, 0, 0xff);
    octets[at] = object.value | (object.quality & FLAGS);
  },
  read(octets, from, stride, count, { value, quality }) {
    for (let index = 0, at = from; index < count; index++, at += stride) {
      const octet = octets[at] ?? 0;
      value[index] = octet & 1;
      quality[index] = octet & FLAGS;
    }
  },
};
