/** System information in both directions (IEC 60870-5-101, 7.3.3 and 7.3.4). */
import { expectRange } from './checks.ts';
import type { ElementCodec } from './element.ts';
import type { CounterInterrogationObject, EndOfInitObject, QualifierObject } from './objects.ts';
import { putUintLe, u16le } from './octets.ts';

/** Elements that are one octet; `what` names it in errors. */
export function octetElement(kind: QualifierObject['kind'], what: string): ElementCodec<QualifierObject> {
  return {
    kind,
    length: 1,
    decode: (octets, at, address, time) => ({ kind, address, value: octets[at] ?? 0, time }),
    encode(object, octets, at) {
      expectRange(what, object.value, 0, 0xff);
      octets[at] = object.value;
    },
    read: null,
  };
}

function wordElement(kind: QualifierObject['kind'], what: string): ElementCodec<QualifierObject> {
  return {
    kind,
    length: 2,
    decode: (octets, at, address, time) => ({ kind, address, value: u16le(octets, at), time }),
    encode(object, octets, at) {
      expectRange(what, object.value, 0, 0xffff);
      putUintLe(octets, at, object.value, 2);
    },
    read: null,
  };
}

function emptyElement(kind: QualifierObject['kind']): ElementCodec<QualifierObject> {
  return {
    kind,
    length: 0,
    decode: (_octets, _at, address, time) => ({ kind, address, value: 0, time }),
    encode: () => undefined,
    read: null,
  };
}

/** QOI, 1 octet. */
export const interrogationElement = octetElement('interrogation', 'qualifier of interrogation');
/** QRP, 1 octet. */
export const resetElement = octetElement('reset', 'qualifier of the reset');
/** FBP, 2 octets. */
export const testPatternElement = wordElement('testPattern', 'test pattern');
/** CP16, 2 octets. */
export const delayElement = wordElement('delay', 'delay');
/** TSC, 2 octets; the time tag stands behind it. */
export const testElement = wordElement('test', 'test sequence counter');
/** No element. */
export const readElement = emptyElement('read');
/** No element but the time tag. */
export const clockElement = emptyElement('clock');

/** COI, 1 octet. */
export const endOfInitElement: ElementCodec<EndOfInitObject> = {
  kind: 'endOfInit',
  length: 1,
  decode(octets, at, address, time) {
    const octet = octets[at] ?? 0;
    return { kind: 'endOfInit', address, value: octet & 0x7f, hasChangedParameters: (octet & 0x80) !== 0, time };
  },
  encode(object, octets, at) {
    expectRange('cause of initialization', object.value, 0, 0x7f);
    octets[at] = object.value | (object.hasChangedParameters ? 0x80 : 0);
  },
  read: null,
};

/** QCC, 1 octet. */
export const counterInterrogationElement: ElementCodec<CounterInterrogationObject> = {
  kind: 'counterInterrogation',
  length: 1,
  decode(octets, at, address, time) {
    const octet = octets[at] ?? 0;
    return { kind: 'counterInterrogation', address, request: octet & 0x3f, freeze: octet >> 6, time };
  },
  encode(object, octets, at) {
    expectRange('request of the counter interrogation', object.request, 0, 0x3f);
    expectRange('freeze of the counter interrogation', object.freeze, 0, 3);
    octets[at] = object.request | (object.freeze << 6);
  },
  read: null,
};
