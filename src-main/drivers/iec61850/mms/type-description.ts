import { say } from '#shared/messages/index.ts';
import type { BerElement, BerReader } from '../../../protocol-kit/ber/reader.ts';
import { booleanOf, octetsOf, smallIntegerOf, smallUnsignedOf, textOf } from '../../../protocol-kit/ber/values.ts';
import type { BerWriter } from '../../../protocol-kit/ber/writer.ts';
import { malformed } from '../../../protocol-kit/malformed.ts';
import { decodeAll } from './data.ts';
import { DATA_TAGS } from './data-tags.ts';
import type { MmsComponent, MmsType } from './types.ts';

const FLOAT_TAG = 0xa7;
const MAX_SIZE = 0x7fff_ffff;

/** The next element as TypeDescription (ISO 9506-2, GetVariableAccessAttributes). Throws `PROTOCOL_MALFORMED`. */
export function decodeType(reader: BerReader): MmsType {
  const element = reader.next();
  switch (element.tag) {
    case DATA_TAGS.structure: {
      const components = reader.inside(element).find(0xa1);
      if (components === null) throw malformed(say('mms.type_without_components'));
      return { kind: 'structure', components: decodeAll(reader.inside(element).inside(components), decodeComponent) };
    }
    case DATA_TAGS.array:
      return arrayOf(reader.inside(element));
    case FLOAT_TAG:
      return floatOf(reader.inside(element));
    default:
      return sizedOf(element);
  }
}

function decodeComponent(reader: BerReader): MmsComponent {
  const fields = reader.inside(reader.expect(0x30, 'Component of a structure type'));
  const name = fields.optional(0x80);
  const type = decodeType(fields.inside(fields.expect(0xa1, 'Type of a component')));
  return { name: name === null ? '' : textOf(name), type };
}

function arrayOf(reader: BerReader): MmsType {
  reader.optional(0x80);
  const count = smallUnsignedOf(reader.expect(0x81, 'Count of an array type'), MAX_SIZE, 'Count of an array type');
  return { kind: 'array', count, element: decodeType(reader.inside(reader.expect(0xa2, 'Type of array elements'))) };
}

function floatOf(reader: BerReader): MmsType {
  const width = smallUnsignedOf(reader.expect(0x02, 'Width of a float type'), 255, 'Width of a float type');
  const exponent = reader.optional(0x02);
  return { kind: 'float', width, exponentWidth: exponent === null ? 8 : smallUnsignedOf(exponent, 255, 'Exponent width of a float type') };
}

function sizedOf(element: BerElement): MmsType {
  const size = () => smallIntegerOf(element, MAX_SIZE, 'Size of a type');
  switch (element.tag) {
    case DATA_TAGS.boolean:
      return { kind: 'boolean' };
    case DATA_TAGS['utc-time']:
      return { kind: 'utc-time' };
    case DATA_TAGS['bit-string']:
      return { kind: 'bit-string', size: size() };
    case DATA_TAGS.integer:
      return { kind: 'integer', size: smallUnsignedOf(element, 255, 'Size of an integer type') };
    case DATA_TAGS.unsigned:
      return { kind: 'unsigned', size: smallUnsignedOf(element, 255, 'Size of an unsigned type') };
    case DATA_TAGS['octet-string']:
      return { kind: 'octet-string', size: size() };
    case DATA_TAGS['visible-string']:
      return { kind: 'visible-string', size: size() };
    case DATA_TAGS['mms-string']:
      return { kind: 'mms-string', size: size() };
    case DATA_TAGS['binary-time']:
      return { kind: 'binary-time', hasDate: booleanOf(element) };
    default:
      return { kind: 'other', tag: element.tag, octets: octetsOf(element) };
  }
}

/** Writes a type as TypeDescription. */
export function encodeType(writer: BerWriter, type: MmsType): BerWriter {
  switch (type.kind) {
    case 'structure':
      return writer.constructed(DATA_TAGS.structure, () =>
        writer.constructed(0xa1, () => {
          for (const component of type.components) encodeComponent(writer, component);
        }),
      );
    case 'array':
      return writer.constructed(DATA_TAGS.array, () => {
        writer.integer(0x81, type.count);
        writer.constructed(0xa2, () => encodeType(writer, type.element));
      });
    case 'float':
      return writer.constructed(FLOAT_TAG, () => {
        writer.integer(0x02, type.width);
        writer.integer(0x02, type.exponentWidth);
      });
    case 'boolean':
    case 'utc-time':
      return writer.empty(DATA_TAGS[type.kind]);
    case 'binary-time':
      return writer.boolean(DATA_TAGS['binary-time'], type.hasDate);
    case 'other':
      return writer.octets(type.tag, type.octets);
    default:
      return writer.integer(DATA_TAGS[type.kind], type.size);
  }
}

function encodeComponent(writer: BerWriter, { name, type }: MmsComponent): BerWriter {
  writer.constructed(0x30, () => {
    writer.text(0x80, name);
    writer.constructed(0xa1, () => encodeType(writer, type));
  });
  return writer;
}
