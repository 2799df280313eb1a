/** Commands SCO, DCO, RCO (IEC 60870-5-101, 7.2.6.15 to 7.2.6.17) and set points with QOS (7.2.6.39). */
import { expectRange } from './checks.ts';
import type { ElementCodec } from './element.ts';
import { floatNumber, type NumberFormat, normalizedNumber, scaledNumber } from './numbers.ts';
import type { CommandObject } from './objects.ts';
import { putUintLe, u32le } from './octets.ts';

const SELECT = 0x80;

function command(kind: 'singleCommand' | 'doubleCommand' | 'stepCommand', states: 1 | 3): ElementCodec<CommandObject> {
  return {
    kind,
    length: 1,
    decode(octets, at, address, time) {
      const octet = octets[at] ?? 0;
      return { kind, address, value: octet & states, qualifier: (octet >> 2) & 0x1f, isSelect: (octet & SELECT) !== 0, time };
    },
    encode(object, octets, at) {
      expectRange('command value', object.value, 0, states);
      expectRange('qualifier of the command', object.qualifier, 0, 0x1f);
      octets[at] = object.value | (object.qualifier << 2) | (object.isSelect ? SELECT : 0);
    },
    read: null,
  };
}

function setPoint(kind: 'setNormalized' | 'setScaled' | 'setFloat', format: NumberFormat): ElementCodec<CommandObject> {
  const { length } = format;
  return {
    kind,
    length: length + 1,
    decode(octets, at, address, time) {
      const octet = octets[at + length] ?? 0;
      return { kind, address, value: format.read(octets, at), qualifier: octet & 0x7f, isSelect: (octet & SELECT) !== 0, time };
    },
    encode(object, octets, at) {
      format.write(object.value, octets, at);
      expectRange('qualifier of the set point', object.qualifier, 0, 0x7f);
      octets[at + length] = object.qualifier | (object.isSelect ? SELECT : 0);
    },
    read: null,
  };
}

/** SCO, 1 octet. */
export const singleCommandElement = command('singleCommand', 1);
/** DCO, 1 octet. */
export const doubleCommandElement = command('doubleCommand', 3);
/** RCO, 1 octet. */
export const stepCommandElement = command('stepCommand', 3);
/** NVA QOS, 3 octets. */
export const setNormalizedElement = setPoint('setNormalized', normalizedNumber);
/** SVA QOS, 3 octets. */
export const setScaledElement = setPoint('setScaled', scaledNumber);
/** R32 QOS, 5 octets. */
export const setFloatElement = setPoint('setFloat', floatNumber);

/** BSI, 4 octets, without qualifier (7.3.2.7). */
export const setBitsElement: ElementCodec<CommandObject> = {
  kind: 'setBits',
  length: 4,
  decode(octets, at, address, time) {
    return { kind: 'setBits', address, value: u32le(octets, at), qualifier: 0, isSelect: false, time };
  },
  encode(object, octets, at) {
    expectRange('bitstring', object.value, 0, 0xffff_ffff);
    // the type has no room for them: dropping them silently would turn a select into an execute
    expectRange('qualifier of the bitstring command', object.qualifier, 0, 0);
    expectRange('select bit of the bitstring command', object.isSelect ? 1 : 0, 0, 0);
    putUintLe(octets, at, object.value, 4);
  },
  read: null,
};
