/** Shapes of the PDUs of MMS, service by service (ISO 9506-2). Values are read by the codecs that run. */
import { say } from '#shared/messages/index.ts';
import { names as both, type Names } from '#shared/messages/message.ts';
import { type BerElement, BerReader } from '../../../protocol-kit/ber/reader.ts';
import { bitsOf, booleanOf, integerOf, octetsOf, textOf, unsignedOf } from '../../../protocol-kit/ber/values.ts';
import { numbered } from '../../kit/explain/nodes.ts';
import type { FrameText } from '../../spi/index.ts';
import { decodeResult } from '../mms/data.ts';
import { DATA_TAGS } from '../mms/data-tags.ts';
import { decodeName, decodeSpec, decodeVariable } from '../mms/names.ts';
import { REQUEST_TAGS } from '../mms/requests.ts';
import { RESPONSE_TAGS } from '../mms/responses.ts';
import { decodeServiceError } from '../mms/service-error.ts';
import { decodeType } from '../mms/type-description.ts';
import { accessErrorText, errorText, rejectText } from '../mms/words.ts';
import { byTag, type Lookup, octetText, type Shape } from './tree.ts';
import { boolText, KIND_NAMES, nameText, specText, typeText, valueText, variableText } from './value-text.ts';

/** A service as ISO 9506 writes it; in Chinese with that in brackets. */
function service(en: string, zh: string): FrameText {
  return say('mmsframe.service', { name: both(en, `${zh}（${en}）`) });
}

/** Names of the services. */
export const SERVICE_NAMES = {
  status: service('Status', '状态'),
  'get-name-list': service('GetNameList', '取名称列表'),
  identify: service('Identify', '标识'),
  read: service('Read', '读'),
  write: service('Write', '写'),
  'get-variable-access-attributes': service('GetVariableAccessAttributes', '取变量访问属性'),
  'define-named-variable-list': service('DefineNamedVariableList', '定义有名变量列表'),
  'get-named-variable-list-attributes': service('GetNamedVariableListAttributes', '取有名变量列表属性'),
  'delete-named-variable-list': service('DeleteNamedVariableList', '删除有名变量列表'),
  'file-open': service('FileOpen', '打开文件'),
  'file-read': service('FileRead', '读文件'),
  'file-close': service('FileClose', '关闭文件'),
  'file-directory': service('FileDirectory', '文件目录'),
  'read-journal': service('ReadJournal', '读日志'),
  'initialize-journal': service('InitializeJournal', '初始化日志'),
} as const satisfies Record<keyof typeof REQUEST_TAGS, FrameText>;
/** The one unconfirmed service. */
export const REPORT_NAME = service('InformationReport', '信息报告');

const FLOAT_TYPE = 0xa7;
/** Classes of objects that have names. */
export const OBJECT_CLASSES: Readonly<Record<number, Names>> = {
  0: both('variables', '变量'),
  2: both('variable lists', '有名变量列表'),
  8: both('journals', '日志'),
  9: both('domains', '域'),
};
const ANOTHER_CLASS = both('another class', '其他类别');

/** Reader that stands before the element itself. */
function at({ octets, start, end }: BerElement): BerReader {
  return new BerReader(octets, undefined, start, end);
}

/** Reader of what is inside. */
function within({ octets, valueAt, end }: BerElement): BerReader {
  return new BerReader(octets, undefined, valueAt, end);
}

const number = (name: FrameText): Shape => ({ name, value: (element) => String(unsignedOf(element)) });
const text = (name: FrameText): Shape => ({ name, value: (element) => `"${textOf(element)}"` });
const flag = (name: FrameText): Shape => ({ name, value: (element) => boolText(booleanOf(element)) });
const octets = (name: FrameText): Shape => ({ name, value: (element) => octetText(octetsOf(element)) || say('frame.empty') });
const empty = (name: FrameText): Shape => ({ name, value: () => '' });
const invokeId = number('invokeID');

/** An object name of any scope: two parts of a domain, one of the VMD or the association. */
const anyName =
  (name: FrameText): Lookup =>
  (tag) => {
    const value = (element: BerElement) => nameText(decodeName(at(element)));
    if ((tag & 0x20) === 0) return { name, value };
    return { name, value, inside: (_, index) => text(tag === 0xa1 && index === 0 ? say('mmsframe.domain') : say('mmsframe.item')) };
  };
const namedBy = (name: FrameText): Shape => ({
  name,
  value: (element) => nameText(decodeName(within(element))),
  inside: anyName(say('mmsframe.name')),
});

const variable: Shape = {
  name: say('mmsframe.variable'),
  value: (element) => variableText(decodeVariable(at(element))),
  inside: byTag({ 160: namedBy(say('mmsframe.name')), 165: { name: say('mmsframe.alternate_access') } }),
};
const variables = (name: FrameText): Shape => ({ name, inside: () => variable });
const SPEC: Lookup = byTag({ 160: variables(say('mmsframe.variables')), 161: namedBy(say('mmsframe.variable_list')) });
const spec = (name: FrameText): Shape => ({ name, value: (element) => specText(decodeSpec(within(element))), inside: SPEC });

const DATA_NAMES: ReadonlyMap<number, FrameText> = new Map(
  Object.entries(DATA_TAGS).map(([kind, tag]) => [tag, say('mmsframe.kind', { kind: KIND_NAMES[kind as keyof typeof DATA_TAGS] })]),
);

/** `text` behind whose it is, where that is known. */
function labelled(label: FrameText | undefined, text: FrameText): FrameText {
  return label === undefined ? text : say('frame.labelled', { label, text });
}

/** A value or a failure; `name` tells whose it is. */
function dataShape(tag: number, name: FrameText | undefined): Shape {
  const kind = tag === 0x80 ? say('mmsframe.failure') : (DATA_NAMES.get(tag) ?? say('mmsframe.other_type'));
  const shape = {
    name: labelled(name, kind),
    value: (element: BerElement) => valueText(decodeResult(at(element))),
  };
  return tag === DATA_TAGS.structure || tag === DATA_TAGS.array ? { ...shape, inside: (inner) => dataShape(inner, undefined) } : shape;
}

/** Results in the order of what was asked for, whose names are given as far as they are known. */
const results = (name: FrameText, names: readonly FrameText[]): Shape => ({ name, inside: (tag, index) => dataShape(tag, names[index]) });

/** A type; components have names. */
const typeShape: Lookup = (tag) => {
  const shape = { name: say('mmsframe.type'), value: (element: BerElement) => typeText(decodeType(at(element))) };
  if (tag === DATA_TAGS.structure) return { ...shape, inside: byTag({ 128: flag(say('mmsframe.packed')), 161: components }) };
  if (tag === DATA_TAGS.array) return { ...shape, inside: ARRAY };
  return tag === FLOAT_TYPE
    ? { ...shape, inside: (_, index) => number(index === 0 ? say('mmsframe.width') : say('mmsframe.exponent_width')) }
    : shape;
};
const component: Shape = {
  name: say('mmsframe.component'),
  value: (element) => `"${textOf(within(element).expect(0x80, 'Name of a component'))}"`,
  inside: byTag({ 128: text(say('mmsframe.name')), 161: { name: say('mmsframe.type'), inside: (tag) => typeShape(tag, 0) } }),
};
const components: Shape = { name: say('mmsframe.components'), inside: () => component };
const ARRAY: Lookup = byTag({
  128: flag(say('mmsframe.packed')),
  129: number(say('mmsframe.count')),
  162: { name: say('mmsframe.elements'), inside: (tag) => typeShape(tag, 0) },
});

const fileName = (name: FrameText): Shape => ({ name, inside: () => text(say('mmsframe.name_part')) });
const attributes: Shape = {
  name: say('mmsframe.attributes'),
  inside: byTag({ 128: number(say('mmsframe.size')), 129: text(say('mmsframe.modified')) }),
};
const occurrence: Shape = {
  name: say('mmsframe.entry_time'),
  value: (element) => valueText({ kind: 'binary-time', octets: octetsOf(element) }),
};
/** Where a journal is read from or to: a time, or an entry; behind so many entries where `isCounted`. */
const journalLimit = (name: FrameText, isCounted: boolean): Shape => ({
  name,
  inside: byTag({
    128: occurrence,
    129: isCounted ? { name: say('mmsframe.count'), value: (element) => String(integerOf(element)) } : octets(say('mmsframe.entry_id')),
  }),
});
const objectClass: Shape = {
  name: say('mmsframe.class'),
  value: (element) => numbered(integerOf(element), OBJECT_CLASSES[Number(integerOf(element))] ?? ANOTHER_CLASS),
};

/** Services of a request without their names. */
const REQUESTS: Readonly<Record<keyof typeof REQUEST_TAGS, Omit<Shape, 'name'>>> = {
  status: { value: (element) => (booleanOf(element) ? say('mmsframe.extended') : '') },
  identify: { value: () => '' },
  'get-name-list': {
    inside: byTag({
      160: { name: say('mmsframe.class'), inside: () => objectClass },
      161: {
        name: say('mmsframe.scope'),
        inside: byTag({ 128: empty('VMD'), 129: text(say('mmsframe.domain')), 130: empty(say('mmsframe.association')) }),
      },
      130: text(say('mmsframe.continue_after')),
    }),
  },
  read: { inside: byTag({ 128: flag(say('mmsframe.specification_with_result')), 161: spec(say('mmsframe.what_to_read')) }) },
  write: {
    inside: (tag, index) => {
      if (index > 0) return { name: say('mmsframe.values'), inside: (inner) => dataShape(inner, undefined) };
      return tag === 0xa0 ? variables(say('mmsframe.variables')) : namedBy(say('mmsframe.variable_list'));
    },
  },
  'get-variable-access-attributes': { inside: byTag({ 160: namedBy(say('mmsframe.name')) }) },
  'define-named-variable-list': {
    inside: (tag, index) => (index > 0 ? variables(say('mmsframe.members')) : anyName(say('mmsframe.name'))(tag, index)),
  },
  'get-named-variable-list-attributes': { inside: anyName(say('mmsframe.name')) },
  'delete-named-variable-list': {
    inside: byTag({ 128: number(say('mmsframe.scope')), 161: { name: say('mmsframe.names'), inside: anyName(say('mmsframe.name')) } }),
  },
  'file-open': { inside: byTag({ 160: fileName(say('mmsframe.name')), 129: number(say('mmsframe.position')) }) },
  'file-read': { value: (element) => say('mmsframe.handle_number', { handle: String(integerOf(element)) }) },
  'file-close': { value: (element) => say('mmsframe.handle_number', { handle: String(integerOf(element)) }) },
  'file-directory': { inside: byTag({ 160: fileName(say('mmsframe.name')), 161: fileName(say('mmsframe.continue_after')) }) },
  'read-journal': {
    inside: byTag({
      160: namedBy(say('mmsframe.name')),
      161: journalLimit(say('mmsframe.journal_start'), false),
      162: journalLimit(say('mmsframe.journal_stop'), true),
      164: { name: say('mmsframe.variables'), inside: () => text(say('mmsframe.name')) },
      165: journalLimit(say('mmsframe.continue_after'), false),
    }),
  },
  'initialize-journal': { inside: byTag({ 160: namedBy(say('mmsframe.name')), 161: journalLimit(say('mmsframe.journal_stop'), false) }) },
};

const journalVariable: Shape = {
  name: say('mmsframe.variable'),
  inside: byTag({ 128: text(say('mmsframe.name')), 161: { name: say('mmsframe.value'), inside: (tag) => dataShape(tag, undefined) } }),
};
const journalEntry: Shape = {
  name: say('mmsframe.entry'),
  inside: byTag({
    128: octets(say('mmsframe.entry_id')),
    162: {
      name: say('mmsframe.entry_content'),
      inside: byTag({
        128: occurrence,
        162: { name: say('mmsframe.values'), inside: byTag({ 161: { name: say('mmsframe.variables'), inside: () => journalVariable } }) },
        131: text(say('mmsframe.additional_text')),
      }),
    },
  }),
};

const directoryEntry: Shape = { name: say('mmsframe.entry'), inside: byTag({ 160: fileName(say('mmsframe.name')), 161: attributes }) };

/** Services of a response; `names` are those of the request that it answers. */
function responses(names: readonly FrameText[]): Readonly<Record<keyof typeof RESPONSE_TAGS, Omit<Shape, 'name'>>> {
  return {
    status: { inside: byTag({ 128: number(say('mmsframe.logical_status')), 129: number(say('mmsframe.physical_status')) }) },
    identify: {
      inside: byTag({ 128: text(say('mmsframe.vendor')), 129: text(say('mmsframe.model')), 130: text(say('mmsframe.revision')) }),
    },
    'get-name-list': {
      inside: byTag({
        160: { name: say('mmsframe.names'), inside: () => text(say('mmsframe.name')) },
        129: flag(say('mmsframe.more_follows')),
      }),
    },
    read: { inside: byTag({ 160: { name: say('mmsframe.what_was_read'), inside: SPEC }, 161: results(say('mmsframe.results'), names) }) },
    write: {
      inside: (tag, index) => {
        const whose = labelled(names[index], say('mmsframe.result'));
        const value = (element: BerElement) => (tag === 0x81 ? say('mmsframe.success') : accessErrorText(Number(integerOf(element))));
        return { name: whose, value };
      },
    },
    'get-variable-access-attributes': {
      inside: byTag({
        128: flag(say('mmsframe.deletable')),
        162: { name: say('mmsframe.type_description'), inside: (tag) => typeShape(tag, 0) },
      }),
    },
    'define-named-variable-list': { value: () => '' },
    'get-named-variable-list-attributes': {
      inside: byTag({ 128: flag(say('mmsframe.deletable')), 161: variables(say('mmsframe.members')) }),
    },
    'delete-named-variable-list': { inside: byTag({ 128: number(say('mmsframe.matched')), 129: number(say('mmsframe.deleted')) }) },
    'file-open': { inside: byTag({ 128: number(say('mmsframe.handle')), 161: attributes }) },
    'file-read': { inside: byTag({ 128: octets(say('mmsframe.file_octets')), 129: flag(say('mmsframe.more_follows')) }) },
    'file-close': { value: () => '' },
    'file-directory': {
      inside: byTag({
        160: {
          name: say('mmsframe.entries'),
          inside: (tag) => (tag === 0x30 ? { name: say('mmsframe.list'), inside: () => directoryEntry } : undefined),
        },
        129: flag(say('mmsframe.more_follows')),
      }),
    },
    'read-journal': {
      inside: byTag({ 160: { name: say('mmsframe.entries'), inside: () => journalEntry }, 129: flag(say('mmsframe.more_follows')) }),
    },
    'initialize-journal': { value: (element) => String(unsignedOf(element)) },
  };
}

/** The service with its name, by its tag. */
function services<Key extends keyof typeof SERVICE_NAMES>(
  tags: Readonly<Record<Key, number>>,
  shapes: Readonly<Record<Key, Omit<Shape, 'name'>>>,
): Lookup {
  const entries = Object.entries(tags) as [Key, number][];
  return byTag(Object.fromEntries(entries.map(([key, tag]) => [tag, { ...shapes[key], name: SERVICE_NAMES[key] }])));
}

const bits = (name: FrameText): Shape => ({
  name,
  value: (element) => {
    const { size, octets: held } = bitsOf(element);
    return say('mmsframe.bits', { count: size, octets: octetText(held) });
  },
});
const initiate = (name: FrameText): Shape => ({
  name,
  inside: byTag({
    128: number(say('mmsframe.largest_pdu')),
    129: number(say('mmsframe.outstanding_calling')),
    130: number(say('mmsframe.outstanding_called')),
    131: number(say('mmsframe.nesting')),
    164: {
      name: say('mmsframe.detail'),
      inside: byTag({
        128: number(say('mmsframe.version')),
        129: bits(say('mmsframe.parameters')),
        130: bits(say('mmsframe.services_supported')),
      }),
    },
  }),
});
const errorShape: Shape = {
  name: say('mmsframe.error'),
  value: (element) => errorText(decodeServiceError(within(element))),
  inside: byTag({
    160: { name: say('mmsframe.class'), inside: () => number(say('mmsframe.code')) },
    129: number(say('mmsframe.additional_code')),
    130: text(say('mmsframe.additional_text')),
  }),
};
const errorFields: Lookup = byTag({ 128: invokeId, 129: number(say('mmsframe.modifier')), 161: errorShape, 162: errorShape });
const ownError = (name: FrameText): Shape => ({ ...errorShape, name });
const rejectFields: Lookup = (tag) => {
  if (tag === 0x80) return invokeId;
  return { name: say('mmsframe.reason'), value: (element) => rejectText(tag - 0x80, Number(unsignedOf(element))) };
};
const reportFields =
  (names: readonly FrameText[]): Lookup =>
  (tag, index) => {
    if (index > 0) return results(say('mmsframe.values'), names);
    return tag === 0xa0 ? variables(say('mmsframe.variables')) : namedBy(say('mmsframe.variable_list'));
  };

const request = services(REQUEST_TAGS, REQUESTS);
/** PDUs that say all by themselves. */
const PDUS: Readonly<Record<number, Shape>> = {
  160: { name: say('mmsframe.confirmed_request'), inside: (tag, index) => (index === 0 ? invokeId : request(tag, index)) },
  162: { name: say('mmsframe.confirmed_error'), inside: errorFields },
  164: { name: say('mmsframe.reject'), inside: rejectFields },
  133: number(say('mmsframe.cancel_request_id')),
  134: number(say('mmsframe.cancel_response_id')),
  167: { name: say('mmsframe.cancel_error'), inside: errorFields },
  168: initiate(say('mmsframe.initiate_request')),
  169: initiate(say('mmsframe.initiate_response')),
  170: ownError(say('mmsframe.initiate_error')),
  139: empty(say('mmsframe.conclude_request')),
  140: empty(say('mmsframe.conclude_response')),
  173: ownError(say('mmsframe.conclude_error')),
};

/** PDUs of MMS by their tags. `names`: what the request asked for that a response answers, or the values of a report, in order; empty where it is not known. */
export function mmsShapes(names: readonly FrameText[]): Lookup {
  const response = services(RESPONSE_TAGS, responses(names));
  const answer: Shape = {
    name: say('mmsframe.confirmed_response'),
    inside: (tag, index) => (index === 0 ? invokeId : response(tag, index)),
  };
  const unconfirmed: Shape = {
    name: say('mmsframe.unconfirmed'),
    inside: byTag({ 160: { name: REPORT_NAME, inside: reportFields(names) } }),
  };
  return (tag) => (tag === 161 ? answer : tag === 163 ? unconfirmed : PDUS[tag]);
}
