import type { BerElement, BerReader } from '../../../protocol-kit/ber/reader.ts';
import { bitsOf, booleanOf, integerOf, octetsOf, smallIntegerOf, textOf, unsignedOf } from '../../../protocol-kit/ber/values.ts';
import type { BerWriter } from '../../../protocol-kit/ber/writer.ts';
import { DATA_TAGS } from './data-tags.ts';
import { plainData, SHORT_BITS, SINGLE, SINGLE_EXPONENT, SINGLE_OCTETS, shortBits } from './plain-data.ts';
import type { MmsResult, MmsValue } from './types.ts';

/** Tag of a failed item among results. */
const FAILURE_TAG = 0x80;

/** Elements up to the end of a reader, each through `decode`. */
export function decodeAll<Item>(reader: BerReader, decode: (reader: BerReader) => Item): Item[] {
  const items: Item[] = [];
  while (!reader.isAtEnd) items.push(decode(reader));
  return items;
}

/** The next element as Data. Throws `PROTOCOL_MALFORMED`. */
export function decodeValue(reader: BerReader): MmsValue {
  return reader.take(plainData) ?? valueIn(reader.next(), reader);
}

/** As `decodeValue`, element by element: of data that is not plain all the way down. */
export function decodePart(reader: BerReader): MmsValue {
  return valueIn(reader.next(), reader);
}

/** The next element as AccessResult. Throws `PROTOCOL_MALFORMED`. */
export function decodeResult(reader: BerReader): MmsResult {
  const plain = reader.take(plainData);
  if (plain) return plain;
  const element = reader.next();
  if (element.tag !== FAILURE_TAG) return valueIn(element, reader);
  return { kind: 'failure', code: smallIntegerOf(element, 255, 'DataAccessError') };
}

function valueIn(element: BerElement, reader: BerReader): MmsValue {
  switch (element.tag) {
    case DATA_TAGS.array:
      return { kind: 'array', items: decodeAll(reader.inside(element), decodePart) };
    case DATA_TAGS.structure:
      return { kind: 'structure', items: decodeAll(reader.inside(element), decodePart) };
    default:
      return primitiveOf(element) ?? { kind: 'other', tag: element.tag, octets: octetsOf(element) };
  }
}

/** Null for an unknown tag and for a length that does not suit the type: one odd value must not spoil the answer. */
function primitiveOf(element: BerElement): MmsValue | null {
  const length = element.end - element.valueAt;
  switch (element.tag) {
    case DATA_TAGS.boolean:
      return length === 1 ? { kind: 'boolean', value: booleanOf(element) } : null;
    case DATA_TAGS['bit-string']: {
      const unused = element.octets[element.valueAt] ?? 0;
      if (length <= 1) return emptyBits(length, unused);
      if (unused > 7) return null;
      return length <= SHORT_BITS ? shortBits(element.octets, element.valueAt, length) : { kind: 'bit-string', ...bitsOf(element) };
    }
    case DATA_TAGS.integer:
      return length > 0 && length <= 16 ? { kind: 'integer', value: integerOf(element) } : null;
    case DATA_TAGS.unsigned:
      return length > 0 && length <= 16 ? { kind: 'unsigned', value: unsignedOf(element) } : null;
    case DATA_TAGS.float:
      return floatOf(element, length);
    default:
      return stringOf(element, length);
  }
}

function emptyBits(length: number, unused: number): MmsValue | null {
  return length === 1 && unused === 0 ? { kind: 'bit-string', size: 0, octets: new Uint8Array(0) } : null;
}

function stringOf(element: BerElement, length: number): MmsValue | null {
  switch (element.tag) {
    case DATA_TAGS['octet-string']:
      return { kind: 'octet-string', octets: octetsOf(element) };
    case DATA_TAGS['visible-string']:
      return { kind: 'visible-string', text: textOf(element) };
    case DATA_TAGS['mms-string']:
      return { kind: 'mms-string', text: textOf(element) };
    case DATA_TAGS['binary-time']:
      return length === 4 || length === 6 ? { kind: 'binary-time', octets: octetsOf(element) } : null;
    case DATA_TAGS['utc-time']:
      return length === 8 ? { kind: 'utc-time', octets: octetsOf(element) } : null;
    default:
      return null;
  }
}

/** Numbers pass through here: a view of its own for each would cost more than the number. */
const DOUBLE = new DataView(new ArrayBuffer(9));
const DOUBLE_OCTETS = new Uint8Array(DOUBLE.buffer);
const DOUBLE_EXPONENT = 11;

function floatOf({ octets, valueAt }: BerElement, length: number): MmsValue | null {
  const exponentWidth = octets[valueAt];
  if (length === 5 && exponentWidth === SINGLE_EXPONENT) {
    for (let at = 1; at < 5; at++) SINGLE_OCTETS[at] = octets[valueAt + at] ?? 0;
    return { kind: 'float', value: SINGLE.getFloat32(1), width: 32 };
  }
  if (length !== 9 || exponentWidth !== DOUBLE_EXPONENT) return null;
  for (let at = 1; at < 9; at++) DOUBLE_OCTETS[at] = octets[valueAt + at] ?? 0;
  return { kind: 'float', value: DOUBLE.getFloat64(1), width: 64 };
}

/** Writes a value as Data, numbers in their shortest form. */
export function encodeValue(writer: BerWriter, value: MmsValue): BerWriter {
  switch (value.kind) {
    case 'other':
      return writer.octets(value.tag, value.octets);
    case 'array':
    case 'structure':
      return writer.constructed(DATA_TAGS[value.kind], () => {
        for (const item of value.items) encodeValue(writer, item);
      });
    case 'boolean':
      return writer.boolean(DATA_TAGS.boolean, value.value);
    case 'bit-string':
      return writer.bits(DATA_TAGS['bit-string'], value.size, value.octets);
    case 'integer':
    case 'unsigned':
      return writer.integer(DATA_TAGS[value.kind], value.value);
    case 'float':
      return writer.octets(DATA_TAGS.float, floatOctets(value.value, value.width));
    case 'visible-string':
    case 'mms-string':
      return writer.text(DATA_TAGS[value.kind], value.text);
    default:
      return writer.octets(DATA_TAGS[value.kind], value.octets);
  }
}

/** Writes an AccessResult. */
export function encodeResult(writer: BerWriter, result: MmsResult): BerWriter {
  if (result.kind === 'failure') writer.integer(FAILURE_TAG, result.code);
  else encodeValue(writer, result);
  return writer;
}

/** Exponent width and number; the same octets each time, to be copied at once. */
function floatOctets(value: number, width: 32 | 64): Uint8Array {
  if (width === 32) {
    SINGLE_OCTETS[0] = SINGLE_EXPONENT;
    SINGLE.setFloat32(1, value);
    return SINGLE_OCTETS;
  }
  DOUBLE_OCTETS[0] = DOUBLE_EXPONENT;
  DOUBLE.setFloat64(1, value);
  return DOUBLE_OCTETS;
}
