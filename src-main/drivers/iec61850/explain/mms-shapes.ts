/** Shapes of the PDUs of MMS, service by service (ISO 9506-2). Values are read by the codecs that run. */
import { type BerElement, BerReader } from '../../../protocol-kit/ber/reader.ts';
import { bitsOf, booleanOf, integerOf, octetsOf, textOf, unsignedOf } from '../../../protocol-kit/ber/values.ts';
import { DATA_TAGS, decodeResult } from '../mms/data.ts';
import { decodeName, decodeSpec, decodeVariable } from '../mms/names.ts';
import { REQUEST_TAGS } from '../mms/requests.ts';
import { RESPONSE_TAGS } from '../mms/responses.ts';
import { decodeServiceError } from '../mms/service-error.ts';
import { decodeType } from '../mms/type-description.ts';
import { accessErrorWords, errorWords, rejectWords } from '../mms/words.ts';
import { byTag, type Lookup, octetText, type Shape } from './tree.ts';
import { nameText, specText, typeText, valueText, variableText } from './value-text.ts';

/** Names of the services as ISO 9506 writes them. */
export const SERVICE_NAMES = {
  status: 'Status',
  'get-name-list': 'GetNameList',
  identify: 'Identify',
  read: 'Read',
  write: 'Write',
  'get-variable-access-attributes': 'GetVariableAccessAttributes',
  'define-named-variable-list': 'DefineNamedVariableList',
  'get-named-variable-list-attributes': 'GetNamedVariableListAttributes',
  'delete-named-variable-list': 'DeleteNamedVariableList',
  'file-open': 'FileOpen',
  'file-read': 'FileRead',
  'file-close': 'FileClose',
  'file-directory': 'FileDirectory',
} as const satisfies Record<keyof typeof REQUEST_TAGS, string>;

const FLOAT_TYPE = 0xa7;
const OBJECT_CLASSES: Readonly<Record<number, string>> = { 0: 'variables', 2: 'variable lists', 8: 'journals', 9: 'domains' };

/** Reader that stands before the element itself. */
function at({ octets, start, end }: BerElement): BerReader {
  return new BerReader(octets, undefined, start, end);
}

/** Reader of what is inside. */
function within({ octets, valueAt, end }: BerElement): BerReader {
  return new BerReader(octets, undefined, valueAt, end);
}

const number = (name: string): Shape => ({ name, value: (element) => String(unsignedOf(element)) });
const text = (name: string): Shape => ({ name, value: (element) => `"${textOf(element)}"` });
const flag = (name: string): Shape => ({ name, value: (element) => (booleanOf(element) ? 'true' : 'false') });
const octets = (name: string): Shape => ({ name, value: (element) => octetText(octetsOf(element)) || 'empty' });
const empty = (name: string): Shape => ({ name, value: () => '' });
const invokeId = number('invokeID');

/** An object name of any scope: two parts of a domain, one of the VMD or the association. */
const anyName =
  (name: string): Lookup =>
  (tag) => {
    const value = (element: BerElement) => nameText(decodeName(at(element)));
    if ((tag & 0x20) === 0) return { name, value };
    return { name, value, inside: (_, index) => text(tag === 0xa1 && index === 0 ? 'domain' : 'item') };
  };
const namedBy = (name: string): Shape => ({ name, value: (element) => nameText(decodeName(within(element))), inside: anyName('name') });

const variable: Shape = {
  name: 'variable',
  value: (element) => variableText(decodeVariable(at(element))),
  inside: byTag({ 160: namedBy('name'), 165: { name: 'alternate access' } }),
};
const variables = (name: string): Shape => ({ name, inside: () => variable });
const SPEC: Lookup = byTag({ 160: variables('variables'), 161: namedBy('variable list') });
const spec = (name: string): Shape => ({ name, value: (element) => specText(decodeSpec(within(element))), inside: SPEC });

const DATA_NAMES: ReadonlyMap<number, string> = new Map(Object.entries(DATA_TAGS).map(([name, tag]) => [tag, name]));

/** A value or a failure; `name` tells whose it is. */
function dataShape(tag: number, name: string | undefined): Shape {
  const kind = tag === 0x80 ? 'failure' : (DATA_NAMES.get(tag) ?? 'other type');
  const shape = {
    name: name === undefined ? kind : `${name}: ${kind}`,
    value: (element: BerElement) => valueText(decodeResult(at(element))),
  };
  return tag === DATA_TAGS.structure || tag === DATA_TAGS.array ? { ...shape, inside: (inner) => dataShape(inner, undefined) } : shape;
}

/** Results in the order of what was asked for, whose names are given as far as they are known. */
const results = (name: string, names: readonly string[]): Shape => ({ name, inside: (tag, index) => dataShape(tag, names[index]) });

/** A type; components have names. */
const typeShape: Lookup = (tag) => {
  const shape = { name: 'type', value: (element: BerElement) => typeText(decodeType(at(element))) };
  if (tag === DATA_TAGS.structure) return { ...shape, inside: byTag({ 128: flag('packed'), 161: components }) };
  if (tag === DATA_TAGS.array) return { ...shape, inside: ARRAY };
  return tag === FLOAT_TYPE ? { ...shape, inside: (_, index) => number(index === 0 ? 'width' : 'width of the exponent') } : shape;
};
const component: Shape = {
  name: 'component',
  value: (element) => textOf(within(element).expect(0x80, 'Name of a component')),
  inside: byTag({ 128: text('name'), 161: { name: 'type', inside: (tag) => typeShape(tag, 0) } }),
};
const components: Shape = { name: 'components', inside: () => component };
const ARRAY: Lookup = byTag({ 128: flag('packed'), 129: number('count'), 162: { name: 'elements', inside: (tag) => typeShape(tag, 0) } });

const fileName = (name: string): Shape => ({ name, inside: () => text('part') });
const attributes: Shape = { name: 'attributes', inside: byTag({ 128: number('size'), 129: text('modified') }) };
const objectClass: Shape = {
  name: 'class',
  value: (element) => `${integerOf(element)} (${OBJECT_CLASSES[Number(integerOf(element))] ?? 'another class'})`,
};

/** Services of a request without their names. */
const REQUESTS: Readonly<Record<keyof typeof REQUEST_TAGS, Omit<Shape, 'name'>>> = {
  status: { value: (element) => (booleanOf(element) ? 'extended' : '') },
  identify: { value: () => '' },
  'get-name-list': {
    inside: byTag({
      160: { name: 'class', inside: () => objectClass },
      161: { name: 'scope', inside: byTag({ 128: empty('VMD'), 129: text('domain'), 130: empty('association') }) },
      130: text('continue after'),
    }),
  },
  read: { inside: byTag({ 128: flag('specification with result'), 161: spec('what to read') }) },
  write: {
    inside: (tag, index) => {
      if (index > 0) return { name: 'values', inside: (inner) => dataShape(inner, undefined) };
      return tag === 0xa0 ? variables('variables') : namedBy('variable list');
    },
  },
  'get-variable-access-attributes': { inside: byTag({ 160: namedBy('name') }) },
  'define-named-variable-list': {
    inside: (tag, index) => (index > 0 ? variables('members') : anyName('name')(tag, index)),
  },
  'get-named-variable-list-attributes': { inside: anyName('name') },
  'delete-named-variable-list': { inside: byTag({ 128: number('scope'), 161: { name: 'names', inside: anyName('name') } }) },
  'file-open': { inside: byTag({ 160: fileName('name'), 129: number('position') }) },
  'file-read': { value: (element) => `handle ${integerOf(element)}` },
  'file-close': { value: (element) => `handle ${integerOf(element)}` },
  'file-directory': { inside: byTag({ 160: fileName('name'), 161: fileName('continue after') }) },
};

const directoryEntry: Shape = { name: 'entry', inside: byTag({ 160: fileName('name'), 161: attributes }) };

/** Services of a response; `names` are those of the request that it answers. */
function responses(names: readonly string[]): Readonly<Record<keyof typeof RESPONSE_TAGS, Omit<Shape, 'name'>>> {
  return {
    status: { inside: byTag({ 128: number('logical status'), 129: number('physical status') }) },
    identify: { inside: byTag({ 128: text('vendor'), 129: text('model'), 130: text('revision') }) },
    'get-name-list': { inside: byTag({ 160: { name: 'names', inside: () => text('name') }, 129: flag('more follows') }) },
    read: { inside: byTag({ 160: { name: 'what was read', inside: SPEC }, 161: results('results', names) }) },
    write: {
      inside: (tag, index) => {
        const whose = names[index] === undefined ? 'result' : `${names[index]}: result`;
        const value = (element: BerElement) => (tag === 0x81 ? 'success' : accessErrorWords(Number(integerOf(element))));
        return { name: whose, value };
      },
    },
    'get-variable-access-attributes': {
      inside: byTag({ 128: flag('deletable'), 162: { name: 'type description', inside: (tag) => typeShape(tag, 0) } }),
    },
    'define-named-variable-list': { value: () => '' },
    'get-named-variable-list-attributes': { inside: byTag({ 128: flag('deletable'), 161: variables('members') }) },
    'delete-named-variable-list': { inside: byTag({ 128: number('matched'), 129: number('deleted') }) },
    'file-open': { inside: byTag({ 128: number('handle'), 161: attributes }) },
    'file-read': { inside: byTag({ 128: octets('file octets'), 129: flag('more follows') }) },
    'file-close': { value: () => '' },
    'file-directory': {
      inside: byTag({
        160: { name: 'entries', inside: (tag) => (tag === 0x30 ? { name: 'list', inside: () => directoryEntry } : undefined) },
        129: flag('more follows'),
      }),
    },
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

const bits = (name: string): Shape => ({
  name,
  value: (element) => {
    const { size, octets: held } = bitsOf(element);
    return `${size} bits: ${octetText(held)}`;
  },
});
const initiate = (name: string): Shape => ({
  name,
  inside: byTag({
    128: number('largest PDU'),
    129: number('outstanding calls, calling'),
    130: number('outstanding calls, called'),
    131: number('nesting of data'),
    164: { name: 'detail', inside: byTag({ 128: number('version'), 129: bits('parameters'), 130: bits('services supported') }) },
  }),
});
const errorShape: Shape = {
  name: 'error',
  value: (element) => errorWords(decodeServiceError(within(element))),
  inside: byTag({ 160: { name: 'class', inside: () => number('code') }, 129: number('additional code'), 130: text('additional text') }),
};
const errorFields: Lookup = byTag({ 128: invokeId, 129: number('modifier'), 161: errorShape, 162: errorShape });
const ownError = (name: string): Shape => ({ ...errorShape, name });
const rejectFields: Lookup = (tag) => {
  if (tag === 0x80) return invokeId;
  return { name: 'reason', value: (element) => rejectWords(tag - 0x80, Number(unsignedOf(element))) };
};
const reportFields: Lookup = (tag, index) => {
  if (index > 0) return { name: 'values', inside: (inner) => dataShape(inner, undefined) };
  return tag === 0xa0 ? variables('variables') : namedBy('variable list');
};

/** PDUs of MMS by their tags. `names`: what the request asked for that a response answers, in order; empty where it is not known. */
export function mmsShapes(names: readonly string[]): Lookup {
  const request = services(REQUEST_TAGS, REQUESTS);
  const response = services(RESPONSE_TAGS, responses(names));
  return byTag({
    160: { name: 'confirmed request', inside: (tag, index) => (index === 0 ? invokeId : request(tag, index)) },
    161: { name: 'confirmed response', inside: (tag, index) => (index === 0 ? invokeId : response(tag, index)) },
    162: { name: 'confirmed error', inside: errorFields },
    163: { name: 'unconfirmed', inside: byTag({ 160: { name: 'InformationReport', inside: reportFields } }) },
    164: { name: 'reject', inside: rejectFields },
    133: number('cancel request, invokeID'),
    134: number('cancel response, invokeID'),
    167: { name: 'cancel error', inside: errorFields },
    168: initiate('initiate request'),
    169: initiate('initiate response'),
    170: ownError('initiate error'),
    139: empty('conclude request'),
    140: empty('conclude response'),
    173: ownError('conclude error'),
  });
}
