/** Events of protection equipment: SEP, SPE with QDP, OCI with QDP, each with CP16 (IEC 60870-5-101, 7.2.6.4 and 7.2.6.10 to 7.2.6.12). */
import { expectRange } from './checks.ts';
import type { ElementCodec } from './element.ts';
import type { ProtectionObject } from './objects.ts';
import { putUintLe, u16le } from './octets.ts';

/** EI, BL, SB, NT, IV. */
const QDP_FLAGS = 0xf8;
/** BL, SB, NT, IV: what a point value shows; EI speaks of the elapsed time only. */
const VALUE_FLAGS = 0xf0;

/** SEP CP16, 3 octets: event state in bits 0 and 1, the flags of QDP in the same octet. */
export const protectionEventElement: ElementCodec<ProtectionObject> = {
  kind: 'protectionEvent',
  length: 3,
  decode(octets, at, address, time) {
    const octet = octets[at] ?? 0;
    return {
      kind: 'protectionEvent',
      address,
      value: octet & 3,
      quality: octet & QDP_FLAGS,
      elapsedMs: u16le(octets, at + 1),
      time,
    };
  },
  encode(object, octets, at) {
    expectRange('event state', object.value, 0, 3);
    expectRange('quality octet', object.quality, 0, 0xff);
    expectRange('elapsed time', object.elapsedMs, 0, 0xffff);
    octets[at] = object.value | (object.quality & QDP_FLAGS);
    putUintLe(octets, at + 1, object.elapsedMs, 2);
  },
  read(octets, from, stride, count, { value, quality }) {
    for (let index = 0, at = from; index < count; index++, at += stride) {
      const octet = octets[at] ?? 0;
      value[index] = octet & 3;
      quality[index] = octet & VALUE_FLAGS;
    }
  },
};

function packedEvent(kind: 'protectionStart' | 'protectionOutput', bits: number): ElementCodec<ProtectionObject> {
  return {
    kind,
    length: 4,
    decode(octets, at, address, time) {
      return {
        kind,
        address,
        value: (octets[at] ?? 0) & bits,
        quality: (octets[at + 1] ?? 0) & QDP_FLAGS,
        elapsedMs: u16le(octets, at + 2),
        time,
      };
    },
    encode(object, octets, at) {
      expectRange('bits of the protection event', object.value, 0, bits);
      expectRange('quality octet', object.quality, 0, 0xff);
      expectRange('elapsed time', object.elapsedMs, 0, 0xffff);
      octets[at] = object.value;
      octets[at + 1] = object.quality & QDP_FLAGS;
      putUintLe(octets, at + 2, object.elapsedMs, 2);
    },
    read(octets, from, stride, count, { value, quality }) {
      for (let index = 0, at = from; index < count; index++, at += stride) {
        value[index] = (octets[at] ?? 0) & bits;
        quality[index] = (octets[at + 1] ?? 0) & VALUE_FLAGS;
      }
    },
  };
}

/** SPE QDP CP16, 4 octets: GS, SL1, SL2, SL3, SIE, SRD. */
export const protectionStartElement = packedEvent('protectionStart', 0x3f);
/** OCI QDP CP16, 4 octets: GC, CL1, CL2, CL3. */
export const protectionOutputElement = packedEvent('protectionOutput', 0x0f);
