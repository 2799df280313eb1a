import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { octets, readVectors } from '../testing/captures.ts';
import { decodeAsdu, encodeAsdu, mirrorAsdu, openAsdu } from './asdu.ts';
import { Cause, causeName, isUnknownCause } from './causes.ts';
import { ObjectCursor } from './cursor.ts';
import {
  clockSynchronization,
  command,
  counterInterrogation,
  interrogation,
  makeAsdu,
  readCommand,
  resetProcess,
  testCommand,
} from './make.ts';
import type { InfoObject } from './objects.ts';
import { broadcastAddress, STANDARD_SIZES } from './sizes.ts';
import { decodeCp56 } from './time-tags.ts';
import { DECODED_TYPES, maxObjects, TypeId, typeSpec, typeText } from './types.ts';

const sizes = STANDARD_SIZES;
const small = { cause: 1, commonAddress: 1, objectAddress: 2 } as const;
const header = { cause: Cause.spontaneous, commonAddress: 1 };
const time = decodeCp56(octets('3e3d0e0d9d0218'), 0);

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

/** The message of the PROTOCOL_MALFORMED that `work` throws. */
function refusal(work: () => unknown): string {
  try {
    work();
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(AppError);
    expect((thrown as AppError).code).toBe('PROTOCOL_MALFORMED');
    return (thrown as AppError).message;
  }
  return 'nothing was refused';
}

function scaled(address: number, value = 0): InfoObject {
  return { kind: 'scaled', address, value, quality: 0, time: null };
}

describe('length of an ASDU', () => {
  it.each([
    ['', 'The ASDU has 0 octets, at least 6 would be right.'],
    ['0b0103000100'.slice(0, 10), 'The ASDU has 5 octets, at least 6 would be right.'],
    ['0b0103000100 050000 0100', 'M_ME_NB_1 (11) with SQ 0 and 1 objects has 5 octets of them, 6 would be right.'],
    ['0b0103000100 050000 010000 00', 'M_ME_NB_1 (11) with SQ 0 and 1 objects has 7 octets of them, 6 would be right.'],
    ['0b8203000100 050000 010000 0200', 'M_ME_NB_1 (11) with SQ 1 and 2 objects has 8 octets of them, 9 would be right.'],
    ['0b0003000100 050000 010000', 'M_ME_NB_1 (11) with SQ 0 and 0 objects has 6 octets of them, 0 would be right.'],
    ['2d0206000100 016000 01 026000 01', 'C_SC_NA_1 (45) has SQ 0 and 2 objects, SQ 0 and 1 object would be right.'],
    ['2d8106000100 016000 01', 'C_SC_NA_1 (45) has SQ 1 and 1 objects, SQ 0 and 1 object would be right.'],
    ['640006000100', 'C_IC_NA_1 (100) has SQ 0 and 0 objects, SQ 0 and 1 object would be right.'],
    ['018303000100 feffff 010001', 'The last object of the sequence has address 16777216, at most 16777215 would be right.'],
  ])('%s is refused', (bytes, message) => {
    expect(refusal(() => decodeAsdu(octets(bytes), sizes))).toBe(message);
  });

  it('is at most 249 octets', () => {
    expect(refusal(() => openAsdu(new Uint8Array(250), sizes))).toBe('The ASDU has 250 octets, at most 249 would be right.');
    const asdu = makeAsdu({ ...header, typeId: 11, objects: Array.from({ length: 41 }, (_, index) => scaled(index)) });
    expect(refusal(() => encodeAsdu(asdu, sizes))).toBe('The ASDU would have 252 octets, at most 249 would be right.');
  });

  it('takes a list without objects', () => {
    expect(decodeAsdu(octets('0b0003000100'), sizes).objects).toEqual([]);
    expect(decodeAsdu(octets('0b8003000100'), sizes).objects).toEqual([]);
  });

  it.each([
    [1, true, 127],
    [1, false, 60],
    [13, true, 48],
    [13, false, 30],
    [11, true, 80],
    [36, false, 16],
    [30, false, 22],
    [45, false, 1],
  ])('has room for objects of type %i, SQ %s: %i', (typeId, isSequence, count) => {
    const type = typeSpec(typeId);
    expect(type && maxObjects(type, isSequence, sizes)).toBe(count);
  });
});

describe('encoding', () => {
  it.each([
    [
      'an object of another kind',
      { typeId: 13, objects: [scaled(1)] },
      'The object is of kind scaled, float would be right in M_ME_NC_1 (13).',
    ],
    ['a missing time tag', { typeId: 35, objects: [scaled(1)] }, 'The object has time tag none, cp56 would be right in M_ME_TE_1 (35).'],
    [
      'a surplus time tag',
      { typeId: 11, objects: [{ ...scaled(1), time }] },
      'The object has time tag cp56, none would be right in M_ME_NB_1 (11).',
    ],
    [
      'addresses with a gap',
      { typeId: 11, isSequence: true, objects: [scaled(1), scaled(3)] },
      'The object has address 3, 2 would be right in this sequence.',
    ],
    [
      'a value beyond its field',
      { typeId: 11, objects: [scaled(1, 32_768)] },
      'The scaled value is 32768, -32768 to 32767 would be right.',
    ],
    [
      'a fraction in an integer field',
      { typeId: 11, objects: [scaled(1, 0.5)] },
      'The scaled value is 0.5, -32768 to 32767 would be right.',
    ],
    [
      'an address beyond its field',
      { typeId: 11, objects: [scaled(0x100_0000)] },
      'The object address is 16777216, 0 to 16777215 would be right.',
    ],
    [
      'a type without known objects',
      { typeId: 120, objects: [scaled(1)] },
      'F_FR_NA_1 (120) has no known objects, raw octets would be right.',
    ],
    [
      'two objects in a command',
      { typeId: 100, objects: [scaled(1), scaled(2)] },
      'C_IC_NA_1 (100) has 2 objects, SQ 0 and 1 object would be right.',
    ],
    ['a cause beyond its field', { typeId: 11, cause: 64, objects: [] }, 'The cause of transmission is 64, 0 to 63 would be right.'],
  ])('refuses %s', (_, fields, message) => {
    expect(refusal(() => encodeAsdu(makeAsdu({ ...header, ...fields }), sizes))).toBe(message);
  });

  it('refuses a common address that its size cannot hold, and sends no originator without room', () => {
    const asdu = makeAsdu({ ...header, typeId: 11, commonAddress: 256, objects: [] });
    expect(refusal(() => encodeAsdu(asdu, small))).toBe('The common address is 256, 0 to 255 would be right.');
    expect(hex(encodeAsdu({ ...asdu, commonAddress: 255, originator: 7 }, small))).toBe('0b0003ff');
    expect([broadcastAddress(small), broadcastAddress(sizes)]).toEqual([255, 65_535]);
  });

  it('rounds a normalized value, sends 1 as the greatest, and refuses what lies beyond', () => {
    const normalized = (value: number) =>
      makeAsdu({ ...header, typeId: 9, objects: [{ kind: 'normalized', address: 1, value, quality: 0, time: null }] });
    const raw = (value: number) => hex(encodeAsdu(normalized(value), sizes)).slice(18, 22);
    expect([raw(1), raw(32_767 / 32_768), raw(0.5), raw(-1), raw(0.000_01)]).toEqual(['ff7f', 'ff7f', '0040', '0080', '0000']);
    for (const value of [1.000_01, -1.000_01, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(refusal(() => encodeAsdu(normalized(value), sizes))).toBe(`The normalized value is ${value}, -1 to 1 would be right.`);
    }
  });

  it('refuses a number that a single cannot hold, and carries NaN and infinities', () => {
    const float = (value: number) =>
      makeAsdu({ ...header, typeId: 13, objects: [{ kind: 'float', address: 1, value, quality: 0, time: null }] });
    expect(refusal(() => encodeAsdu(float(1e39), sizes))).toMatch(/^The value is 1e\+39/);
    expect(hex(encodeAsdu(float(Number.NEGATIVE_INFINITY), sizes)).slice(18, 26)).toBe('000080ff');
  });

  it('never turns a select into an execute where the type knows no select', () => {
    const select = command({ commonAddress: 1 }, TypeId.C_BO_NA_1, { address: 1, value: 1, qualifier: 0, isSelect: true }, null);
    expect(refusal(() => encodeAsdu(select, sizes))).toBe('The select bit of the bitstring command is 1, 0 to 0 would be right.');
  });
});

describe('requests', () => {
  const fields = { commonAddress: 1, originator: 3 };

  it.each([
    ['station interrogation', interrogation({ commonAddress: 1 }), '64010600010000000014'],
    ['group 16 interrogation', interrogation(fields, 16), '64010603010000000024'],
    ['deactivation of an interrogation', interrogation({ commonAddress: 1, cause: Cause.deactivation }), '64010800010000000014'],
    ['freeze with reset of all counters', counterInterrogation({ commonAddress: 1 }, { request: 5, freeze: 2 }), '65010600010000000085'],
    ['read', readCommand(fields, 0x123456), '660105030100563412'],
    ['clock', clockSynchronization(fields, time), '6701060301000000003e3d0e0d9d0218'],
    ['test', testCommand(fields, 0x4938, time), '6b010603010000000038493e3d0e0d9d0218'],
    ['reset', resetProcess(fields, 1), '69010603010000000001'],
    [
      'double command',
      command(fields, TypeId.C_DC_NA_1, { address: 24_593, value: 2, qualifier: 2, isSelect: true }, null),
      '2e01060301001160008a',
    ],
    [
      'set point with time',
      command(fields, TypeId.C_SE_TC_1, { address: 25_097, value: 220.5, qualifier: 0, isSelect: false }, time),
      '3f010603010009620000805c43003e3d0e0d9d0218',
    ],
  ])('%s', (_, asdu, expected) => {
    expect(hex(encodeAsdu(asdu, sizes))).toBe(expected);
  });

  it('refuses a command under a type that is none', () => {
    const object = { address: 1, value: 1, qualifier: 0, isSelect: false };
    expect(refusal(() => command(fields, 13, object, null))).toBe('M_ME_NC_1 (13) is no command, 45 to 51 or 58 to 64 would be right.');
    expect(command(fields, 45, object, null).objects).toMatchObject([{ kind: 'singleCommand' }]);
  });

  it('come back as they were but for cause and P/N, of unknown types too', () => {
    expect(hex(mirrorAsdu(octets('c8010600010001000000'), Cause.unknownType, true))).toBe('c8016c00010001000000');
    expect(hex(mirrorAsdu(octets('6401860301000000 0014'), Cause.activationCon, false))).toBe('64018703010000000014');
    expect(refusal(() => mirrorAsdu(octets('6401'), 7, false))).toBe('The ASDU has 2 octets, at least 4 would be right.');
  });
});

describe('names', () => {
  it('has one spec for each type, of the right direction', () => {
    const ids = DECODED_TYPES.map((type) => type.id);
    const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
    expect(ids).toEqual([
      ...range(1, 21),
      ...range(30, 40),
      ...range(45, 51),
      ...range(58, 64),
      70,
      ...range(100, 107),
      ...range(110, 113),
    ]);
    expect(DECODED_TYPES.filter((type) => type.isSerialOnly).map((type) => type.id)).toEqual([
      2, 4, 6, 8, 10, 12, 14, 16, 17, 18, 19, 104, 106,
    ]);
    expect([typeText(13), typeText(200), typeText(126)]).toEqual(['M_ME_NC_1 (13)', 'type 200', 'F_DR_TA_1 (126)']);
  });

  it('has all types in the coverage matrix of the protocol page', () => {
    const page = readFileSync(new URL('../../../../docs/protocols/iec104.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^\| (\d+) \| ([A-Z]_\w+) \| .* \| (CP\d\d)? ?\| .* \| (\d+) \|$/gm)];
    const counts = new Map<number, number>();
    for (const { asdu } of readVectors()) if (asdu !== undefined) counts.set(asdu.type, (counts.get(asdu.type) ?? 0) + 1);
    expect(rows.map(([, id, mnemonic, time, golden]) => [Number(id), mnemonic, time?.toLowerCase() ?? null, Number(golden)])).toEqual(
      DECODED_TYPES.map((type) => [type.id, type.mnemonic, type.time, counts.get(type.id) ?? 0]),
    );
  });

  it('knows the causes', () => {
    expect([causeName(20), causeName(36), causeName(37), causeName(41), causeName(44)]).toEqual([
      'interrogated by station interrogation',
      'interrogated by group 16 interrogation',
      'requested by general counter request',
      'requested by group 4 counter request',
      'unknown type identification',
    ]);
    expect([causeName(0), causeName(19), causeName(42), causeName(63)]).toEqual([null, null, null, null]);
    expect([43, 44, 47, 48].map(isUnknownCause)).toEqual([false, true, true, false]);
  });
});

describe('walking over objects', () => {
  it('says where the elements of each object lie', () => {
    const bytes = octets('0b8203000100 050000 010000 0200f1');
    const cursor = new ObjectCursor().open(openAsdu(bytes, sizes));
    const seen: unknown[] = [];
    while (cursor.next())
      seen.push([
        cursor.address,
        cursor.value,
        cursor.quality,
        hex(bytes.subarray(cursor.elementAt, cursor.elementAt + cursor.elementLength)),
      ]);
    expect(seen).toEqual([
      [5, 1, 0, '010000'],
      [6, 2, 0xf1, '0200f1'],
    ]);
    expect(cursor.time()).toBeNull();
  });

  it('has no objects of commands and of types that stay raw', () => {
    const cursor = new ObjectCursor();
    expect(cursor.next()).toBe(false);
    expect(cursor.open(openAsdu(octets('64010600010000000014'), sizes)).next()).toBe(false);
    expect(cursor.open(openAsdu(octets('c8010600010001000000'), sizes)).next()).toBe(false);
  });
});
