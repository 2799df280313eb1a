import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { BerReader } from '../../../protocol-kit/ber/reader.ts';
import { BerWriter } from '../../../protocol-kit/ber/writer.ts';
import { mmsOf, readCaptures } from '../testing/captures.ts';
import { decodeMms, encodeMms, encodeService, invokeIdOf, requestHead } from './codec.ts';
import { decodeAll, decodePart, decodeValue, encodeValue } from './data.ts';
import { DATA_TAGS } from './data-tags.ts';
import type { AccessSelection, AccessSpec, Bits, MmsPdu, MmsRequest, MmsResponse, VariableSpec } from './pdu.ts';
import { readAnswerSize, readRequestSize, resultSize, typeSize, variableSize } from './sizes.ts';
import type { MmsFailure, MmsResult, MmsType, MmsValue, ObjectName } from './types.ts';

const LIMITS = { maxDepth: 64, maxOctets: 100_000 };
const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const word = fc.string({ minLength: 1, maxLength: 64 });
const octetsOf = (size: number) => fc.uint8Array({ minLength: size, maxLength: size });
const unsigned32 = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const whole = (value: bigint) => (Number.isSafeInteger(Number(value)) ? Number(value) : value);

const bits: fc.Arbitrary<Bits> = fc.integer({ min: 0, max: 40 }).chain((size) =>
  octetsOf(Math.ceil(size / 8)).map((octets) => {
    const last = octets.length - 1;
    if (last >= 0) octets[last] = (octets[last] ?? 0) & (0xff << (octets.length * 8 - size));
    return { size, octets };
  }),
);

const { value } = fc.letrec<{ value: MmsValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.boolean().map((value): MmsValue => ({ kind: 'boolean', value })),
    bits.map((some): MmsValue => ({ kind: 'bit-string', ...some })),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value): MmsValue => ({ kind: 'integer', value: whole(value) })),
    fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((value): MmsValue => ({ kind: 'unsigned', value: whole(value) })),
    fc.float({ noNaN: true }).map((value): MmsValue => ({ kind: 'float', value, width: 32 })),
    fc.double({ noNaN: true }).map((value): MmsValue => ({ kind: 'float', value, width: 64 })),
    fc.uint8Array({ maxLength: 200 }).map((octets): MmsValue => ({ kind: 'octet-string', octets })),
    fc.record({ kind: fc.constantFrom('visible-string', 'mms-string'), text }),
    fc
      .constantFrom(4, 6)
      .chain(octetsOf)
      .map((octets): MmsValue => ({ kind: 'binary-time', octets })),
    octetsOf(8).map((octets): MmsValue => ({ kind: 'utc-time', octets })),
    fc.uint8Array({ maxLength: 20 }).map((octets): MmsValue => ({ kind: 'other', tag: 0x8d, octets })),
    fc.record({ kind: fc.constantFrom('array', 'structure'), items: fc.array(tie('value'), { maxLength: 6 }) }),
  ),
}));

const failure: fc.Arbitrary<MmsFailure> = fc.record({ kind: fc.constant('failure'), code: fc.integer({ min: 0, max: 11 }) });
const results: fc.Arbitrary<MmsResult[]> = fc.array(fc.oneof(value, failure), { maxLength: 6 });

const sized = fc.record({
  kind: fc.constantFrom('bit-string', 'octet-string', 'visible-string', 'mms-string'),
  size: fc.integer({ min: -300, max: 300 }),
});
const { type } = fc.letrec<{ type: MmsType }>((tie) => ({
  type: fc.oneof(
    { depthSize: 'small' },
    fc.record({ kind: fc.constantFrom('boolean', 'utc-time') }),
    sized,
    fc.record({ kind: fc.constantFrom('integer', 'unsigned'), size: fc.constantFrom(8, 16, 32, 64) }),
    fc.constantFrom<MmsType>({ kind: 'float', width: 32, exponentWidth: 8 }, { kind: 'float', width: 64, exponentWidth: 11 }),
    fc.record({ kind: fc.constant('binary-time'), hasDate: fc.boolean() }),
    fc.record({ kind: fc.constant('array'), count: fc.nat(20), element: tie('type') }),
    fc.record({ kind: fc.constant('structure'), components: fc.array(fc.record({ name: word, type: tie('type') }), { maxLength: 5 }) }),
  ),
}));

const name: fc.Arbitrary<ObjectName> = fc.oneof(
  fc.record({ scope: fc.constant('domain'), domain: word, item: word }),
  fc.record({ scope: fc.constantFrom('vmd', 'association'), item: word }),
);
const { selection } = fc.letrec<{ selection: AccessSelection }>((tie) => ({
  selection: fc.record({
    step: fc.oneof(
      fc.record({ kind: fc.constant('component'), name: word }),
      fc.record({ kind: fc.constant('index'), index: unsigned32 }),
      fc.record({ kind: fc.constant('range'), low: unsigned32, count: unsigned32 }),
      fc.record({ kind: fc.constant('all') }),
    ),
    inner: fc.oneof({ depthSize: 'small' }, fc.constant(null), fc.array(tie('selection'), { maxLength: 3 })),
  }),
}));
const variable: fc.Arbitrary<VariableSpec> = fc.record({ name, access: fc.option(fc.array(selection, { minLength: 1, maxLength: 2 })) });
const spec: fc.Arbitrary<AccessSpec> = fc.oneof(
  fc.record({ kind: fc.constant('variables'), items: fc.array(variable, { maxLength: 4 }) }),
  fc.record({ kind: fc.constant('list'), name }),
);
const fileName = fc.array(word, { maxLength: 3 });
const attributes = fc.record({ size: unsigned32, modified: fc.constantFrom('', '20240301123456.789Z') });
const scope = fc.oneof(
  fc.record({ scope: fc.constantFrom('vmd', 'association') }),
  fc.record({ scope: fc.constant('domain'), domain: word }),
);
const items = fc.array(variable, { maxLength: 4 });
const service = <Name extends string>(text: Name) => fc.constant(text);

const request: fc.Arbitrary<MmsRequest> = fc.oneof(
  fc.record({ service: service('status'), extended: fc.boolean() }),
  fc.record({ service: service('identify') }),
  fc.record({ service: service('get-name-list'), objectClass: fc.nat(12), scope, continueAfter: fc.option(word) }),
  fc.record({ service: service('read'), spec, withSpecification: fc.boolean() }),
  fc.record({ service: service('write'), spec, values: fc.array(value, { maxLength: 4 }) }),
  fc.record({ service: fc.constantFrom('get-variable-access-attributes', 'get-named-variable-list-attributes'), name }),
  fc.record({ service: service('define-named-variable-list'), name, items }),
  fc.record({ service: service('delete-named-variable-list'), scope: fc.nat(3), names: fc.array(name, { minLength: 1, maxLength: 4 }) }),
  fc.record({ service: service('file-open'), name: fileName, position: unsigned32 }),
  fc.record({ service: fc.constantFrom('file-read', 'file-close'), handle: unsigned32 }),
  fc.record({ service: service('file-directory'), name: fc.option(fileName), continueAfter: fc.option(fileName) }),
  fc.record({
    service: service('read-journal'),
    name,
    start: fc.option(
      fc.oneof(fc.record({ kind: service('time'), time: octetsOf(6) }), fc.record({ kind: service('entry'), entry: octetsOf(8) })),
    ),
    stop: fc.option(
      fc.oneof(
        fc.record({ kind: service('time'), time: octetsOf(4) }),
        fc.record({ kind: service('count'), count: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }) }),
      ),
    ),
    variables: fc.option(fc.array(word, { maxLength: 3 })),
    after: fc.option(fc.record({ time: octetsOf(6), entry: fc.uint8Array({ maxLength: 64 }) })),
  }),
  fc.record({
    service: service('initialize-journal'),
    name,
    limit: fc.option(fc.record({ time: octetsOf(6), entry: fc.option(octetsOf(8)) })),
  }),
  fc.record({ service: service('unknown'), tag: fc.constantFrom(0xbf47, 0x83, 0xa9), octets: fc.uint8Array({ maxLength: 9 }) }),
);
const response: fc.Arbitrary<MmsResponse> = fc.oneof(
  fc.record({ service: service('status'), logical: fc.nat(3), physical: fc.nat(3) }),
  fc.record({ service: service('identify'), vendor: text, model: text, revision: text }),
  fc.record({ service: service('get-name-list'), names: fc.array(word), moreFollows: fc.boolean() }),
  fc.record({ service: service('read'), spec: fc.option(spec), results }),
  fc.record({ service: service('write'), results: fc.array(fc.option(failure), { maxLength: 4 }) }),
  fc.record({ service: service('get-variable-access-attributes'), isDeletable: fc.boolean(), type }),
  fc.record({ service: fc.constantFrom('define-named-variable-list', 'file-close') }),
  fc.record({ service: service('get-named-variable-list-attributes'), isDeletable: fc.boolean(), items }),
  fc.record({ service: service('delete-named-variable-list'), matched: unsigned32, deleted: unsigned32 }),
  fc.record({ service: service('file-open'), handle: unsigned32, attributes }),
  fc.record({ service: service('file-read'), octets: fc.uint8Array({ maxLength: 300 }), moreFollows: fc.boolean() }),
  fc.record({
    service: service('file-directory'),
    entries: fc.array(fc.record({ name: fileName, size: unsigned32, modified: fc.constant('') }), { maxLength: 3 }),
    moreFollows: fc.boolean(),
  }),
  fc.record({ service: service('initialize-journal'), deleted: unsigned32 }),
  fc.record({
    service: service('read-journal'),
    entries: fc.array(
      fc.oneof(
        fc.record({
          id: fc.uint8Array({ maxLength: 64 }),
          time: octetsOf(6),
          variables: fc.array(fc.record({ tag: text, value }), { maxLength: 3 }),
          annotation: fc.constant(null),
        }),
        fc.record({ id: octetsOf(8), time: octetsOf(4), variables: fc.constant([]), annotation: text }),
      ),
      { maxLength: 3 },
    ),
    moreFollows: fc.boolean(),
  }),
);
const error = fc.record({
  errorClass: fc.nat(12),
  code: fc.nat(99),
  additionalCode: fc.option(fc.integer()),
  text: fc.option(text),
});
const initiate = fc.record({
  localDetail: fc.option(unsigned32),
  maxCalling: unsigned32,
  maxCalled: unsigned32,
  nesting: fc.option(unsigned32),
  version: fc.nat(9),
  parameters: bits,
  services: bits,
});
const pdu: fc.Arbitrary<MmsPdu> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('request'), invokeId: unsigned32, request }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('response'), invokeId: unsigned32, response }) },
  fc.record({ kind: fc.constantFrom('initiate-request', 'initiate-response'), initiate }),
  fc.record({ kind: fc.constantFrom('initiate-error', 'conclude-error'), error }),
  fc.record({ kind: fc.constantFrom('error', 'cancel-error'), invokeId: unsigned32, error }),
  fc.record({ kind: fc.constant('information-report'), report: fc.record({ spec, results }) }),
  fc.record({ kind: fc.constant('reject'), invokeId: fc.option(unsigned32), reason: fc.integer({ min: 1, max: 11 }), code: fc.nat(9) }),
  fc.record({ kind: fc.constantFrom('cancel-request', 'cancel-response'), invokeId: unsigned32 }),
  fc.record({ kind: fc.constantFrom('conclude-request', 'conclude-response') }),
);

/** Decodes, or refuses as malformed; a decoded PDU can be encoded and means the same again. */
function survive(octets: Uint8Array): void {
  invokeIdOf(octets);
  let found: MmsPdu;
  try {
    found = decodeMms(octets, LIMITS);
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    expect(error).toHaveProperty('code', 'PROTOCOL_MALFORMED');
    return;
  }
  const again = encodeMms(found);
  expect(encodeMms(decodeMms(again))).toEqual(again);
}

/** A value of the type that takes as many octets as it can. */
function largest(of: MmsType): MmsValue {
  switch (of.kind) {
    case 'structure':
      return { kind: 'structure', items: of.components.map((component) => largest(component.type)) };
    case 'array':
      return { kind: 'array', items: Array.from({ length: of.count }, () => largest(of.element)) };
    case 'boolean':
      return { kind: 'boolean', value: true };
    case 'bit-string':
      return { kind: 'bit-string', size: Math.abs(of.size), octets: new Uint8Array(Math.ceil(Math.abs(of.size) / 8)) };
    case 'integer':
      return { kind: 'integer', value: -(2n ** BigInt(of.size - 1)) };
    case 'unsigned':
      return { kind: 'unsigned', value: 2n ** BigInt(of.size) - 1n };
    case 'float':
      return { kind: 'float', value: 1, width: of.width === 64 ? 64 : 32 };
    case 'octet-string':
      return { kind: 'octet-string', octets: new Uint8Array(Math.abs(of.size)) };
    case 'visible-string':
    case 'mms-string':
      return { kind: of.kind, text: 'x'.repeat(Math.abs(of.size)) };
    case 'binary-time':
      return { kind: 'binary-time', octets: new Uint8Array(of.hasDate ? 6 : 4) };
    case 'utc-time':
      return { kind: 'utc-time', octets: new Uint8Array(8) };
    default:
      return of;
  }
}

const isJournal = (some: { readonly service: string }) => some.service.endsWith('-journal');
const journals: fc.Arbitrary<MmsPdu> = fc.oneof(
  fc.record({ kind: service('request'), invokeId: unsigned32, request: request.filter(isJournal) }),
  fc.record({ kind: service('response'), invokeId: unsigned32, response: response.filter(isJournal) }),
);

describe('MMS codec', () => {
  it('decodes every PDU it encodes to the same meaning', () => {
    fc.assert(
      fc.property(pdu, (some) => {
        expect(decodeMms(encodeMms(some))).toEqual(some);
      }),
      { numRuns: 300 },
    );
  });

  it('makes the PDU of a request from its head and its service', () => {
    fc.assert(
      fc.property(pdu, (some) => {
        fc.pre(some.kind === 'request');
        const service = encodeService(some.request);
        const parts = [...requestHead(some.invokeId, service.length), ...service];
        expect(Uint8Array.from(parts)).toEqual(encodeMms(some));
      }),
      { numRuns: 100 },
    );
  });

  it('counts the octets of items, results and types', () => {
    fc.assert(
      fc.property(items, results, type, unsigned32, (items, results, type, invokeId) => {
        const sum = (sizes: readonly number[]) => sizes.reduce((all, size) => all + size, 0);
        const ask: MmsRequest = { service: 'read', spec: { kind: 'variables', items }, withSpecification: false };
        expect(readRequestSize(sum(items.map(variableSize)))).toBeGreaterThanOrEqual(
          encodeMms({ kind: 'request', invokeId, request: ask }).length,
        );
        const answer = encodeMms({ kind: 'response', invokeId, response: { service: 'read', spec: null, results } });
        expect(readAnswerSize(sum(results.map(resultSize)))).toBeGreaterThanOrEqual(answer.length);
        expect(answer.length - sum(results.map(resultSize))).toBeGreaterThanOrEqual(9);
        expect(typeSize(type)).toBe(resultSize(largest(type)));
        expect(typeSize(type, 10)).toBeLessThanOrEqual(typeSize(type));
      }),
      { numRuns: 150 },
    );
  });

  it('survives any octets', () => {
    const start = fc.constantFrom(0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xa7, 0xa8, 0xaa, 0x85);
    fc.assert(
      fc.property(start, fc.uint8Array({ maxLength: 120 }), (tag, rest) => {
        survive(rest);
        survive(Uint8Array.from([tag, rest.length, ...rest]));
        survive(Uint8Array.from([tag, rest.length + 3, 2, 1, 1, ...rest]));
      }),
      { numRuns: 200 },
    );
  });

  it('survives captured PDUs with damage', () => {
    const pdus = ['10', '12', '21', '25', '30', '31', '33', '44', '50', '92'].flatMap((prefix) =>
      readCaptures()
        .filter((capture) => capture.name.startsWith(prefix))
        .flatMap((capture) => mmsOf(capture).map(({ bytes }) => bytes))
        .filter((bytes) => bytes.length < 2000),
    );
    for (const journal of fc.sample(journals, 60)) pdus.push(encodeMms(journal));
    const damage = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.constantFrom(...pdus), damage, fc.option(fc.nat()), (bytes, places, cut) => {
        const broken = bytes.slice(0, cut === null ? bytes.length : cut % bytes.length);
        for (const [place, octet] of places) if (broken.length > 0) broken[place % broken.length] = octet;
        survive(broken);
      }),
      { numRuns: 400 },
    );
  });
});

describe('plain data', () => {
  /** The same elements with each length in one octet more than it needs: what is read element by element. */
  const lengthened = (octets: Uint8Array): Uint8Array => {
    const reader = new BerReader(octets);
    const parts: number[] = [];
    while (!reader.isAtEnd) {
      const { tag, valueAt, end } = reader.next();
      const inner = octets.subarray(valueAt, end);
      const content = tag === DATA_TAGS.structure || tag === DATA_TAGS.array ? lengthened(inner) : inner;
      parts.push(tag, 0x84, ...new Uint8Array(new Uint32Array([content.length]).buffer).reverse(), ...content);
    }
    return Uint8Array.from(parts);
  };

  it('is read in one pass as it is element by element', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 4 }), (values) => {
        const writer = new BerWriter();
        for (const each of values) encodeValue(writer, each);
        const octets = writer.finish();
        const read = (from: Uint8Array) => decodeAll(new BerReader(from), decodeValue);
        expect(read(octets)).toEqual(read(lengthened(octets)));
      }),
    );
  });

  it('that is none, or is cut off, is refused as it is element by element', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.integer({ min: 1, max: 6 }), (octets, maxDepth) => {
        const outcome = (decode: (reader: BerReader) => unknown) => {
          const reader = new BerReader(octets, { maxDepth, maxOctets: 1000 });
          try {
            return [decode(reader), reader.position];
          } catch (thrown) {
            return thrown instanceof AppError ? thrown.message : thrown;
          }
        };
        expect(outcome(decodeValue)).toEqual(outcome(decodePart));
      }),
    );
  });
});
