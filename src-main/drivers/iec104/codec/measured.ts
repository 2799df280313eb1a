/** Measured values: normalized, scaled and short floating point with QDS; normalized without (IEC 60870-5-101, 7.3.1.9 to 7.3.1.14, 7.3.1.21). */
import type { ElementCodec } from './element.ts';
import { floatNumber, type NumberFormat, normalizedNumber, scaledNumber } from './numbers.ts';
import type { ValueObject } from './objects.ts';
import { putQds, qds } from './qds.ts';

type MeasuredKind = 'normalized' | 'scaled' | 'float';

function measured(kind: MeasuredKind, format: NumberFormat): ElementCodec<ValueObject> {
  const { length } = format;
  return {
    kind,
    length: length + 1,
    decode(octets, at, address, time) {
      return { kind, address, value: format.read(octets, at), quality: qds(octets, at + length), time };
    },
    encode(object, octets, at) {
      format.write(object.value, octets, at);
      putQds(object.quality, octets, at + length);
    },
    read(octets, from, stride, count, { value, quality }) {
      for (let index = 0, at = from; index < count; index++, at += stride) {
        value[index] = format.read(octets, at);
        quality[index] = qds(octets, at + length);
      }
    },
  };
}

/** NVA QDS, 3 octets. */
export const normalizedElement = measured('normalized', normalizedNumber);
/** SVA QDS, 3 octets. */
export const scaledElement = measured('scaled', scaledNumber);
/** R32 QDS, 5 octets. */
export const floatElement = measured('float', floatNumber);

/** NVA without quality, 2 octets; its quality is 0 and is not sent. */
export const bareNormalizedElement: ElementCodec<ValueObject> = {
  kind: 'normalized',
  length: 2,
  decode(octets, at, address, time) {
    return { kind: 'normalized', address, value: normalizedNumber.read(octets, at), quality: 0, time };
  },
  encode(object, octets, at) {
    normalizedNumber.write(object.value, octets, at);
  },
  read(octets, from, stride, count, { value, quality }) {
    for (let index = 0, at = from; index < count; index++, at += stride) {
      value[index] = normalizedNumber.read(octets, at);
      quality[index] = 0;
    }
  },
};
