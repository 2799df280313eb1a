import { describe, expect, it } from 'vitest';
import { APCI_LENGTH, type Apdu, encodeI, encodeS, encodeU, type UFunction } from '../link/apci.ts';
import { ApduFramer } from '../link/framer.ts';
import { readCaptures, readVectors, type Vector } from '../testing/captures.ts';
import { goldenAsdu } from '../testing/vector-objects.ts';
import { decodeAsdu, encodeAsdu, openAsdu } from './asdu.ts';
import { ObjectCursor } from './cursor.ts';
import { STANDARD_SIZES } from './sizes.ts';
import { typeSpec } from './types.ts';

const vectors = readVectors();
const captures = readCaptures();

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

/** The control field as the golden file says it. */
function goldenApci(vector: Vector): Record<string, unknown> {
  if (vector.format === 'U') return { format: 'U', function: vector.function?.toLowerCase().replace(' ', '-') };
  return vector.format === 'S' ? { format: 'S', nr: vector.nr } : { format: 'I', ns: vector.ns, nr: vector.nr };
}

function encodeGolden(vector: Vector): Uint8Array {
  if (vector.format === 'U') return encodeU(vector.function?.toLowerCase().replace(' ', '-') as UFunction);
  if (vector.asdu === undefined) return encodeS(vector.nr ?? -1);
  return encodeI(vector.ns ?? -1, vector.nr ?? -1, encodeAsdu(goldenAsdu(vector.asdu), STANDARD_SIZES));
}

/** What a whole frame decodes to. */
function frameOf(bytes: Uint8Array): Apdu {
  const [item, ...more] = new ApduFramer().push(bytes);
  if (item?.kind !== 'frame' || more.length > 0) throw new Error(`no single frame: ${hex(bytes)}`);
  return item;
}

describe('golden APDUs of an independent stack', () => {
  it('has all of them', () => {
    expect(vectors).toHaveLength(768);
  });

  it.each(vectors.map((vector, index) => [`${vector.file} ${index}`, vector] as const))('%s decodes to the golden fields', (_, vector) => {
    const { kind, bytes, ...apci } = frameOf(vector.bytes);
    expect(apci).toEqual(goldenApci(vector));
    if (vector.asdu === undefined) return;
    expect(decodeAsdu(bytes, STANDARD_SIZES, APCI_LENGTH)).toEqual(goldenAsdu(vector.asdu));
    expect(typeSpec(vector.asdu.type)?.mnemonic ?? null).toBe(vector.asdu.objects === undefined ? null : vector.asdu.mnemonic);
  });

  it.each(vectors.map((vector, index) => [`${vector.file} ${index}`, vector] as const))('%s encodes to the golden octets', (_, vector) => {
    expect(hex(encodeGolden(vector))).toBe(hex(vector.bytes));
  });

  it('gives the same values, qualities and time tags when it is walked over without objects', () => {
    const cursor = new ObjectCursor();
    let walked = 0;
    for (const { asdu, bytes } of vectors) {
      if (asdu === undefined || typeSpec(asdu.type)?.isList !== true) continue;
      cursor.open(openAsdu(bytes, STANDARD_SIZES, APCI_LENGTH));
      for (const object of goldenAsdu(asdu).objects) {
        expect(cursor.next()).toBe(true);
        walked += 1;
        expect([cursor.address, cursor.time()]).toEqual([object.address, object.time]);
        if ('value' in object) expect(cursor.value).toBe(object.value);
        if (object.kind === 'counter') {
          expect(cursor.quality).toBe((object.isInvalid ? 0x80 : 0) + (object.hasCarry ? 0x01 : 0));
        } else if ('quality' in object) {
          expect(cursor.quality).toBe(object.quality & 0xf1);
        }
      }
      expect(cursor.next()).toBe(false);
    }
    expect(walked).toBeGreaterThan(1000);
  });
});

describe('golden scenarios with other sizes', () => {
  it.each(['80_variant_cot1_ca1_ioa2', '81_variant_cot2_ca1_ioa2'])('%s decodes and encodes again', (name) => {
    const capture = captures.find((one) => one.name === name);
    const types: number[] = [];
    for (const { kind, bytes } of capture?.events ?? []) {
      if (kind !== 'apdu') continue;
      const frame = frameOf(bytes);
      if (frame.format !== 'I' || capture === undefined) continue;
      const asdu = decodeAsdu(bytes, capture.sizes, APCI_LENGTH);
      types.push(asdu.typeId);
      expect(asdu.raw).toBeNull();
      expect(asdu.commonAddress).toBe(1);
      expect(hex(encodeI(frame.ns, frame.nr, encodeAsdu(asdu, capture.sizes)))).toBe(hex(bytes));
    }
    expect(types).toContain(100);
    expect(types.length).toBeGreaterThan(5);
  });

  it('reads the objects of sizes 1/1/2', () => {
    const sizes = { cause: 1, commonAddress: 1, objectAddress: 2 } as const;
    expect(decodeAsdu(Uint8Array.of(0x64, 0x01, 0x06, 0x01, 0x00, 0x00, 0x14), sizes)).toEqual({
      typeId: 100,
      isSequence: false,
      cause: 6,
      isNegative: false,
      isTest: false,
      originator: 0,
      commonAddress: 1,
      objects: [{ kind: 'interrogation', address: 0, value: 20, time: null }],
      raw: null,
    });
  });
});
