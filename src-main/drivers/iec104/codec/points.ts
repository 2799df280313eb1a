/** Single- and double-point information, SIQ and DIQ (IEC 60870-5-101, 7.2.6.1 and 7.2.6.2): the state in bit 0, or in 0 and 1; bits 4 to 7 BL SB NT IV. */
import { expectRange } from './checks.ts';
import type { ElementCodec } from './element.ts';
import type { ValueObject } from './objects.ts';

const FLAGS = 0xf0;

function pointElement(kind: 'single' | 'double', states: number): ElementCodec<ValueObject> {
  return {
    kind,
    length: 1,
    decode(octets, at, address, time) {
      const octet = octets[at] ?? 0;
      return { kind, address, value: octet & states, quality: octet & FLAGS, time };
    },
    encode(object, octets, at) {
      expectRange(`${kind}-point value`, object.value, 0, states);
      expectRange('quality octet', object.quality, 0, 0xff);
      octets[at] = object.value | (object.quality & FLAGS);
    },
    read(octets, from, stride, count, { value, quality }) {
      for (let index = 0, at = from; index < count; index++, at += stride) {
        const octet = octets[at] ?? 0;
        value[index] = octet & states;
        quality[index] = octet & FLAGS;
      }
    },
  };
}

/** SIQ, 1 octet. */
export const singleElement = pointElement('single', 1);
/** DIQ, 1 octet. */
export const doubleElement = pointElement('double', 3);
