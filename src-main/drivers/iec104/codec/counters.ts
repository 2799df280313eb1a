/** Integrated totals: binary counter reading BCR (IEC 60870-5-101, 7.2.6.9): signed count, then sequence bits 0 to 4, CY, CA, IV. */
import { Quality } from '../quality.ts';
import { expectRange } from './checks.ts';
import type { ElementCodec } from './element.ts';
import type { CounterObject } from './objects.ts';
import { putUintLe, s32le } from './octets.ts';

const CY = 0x20;
const CA = 0x40;
const IV = 0x80;

/** BCR, 5 octets. The low-allocation reading gives CY as overflow and IV as invalid. */
export const counterElement: ElementCodec<CounterObject> = {
  kind: 'counter',
  length: 5,
  decode(octets, at, address, time) {
    const octet = octets[at + 4] ?? 0;
    return {
      kind: 'counter',
      address,
      value: s32le(octets, at),
      sequence: octet & 0x1f,
      hasCarry: (octet & CY) !== 0,
      isAdjusted: (octet & CA) !== 0,
      isInvalid: (octet & IV) !== 0,
      time,
    };
  },
  encode(object, octets, at) {
    expectRange('counter reading', object.value, -0x8000_0000, 0x7fff_ffff);
    expectRange('sequence number of the counter', object.sequence, 0, 0x1f);
    putUintLe(octets, at, object.value, 4);
    octets[at + 4] = object.sequence | (object.hasCarry ? CY : 0) | (object.isAdjusted ? CA : 0) | (object.isInvalid ? IV : 0);
  },
  read(octets, from, stride, count, { value, quality }) {
    for (let index = 0, at = from; index < count; index++, at += stride) {
      const octet = octets[at + 4] ?? 0;
      value[index] = s32le(octets, at);
      quality[index] = (octet & IV) | ((octet & CY) === 0 ? 0 : Quality.overflow);
    }
  },
};
