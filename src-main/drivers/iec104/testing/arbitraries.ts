/** Any ASDU of any decoded type and any sizes, for property tests. */
import fc from 'fast-check';
import type { Asdu } from '../codec/asdu.ts';
import type { InfoObject, ObjectKind } from '../codec/objects.ts';
import { type AsduSizes, maxObjectAddress } from '../codec/sizes.ts';
import type { TimeTag } from '../codec/time-tags.ts';
import { DECODED_TYPES, maxObjects, type TypeSpec, typeSpec } from '../codec/types.ts';

const u8 = fc.nat(0xff);
const u16 = fc.nat(0xffff);
const u32 = fc.nat({ max: 0xffff_ffff });
const s16 = fc.integer({ min: -0x8000, max: 0x7fff });

/** All size sets that are tested. */
export const SIZES: readonly AsduSizes[] = [
  { cause: 2, commonAddress: 2, objectAddress: 3 },
  { cause: 1, commonAddress: 1, objectAddress: 2 },
  { cause: 2, commonAddress: 1, objectAddress: 2 },
  { cause: 1, commonAddress: 1, objectAddress: 1 },
  { cause: 1, commonAddress: 2, objectAddress: 3 },
];

const cp24 = fc.record({
  kind: fc.constant('cp24' as const),
  milliseconds: u16,
  minute: fc.nat(0x3f),
  isSubstituted: fc.boolean(),
  isInvalid: fc.boolean(),
});

const cp56 = fc.record({
  hour: fc.nat(0x1f),
  isSummerTime: fc.boolean(),
  day: fc.nat(0x1f),
  dayOfWeek: fc.nat(7),
  month: fc.nat(0x0f),
  year: fc.nat(0x7f),
});

function timeTag(kind: TimeTag['kind'] | null): fc.Arbitrary<TimeTag | null> {
  if (kind === null) return fc.constant(null);
  if (kind === 'cp24') return cp24;
  return fc.tuple(cp24, cp56).map(([low, high]) => ({ ...low, ...high, kind: 'cp56' as const }));
}

/** A quality octet whose bits are those of `mask`. */
function quality(mask: number): fc.Arbitrary<number> {
  return u8.map((octet) => octet & mask);
}

const normalized = s16.map((raw) => raw / 32_768);
const float = fc.oneof(
  fc.float(),
  fc.constantFrom(
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    -0,
    Math.fround(1.4e-45),
    Math.fround(3.4028234663852886e38),
  ),
);

type Fields = Readonly<Record<string, fc.Arbitrary<unknown>>>;

const qds = quality(0xf1);
const command = (states: number): Fields => ({ value: fc.nat(states), qualifier: fc.nat(0x1f), isSelect: fc.boolean() });
const setPoint = (value: fc.Arbitrary<number>): Fields => ({ value, qualifier: fc.nat(0x7f), isSelect: fc.boolean() });
const none = fc.constant(0);

/** Fields of each kind besides address and time. */
const FIELDS: Readonly<Record<ObjectKind, Fields>> = {
  single: { value: fc.nat(1), quality: quality(0xf0) },
  double: { value: fc.nat(3), quality: quality(0xf0) },
  step: { value: fc.integer({ min: -64, max: 63 }), quality: qds, isTransient: fc.boolean() },
  bits: { value: u32, quality: qds },
  normalized: { value: normalized, quality: qds },
  scaled: { value: s16, quality: qds },
  float: { value: float, quality: qds },
  counter: {
    value: fc.integer({ min: -0x8000_0000, max: 0x7fff_ffff }),
    sequence: fc.nat(0x1f),
    hasCarry: fc.boolean(),
    isAdjusted: fc.boolean(),
    isInvalid: fc.boolean(),
  },
  packed: { value: u16, changes: u16, quality: qds },
  protectionEvent: { value: fc.nat(3), quality: quality(0xf8), elapsedMs: u16 },
  protectionStart: { value: fc.nat(0x3f), quality: quality(0xf8), elapsedMs: u16 },
  protectionOutput: { value: fc.nat(0x0f), quality: quality(0xf8), elapsedMs: u16 },
  singleCommand: command(1),
  doubleCommand: command(3),
  stepCommand: command(3),
  setNormalized: setPoint(normalized),
  setScaled: setPoint(s16),
  setFloat: setPoint(float),
  setBits: { value: u32, qualifier: none, isSelect: fc.constant(false) },
  parameterNormalized: { value: normalized, qualifier: u8 },
  parameterScaled: { value: s16, qualifier: u8 },
  parameterFloat: { value: float, qualifier: u8 },
  endOfInit: { value: fc.nat(0x7f), hasChangedParameters: fc.boolean() },
  counterInterrogation: { request: fc.nat(0x3f), freeze: fc.nat(3) },
  interrogation: { value: u8 },
  reset: { value: u8 },
  activation: { value: u8 },
  testPattern: { value: u16 },
  delay: { value: u16 },
  test: { value: u16 },
  read: { value: none },
  clock: { value: none },
};

function objectOf(type: TypeSpec, address: fc.Arbitrary<number>): fc.Arbitrary<InfoObject> {
  const { kind } = type.element;
  const fields = { ...FIELDS[kind], ...(type.id === 21 ? { quality: none } : {}) };
  return fc.record({
    kind: fc.constant(kind),
    address,
    time: timeTag(type.time),
    ...fields,
  }) as fc.Arbitrary<unknown> as fc.Arbitrary<InfoObject>;
}

/** Consecutive addresses from the first one's, or none changed. */
function inSequence(objects: readonly InfoObject[], sizes: AsduSizes): InfoObject[] {
  const start = Math.min(objects[0]?.address ?? 0, maxObjectAddress(sizes) - objects.length + 1);
  return objects.map((object, index) => ({ ...object, address: start + index }));
}

function header(type: TypeSpec, sizes: AsduSizes) {
  return {
    typeId: fc.constant(type.id),
    isSequence: type.isList ? fc.boolean() : fc.constant(false),
    cause: fc.nat(0x3f),
    isNegative: fc.boolean(),
    isTest: fc.boolean(),
    originator: sizes.cause === 2 ? u8 : none,
    commonAddress: fc.nat(2 ** (8 * sizes.commonAddress) - 1),
  };
}

/** Any ASDU of one type. */
export function asduOf(type: TypeSpec, sizes: AsduSizes): fc.Arbitrary<Asdu> {
  const least = type.isList ? 0 : 1;
  return fc.record(header(type, sizes)).chain((fields) => {
    const most = Math.min(maxObjects(type, fields.isSequence, sizes), maxObjectAddress(sizes) + 1);
    const objects = fc.array(objectOf(type, fc.nat(maxObjectAddress(sizes))), { minLength: least, maxLength: most });
    return objects.map((list) => ({ ...fields, objects: fields.isSequence ? inSequence(list, sizes) : list, raw: null }));
  });
}

/** Any ASDU of a type that stays raw. */
export function rawAsdu(sizes: AsduSizes): fc.Arbitrary<Asdu> {
  return fc
    .tuple(
      fc.constantFrom(...Array.from({ length: 256 }, (_, id) => id).filter((id) => typeSpec(id) === null)),
      fc.nat(127),
      fc.uint8Array({ maxLength: 240 }),
      fc.record({ ...header(firstType, sizes), isSequence: fc.boolean() }),
    )
    .map(([typeId, count, octets, fields]) => ({ ...fields, typeId, objects: [], raw: { count, octets } }));
}

const firstType = typeSpec(1) ?? raise();

function raise(): never {
  throw new Error('type 1 is not known');
}

/** Any ASDU with its sizes. */
export const anyAsdu: fc.Arbitrary<{ readonly sizes: AsduSizes; readonly asdu: Asdu }> = fc
  .constantFrom(...SIZES)
  .chain((sizes) =>
    fc
      .oneof(
        { weight: 8, arbitrary: fc.constantFrom(...DECODED_TYPES).chain((type) => asduOf(type, sizes)) },
        { weight: 1, arbitrary: rawAsdu(sizes) },
      )
      .map((asdu) => ({ sizes, asdu })),
  );
