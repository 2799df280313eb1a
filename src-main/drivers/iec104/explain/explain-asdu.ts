import { openAsdu } from '../codec/asdu.ts';
import { causeName } from '../codec/causes.ts';
import { fittingSizes, sizesText } from '../codec/fitting-sizes.ts';
import { uintLe } from '../codec/octets.ts';
import { type AsduSizes, broadcastAddress, headerLength } from '../codec/sizes.ts';
import { decodeCp24, decodeCp56, TIME_TAG_LENGTH } from '../codec/time-tags.ts';
import { type TypeSpec, typeSpec, typeText } from '../codec/types.ts';
import type { FieldText, NodeWriter } from './explain-nodes.ts';
import { ELEMENT_FIELDS, TIME_FIELDS } from './explain-objects.ts';
import { timeProblem, words } from './explain-wording.ts';

/** Writes the nodes of an ASDU, from where the writer stands to the end; answers its line for the frame list. Never throws. */
export function explainAsdu(writer: NodeWriter, sizes: AsduSizes): string {
  const problem = problemOf(writer.bytes, writer.at, sizes);
  let summary = '';
  writer.group('ASDU', () => {
    summary = writeAsdu(writer, sizes);
    return problem === null ? { value: summary } : { value: summary, error: problem };
  });
  return problem === null ? summary : `malformed ${summary}`;
}

/** Why the codec refuses the ASDU, and which other sizes would fit; null when it does not. */
function problemOf(bytes: Uint8Array, at: number, sizes: AsduSizes): string | null {
  try {
    openAsdu(bytes, sizes, at);
    return null;
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    const [other] = fittingSizes(bytes, at);
    if (other === undefined) return message;
    return `${message} Octets of cause, common address and object address are set to ${sizesText(sizes)}; ${sizesText(other)} would fit.`;
  }
}

function writeAsdu(writer: NodeWriter, sizes: AsduSizes): string {
  const { bytes, at } = writer;
  const type = typeSpec(bytes[at] ?? 0);
  const qualifier = bytes[at + 1] ?? 0;
  const isSequence = qualifier >= 0x80;
  writeHeader(writer, sizes, type);
  const bodyAt = at + headerLength(sizes);
  const header = headerSummary(bytes, at, sizes);
  if (type === null) {
    writer.block('objects of a type that is not decoded', writer.left);
    return header;
  }
  const first = writer.left > 0 ? uintLe(bytes, bodyAt, sizes.objectAddress) : 0;
  const value = writeObjects(writer, type, isSequence, qualifier & 0x7f, sizes);
  writer.finish();
  return `${header}${objectsSummary(type, qualifier & 0x7f, first, value)}`;
}

function writeHeader(writer: NodeWriter, sizes: AsduSizes, type: TypeSpec | null): void {
  writer.field('type identification', 1, (bytes, at) => typeField(bytes[at] ?? 0, type));
  writer.field('variable structure qualifier', 1, (bytes, at) => {
    const octet = bytes[at] ?? 0;
    return {
      value: `SQ ${octet >> 7} (${octet >= 0x80 ? 'one address, elements in sequence' : 'an address each'}), ${countText(octet & 0x7f)}`,
    };
  });
  writer.field('cause of transmission', 1, (bytes, at) => causeField(bytes[at] ?? 0));
  writer.field('originator address', sizes.cause - 1, (bytes, at) => {
    const originator = bytes[at] ?? 0;
    return { value: originator === 0 ? '0 (not used)' : String(originator) };
  });
  writer.field('common address', sizes.commonAddress, (bytes, at) => {
    const address = uintLe(bytes, at, sizes.commonAddress);
    if (address === 0) return { value: '0', warning: 'not used by the standard' };
    return { value: address === broadcastAddress(sizes) ? `${address} (all stations)` : String(address) };
  });
}

function countText(count: number): string {
  return count === 1 ? '1 object' : `${count} objects`;
}

function typeField(typeId: number, type: TypeSpec | null): FieldText {
  const value = typeText(typeId);
  if (type === null) return { value, warning: 'not decoded here' };
  const text = `${value}, ${type.name}${type.time === null ? '' : `, ${type.time.toUpperCase()} time tag`}`;
  return type.isSerialOnly ? { value: text, warning: 'of the serial profile, not allowed in 104' } : { value: text };
}

function causeField(octet: number): FieldText {
  const name = causeName(octet & 0x3f);
  const value = `${octet & 0x3f} (${name ?? 'reserved'}), ${octet & 0x40 ? 'negative' : 'positive'}${octet & 0x80 ? ', test' : ''}`;
  return name === null ? { value, warning: 'not defined by the standard' } : { value };
}

function headerSummary(bytes: Uint8Array, at: number, sizes: AsduSizes): string {
  const cause = bytes[at + 2] ?? 0;
  const commonAddress = uintLe(bytes, at + 2 + sizes.cause, sizes.commonAddress);
  const marks = `${cause & 0x40 ? ', negative' : ''}${cause & 0x80 ? ', test' : ''}`;
  return `${typeText(bytes[at] ?? 0)}, ${causeName(cause & 0x3f) ?? `cause ${cause & 0x3f}`}${marks}, station ${commonAddress}`;
}

function objectsSummary(type: TypeSpec, count: number, first: number, value: string): string {
  if (count === 1) {
    const address = first === 0 ? '' : `, object ${first}`;
    return value === '' ? address : `${address}: ${value}`;
  }
  return type.isList ? `, ${countText(count)}${count === 0 ? '' : ` from ${first}`}` : '';
}

/** Writes the objects that are there, and none beyond the end; answers the text of the first one. */
function writeObjects(writer: NodeWriter, type: TypeSpec, isSequence: boolean, count: number, sizes: AsduSizes): string {
  let address = 0;
  let summary = '';
  for (let index = 0; index < count && writer.left > 0; index++) {
    const hasAddress = !isSequence || index === 0;
    address = hasAddress ? uintLe(writer.bytes, writer.at, sizes.objectAddress) : address + 1;
    writer.group(address === 0 ? 'object' : `object ${address}`, () => {
      if (hasAddress) writer.field('information object address', sizes.objectAddress, () => ({ value: addressText(address, sizes) }));
      const value = writeElements(writer, type);
      if (index === 0) summary = value;
      return { value };
    });
  }
  return summary;
}

function addressText(address: number, sizes: AsduSizes): string {
  if (address === 0) return '0 (not used)';
  return `${address} (0x${address
    .toString(16)
    .toUpperCase()
    .padStart(2 * sizes.objectAddress, '0')})`;
}

/** Elements and time tag of one object; answers what they say. */
function writeElements(writer: NodeWriter, type: TypeSpec): string {
  const said: string[] = [];
  let left = type.element.length;
  for (const { name, length, text } of ELEMENT_FIELDS[type.element.kind]) {
    if (left < length) break;
    left -= length;
    writer.field(name, length, (bytes, at) => {
      const field = text(bytes, at);
      said.push(field.value);
      return field;
    });
  }
  if (type.time !== null) writeTime(writer, type.time, said);
  return said.join(', ');
}

function writeTime(writer: NodeWriter, kind: 'cp24' | 'cp56', said: string[]): void {
  writer.group(kind === 'cp56' ? 'time tag (CP56Time2a)' : 'time tag (CP24Time2a)', () => {
    const { bytes, at, left } = writer;
    for (const { name, length, text } of TIME_FIELDS[kind]) writer.field(name, length, text);
    if (left < TIME_TAG_LENGTH[kind]) return { value: 'unfinished' };
    const tag = kind === 'cp56' ? decodeCp56(bytes, at) : decodeCp24(bytes, at);
    const value = words.time(tag);
    said.push(value);
    const problem = timeProblem(tag);
    return problem === null ? { value } : { value, warning: problem };
  });
}
