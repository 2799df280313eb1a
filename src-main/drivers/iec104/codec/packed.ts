/** Packed single points with status change detection: SCD and QDS (IEC 60870-5-101, 7.2.6.40): ST in octets 1 and 2, CD in 3 and 4. */
import { expectRange } from './checks.ts';
import type { ElementCodec } from './element.ts';
import type { PackedObject } from './objects.ts';
import { putUintLe, u16le } from './octets.ts';
import { putQds, qds } from './qds.ts';

/** SCD QDS, 5 octets. */
export const packedElement: ElementCodec<PackedObject> = {
  kind: 'packed',
  length: 5,
  decode(octets, at, address, time) {
    return { kind: 'packed', address, value: u16le(octets, at), changes: u16le(octets, at + 2), quality: qds(octets, at + 4), time };
  },
  encode(object, octets, at) {
    expectRange('states of the packed points', object.value, 0, 0xffff);
    expectRange('changes of the packed points', object.changes, 0, 0xffff);
    putUintLe(octets, at, object.value, 2);
    putUintLe(octets, at + 2, object.changes, 2);
    putQds(object.quality, octets, at + 4);
  },
  read(octets, from, stride, count, { value, quality }) {
    for (let index = 0, at = from; index < count; index++, at += stride) {
      value[index] = u16le(octets, at);
      quality[index] = qds(octets, at + 4);
    }
  },
};
