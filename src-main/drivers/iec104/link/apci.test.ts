import { describe, expect, it } from 'vitest';
import { octets } from '../testing/captures.ts';
import { APCI_LENGTH, decodeApdu, encodeI, encodeS, encodeU } from './apci.ts';

describe('control field', () => {
  it('writes both numbers of an I frame low seven bits first, over the border of 32767', () => {
    expect(encodeI(32_767, 0, octets('01'))).toEqual(Buffer.from('6805feff000001', 'hex'));
    expect(encodeI(0, 32_762, octets('01'))).toEqual(Buffer.from('68050000f4ff01', 'hex'));
    expect(decodeApdu(octets('6805feff000001'))).toMatchObject({ format: 'I', ns: 32_767, nr: 0 });
    expect(decodeApdu(octets('68050000f4ff01'))).toMatchObject({ format: 'I', ns: 0, nr: 32_762 });
  });

  it('writes S and U frames', () => {
    expect(encodeS(2)).toEqual(octets('680401000400'));
    expect(encodeS(32_767)).toEqual(octets('68040100feff'));
    expect(encodeU('testfr-con')).toEqual(octets('680483000000'));
  });

  it('takes an ASDU of 1 to 249 octets', () => {
    expect(encodeI(0, 0, new Uint8Array(249))).toHaveLength(255);
    for (const length of [0, 250]) {
      expect(() => encodeI(0, 0, new Uint8Array(length))).toThrow(
        expect.objectContaining({ code: 'PROTOCOL_MALFORMED', message: `The length of the ASDU is ${length}, 1 to 249 would be right.` }),
      );
    }
  });

  it.each(['03', '17', '0f', 'ff', '63'])('reports function octet %s, and leaves the link standing', (octet) => {
    const item = decodeApdu(octets(`6804${octet}000000`));
    expect(item).toMatchObject({ kind: 'fault', code: 'PROTOCOL_MALFORMED', isFatal: false });
  });

  it('refuses S and U frames with an ASDU and I frames without one', () => {
    expect(decodeApdu(octets('68050100000001'))).toMatchObject({ kind: 'fault', code: 'FRAME_LENGTH', isFatal: true });
    expect(decodeApdu(octets('68050700000001'))).toMatchObject({ kind: 'fault', code: 'FRAME_LENGTH', isFatal: true });
    expect(decodeApdu(octets('680400000000'))).toMatchObject({ kind: 'fault', code: 'FRAME_LENGTH', isFatal: true });
    expect(APCI_LENGTH).toBe(6);
  });
});
