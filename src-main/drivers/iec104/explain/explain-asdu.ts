import { toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { names } from '#shared/messages/message.ts';
import type { FieldText, NodeWriter } from '../../kit/explain/node-writer.ts';
import { joined, numbered } from '../../kit/explain/nodes.ts';
import type { FrameText } from '../../spi/index.ts';
import { openAsdu } from '../codec/asdu.ts';
import { causeNames } from '../codec/causes.ts';
import { fittingSizes, sizesText } from '../codec/fitting-sizes.ts';
import { uintLe } from '../codec/octets.ts';
import { type AsduSizes, broadcastAddress, headerLength } from '../codec/sizes.ts';
import { decodeCp24, decodeCp56, TIME_TAG_LENGTH } from '../codec/time-tags.ts';
import { mnemonicText, type TypeSpec, typeSpec } from '../codec/types.ts';
import { ELEMENT_FIELDS, TIME_FIELDS } from './explain-objects.ts';
import { timeProblem, words } from './explain-wording.ts';

const RESERVED = names('reserved', '保留');

/** Writes the nodes of an ASDU, from where the writer stands to the end; answers its line for the frame list. Never throws. */
export function explainAsdu(writer: NodeWriter, sizes: AsduSizes): FrameText {
  const problem = problemOf(writer.bytes, writer.at, sizes);
  let summary: FrameText = '';
  writer.group('ASDU', () => {
    summary = writeAsdu(writer, sizes);
    return problem === null ? { value: summary } : { value: summary, error: problem };
  });
  return problem === null ? summary : say('frame.malformed', { text: summary });
}

/** Why the codec refuses the ASDU, and which other sizes would fit; null when it does not. */
function problemOf(bytes: Uint8Array, at: number, sizes: AsduSizes): FrameText | null {
  try {
    openAsdu(bytes, sizes, at);
    return null;
  } catch (thrown) {
    const problem = toAppError(thrown).said;
    const [other] = fittingSizes(bytes, at);
    if (other === undefined) return problem;
    return say('iec104frame.sizes_fit', { problem, sizes: sizesText(sizes), fitting: sizesText(other) });
  }
}

function writeAsdu(writer: NodeWriter, sizes: AsduSizes): FrameText {
  const { bytes, at } = writer;
  const type = typeSpec(bytes[at] ?? 0);
  const qualifier = bytes[at + 1] ?? 0;
  const isSequence = qualifier >= 0x80;
  writeHeader(writer, sizes, type);
  const bodyAt = at + headerLength(sizes);
  const header = headerSummary(bytes, at, sizes);
  if (type === null) {
    writer.block(say('iec104frame.raw_objects'), writer.left);
    return header;
  }
  const first = writer.left > 0 ? uintLe(bytes, bodyAt, sizes.objectAddress) : 0;
  const value = writeObjects(writer, type, isSequence, qualifier & 0x7f, sizes);
  writer.finish();
  return objectsSummary(header, type, qualifier & 0x7f, first, value);
}

function writeHeader(writer: NodeWriter, sizes: AsduSizes, type: TypeSpec | null): void {
  writer.octet(say('iec104frame.type_id'), (octet) => typeField(octet, type));
  writer.octet(say('iec104frame.qualifier'), (octet) => ({
    value: joined([say(octet >= 0x80 ? 'iec104frame.sequence' : 'iec104frame.separate'), countText(octet & 0x7f)]),
  }));
  writer.octet(say('iec104frame.cause'), causeField);
  writer.field(say('iec104frame.originator'), sizes.cause - 1, (bytes, at) => {
    const originator = bytes[at] ?? 0;
    return { value: originator === 0 ? numbered(0, say('iec104frame.not_used')) : String(originator) };
  });
  writer.field(say('iec104frame.common_address'), sizes.commonAddress, (bytes, at) => {
    const address = uintLe(bytes, at, sizes.commonAddress);
    if (address === 0) return { value: '0', warning: say('iec104frame.not_used_by_standard') };
    return { value: address === broadcastAddress(sizes) ? numbered(address, say('iec104frame.all_stations')) : String(address) };
  });
}

function countText(count: number): FrameText {
  return count === 1 ? say('iec104frame.single_object') : say('iec104frame.object_count', { count });
}

/** `M_ME_NC_1 (13)`; `type 200` where it has no name here. */
function typeText(typeId: number): FrameText {
  return mnemonicText(typeId) ?? say('iec104frame.type', { type: typeId });
}

function typeField(typeId: number, type: TypeSpec | null): FieldText {
  const said = typeText(typeId);
  if (type === null) return { value: said, warning: say('iec104frame.not_decoded') };
  const { name, time } = type;
  const value =
    time === null
      ? say('iec104frame.type_of', { type: said, name })
      : say('iec104frame.type_of_tagged', { type: said, name, tag: time.toUpperCase() });
  return type.isSerialOnly ? { value, warning: say('iec104frame.serial_only') } : { value };
}

function causeField(octet: number): FieldText {
  const name = causeNames(octet & 0x3f);
  const sign = say(octet & 0x40 ? 'iec104frame.negative' : 'iec104frame.positive');
  const value = joined([numbered(octet & 0x3f, name ?? RESERVED), sign, octet & 0x80 ? say('iec104frame.test') : '']);
  return name === null ? { value, warning: say('iec104frame.cause_undefined') } : { value };
}

function headerSummary(bytes: Uint8Array, at: number, sizes: AsduSizes): FrameText {
  const octet = bytes[at + 2] ?? 0;
  const said = {
    type: typeText(bytes[at] ?? 0),
    cause: causeNames(octet & 0x3f) ?? say('iec104frame.cause_number', { cause: octet & 0x3f }),
    station: uintLe(bytes, at + 2 + sizes.cause, sizes.commonAddress),
  };
  const marks = joined([octet & 0x40 ? say('iec104frame.negative') : '', octet & 0x80 ? say('iec104frame.test') : '']);
  return marks === '' ? say('iec104frame.summary', said) : say('iec104frame.summary_marked', { ...said, marks });
}

/** The line of the ASDU: `value` is what its first object says, `first` the address of that. */
function objectsSummary(head: FrameText, type: TypeSpec, count: number, first: number, value: FrameText): FrameText {
  if (count !== 1) {
    if (!type.isList) return head;
    return count === 0 ? say('iec104frame.of_none', { head }) : say('iec104frame.of_objects', { head, count, first });
  }
  if (first === 0) return value === '' ? head : say('iec104frame.of_value', { head, value });
  const said = { head, address: first };
  return value === '' ? say('iec104frame.of_object', said) : say('iec104frame.of_object_value', { ...said, value });
}

/** Writes the objects that are there, and none beyond the end; answers the text of the first one. */
function writeObjects(writer: NodeWriter, type: TypeSpec, isSequence: boolean, count: number, sizes: AsduSizes): FrameText {
  let address = 0;
  let summary: FrameText = '';
  const shown = writer.isMute ? Math.min(1, count) : count;
  for (let index = 0; index < shown && writer.left > 0; index++) {
    const hasAddress = !isSequence || index === 0;
    address = hasAddress ? uintLe(writer.bytes, writer.at, sizes.objectAddress) : address + 1;
    writer.group(address === 0 ? say('iec104frame.object') : say('iec104frame.object_at', { address }), () => {
      if (hasAddress) {
        writer.field(say('iec104frame.object_address'), sizes.objectAddress, () => ({ value: addressText(address, sizes) }));
      }
      const value = writeElements(writer, type);
      if (index === 0) summary = value;
      return { value };
    });
  }
  return summary;
}

function addressText(address: number, sizes: AsduSizes): FrameText {
  if (address === 0) return numbered(0, say('iec104frame.not_used'));
  return `${address} (0x${address
    .toString(16)
    .toUpperCase()
    .padStart(2 * sizes.objectAddress, '0')})`;
}

/** Elements and time tag of one object; answers what they say. */
function writeElements(writer: NodeWriter, type: TypeSpec): FrameText {
  const said: FrameText[] = [];
  let left = type.element.length;
  for (const { name, length, text } of ELEMENT_FIELDS[type.element.kind]) {
    if (left < length) break;
    left -= length;
    const isWhole = writer.left >= length;
    const field = isWhole ? text(writer.bytes, writer.at) : null;
    if (field) said.push(field.value);
    writer.field(name, length, (bytes, at) => field ?? text(bytes, at));
  }
  if (type.time !== null) writeTime(writer, type.time, said);
  return joined(said);
}

function writeTime(writer: NodeWriter, kind: 'cp24' | 'cp56', said: FrameText[]): void {
  writer.group(say(kind === 'cp56' ? 'iec104frame.time_cp56' : 'iec104frame.time_cp24'), () => {
    const { bytes, at, left } = writer;
    for (const { name, length, text } of TIME_FIELDS[kind]) writer.field(name, length, text);
    if (left < TIME_TAG_LENGTH[kind]) return { value: say('iec104frame.unfinished') };
    const tag = kind === 'cp56' ? decodeCp56(bytes, at) : decodeCp24(bytes, at);
    const value = words.time(tag);
    said.push(value);
    const problem = timeProblem(tag);
    return problem === null ? { value } : { value, warning: problem };
  });
}
