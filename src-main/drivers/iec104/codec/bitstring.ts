/** Bitstring of 32 bits: BSI and QDS (IEC 60870-5-101, 7.2.6.13), bit 0 the lowest bit of the first octet. */
import { expectRange } from './checks.ts';
import type { ElementCodec } from './element.ts';
import type { ValueObject } from './objects.ts';
import { putUintLe, u32le } from './octets.ts';
import { putQds, qds } from './qds.ts';

/** BSI QDS, 5 octets. */
export const bitsElement: ElementCodec<ValueObject> = {
  kind: 'bits',
  length: 5,
  decode(octets, at, address, time) {
    return { kind: 'bits', address, value: u32le(octets, at), quality: qds(octets, at + 4), time };
  },
  encode(object, octets, at) {
    expectRange('bitstring', object.value, 0, 0xffff_ffff);
    putUintLe(octets, at, object.value, 4);
    putQds(object.quality, octets, at + 4);
  },
  read(octets, from, stride, count, { value, quality }) {
    for (let index = 0, at = from; index < count; index++, at += stride) {
      value[index] = u32le(octets, at);
      quality[index] = qds(octets, at + 4);
    }
  },
};
