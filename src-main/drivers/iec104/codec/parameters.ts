/** Parameters of measured values with QPM, and parameter activation with QPA (IEC 60870-5-101, 7.2.6.24, 7.2.6.25, 7.3.5). */
import { expectRange } from './checks.ts';
import type { ElementCodec } from './element.ts';
import { floatNumber, type NumberFormat, normalizedNumber, scaledNumber } from './numbers.ts';
import type { ParameterObject } from './objects.ts';
import { octetElement } from './system.ts';

function parameter(kind: ParameterObject['kind'], format: NumberFormat): ElementCodec<ParameterObject> {
  const { length } = format;
  return {
    kind,
    length: length + 1,
    decode(octets, at, address, time) {
      return { kind, address, value: format.read(octets, at), qualifier: octets[at + length] ?? 0, time };
    },
    encode(object, octets, at) {
      format.write(object.value, octets, at);
      expectRange('qualifier of the parameter', object.qualifier, 0, 0xff);
      octets[at + length] = object.qualifier;
    },
    read: null,
  };
}

/** NVA QPM, 3 octets. */
export const parameterNormalizedElement = parameter('parameterNormalized', normalizedNumber);
/** SVA QPM, 3 octets. */
export const parameterScaledElement = parameter('parameterScaled', scaledNumber);
/** R32 QPM, 5 octets. */
export const parameterFloatElement = parameter('parameterFloat', floatNumber);
/** QPA, 1 octet. */
export const activationElement = octetElement('activation', 'qualifier of the parameter activation');
