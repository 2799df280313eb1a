import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAddress, type WrittenAddress } from './written-address.ts';

const said = (text: string) => {
  const found = parseAddress(text);
  if (!found) return null;
  const { form, digits, area, word, bit, last, count, unit } = found;
  const parts = [word, area === null ? '' : `area ${area}`, bit === null ? '' : `bit ${bit}`, last === null ? '' : `to ${last}`];
  const more = [count === null ? '' : `${count} registers`, unit === null ? '' : `unit ${unit}`];
  return [form, digits, ...parts, ...more].filter((part) => part !== '').join(' ');
};

describe('an address of a list', () => {
  it.each([
    ['40001', 'plain 40001'],
    ['00001', 'plain 00001'],
    ['400001', 'plain 400001'],
    ['12', 'plain 12'],
    ['4x0001', 'table 0001 area 4'],
    ['4X00012', 'table 00012 area 4'],
    ['3x 12', 'table 12 area 3'],
    ['4:0001', 'table 0001 area 4'],
    ['1-0007', 'table 0007 area 1'],
    ['0x0010', 'hex 0010'],
    ['0X1f', 'hex 1f'],
    ['0010h', 'hex 0010'],
    ['1F40H', 'hex 1F40'],
    ['$0A', 'hex 0A'],
    ['16#0010', 'hex 0010'],
    ['00FF', 'plain 00FF'],
    ['HR12', 'word 12 HR area 4'],
    ['hr 12', 'word 12 HR area 4'],
    ['HR[12]', 'word 12 HR area 4'],
    ['IR5', 'word 5 IR area 3'],
    ['DI7', 'word 7 DI area 1'],
    ['C3', 'plain C3'],
    ['Coil 3', 'word 3 COIL area 0'],
    ['HRF1025', 'word 1025 HRF area 4'],
    ['HRUI 30', 'word 30 HRUI area 4'],
    ['1.HR5', 'word 5 HR area 4 unit 1'],
    ['2.IRF100', 'word 100 IRF area 3 unit 2'],
    ['%MW100', 'word 100 %MW area 4'],
    ['D100', 'plain D100'],
    ['Holding register 17', 'word 17 HOLDING REGISTER area 4'],
    ['Reg 17', 'plain 17'],
    ['12.3', 'plain 12 bit 3'],
    ['40001.10', 'plain 40001 bit 10'],
    ['0x0010.05', 'hex 0010 bit 05'],
    ['40001 bit 3', 'plain 40001 bit 3'],
    ['40001/3', 'plain 40001 bit 3'],
    ['40001.bit7', 'plain 40001 bit 7'],
    ['12位3', 'plain 12 bit 3'],
    ['30001-30002', 'plain 30001 to 30002'],
    ['30001～30002', 'plain 30001 to 30002'],
    ['30001–02', 'plain 30001 to 30002'],
    ['40001/40002', 'plain 40001 to 40002'],
    ['40001,40002', 'plain 40001 to 40002'],
    ['0x0010-0x0011', 'hex 0010 to 0011'],
    ['10H~11H', 'hex 10 to 11'],
    ['4x0001-4x0002', 'table 0001 area 4 to 0002'],
    ['ns=1;s=[PLC 1]1.HRF40', 'word 40 HRF area 4 unit 1'],
    ['[PLC]HR7.2', 'word 7 HR area 4 bit 2'],
    ['40001:2', 'plain 40001 2 registers'],
    ['40001[4]', 'plain 40001 4 registers'],
    ['40001 (2)', 'plain 40001 2 registers'],
    ['40,001', 'plain 40001'],
  ])('%s', (text, expected) => expect(said(text)).toBe(expected));

  it.each(['', '-', 'N/A', 'Voltage', 'see note 3', '0.1 V', '40001 and more', 'ABCD', '1.2.3', '40001.3.4'])('"%s" is none', (text) => {
    expect(parseAddress(text)).toBeNull();
  });

  it('says what was written into it, whatever the style', () => {
    const number = fc.integer({ min: 0, max: 65_535 });
    const bit = fc.integer({ min: 0, max: 15 });
    const styles: readonly ((at: number, bit: number) => readonly [string, Partial<WrittenAddress>])[] = [
      (at) => [`${at}`, { form: 'plain', digits: `${at}` }],
      (at) => [` 4x${String(at % 10_000).padStart(4, '0')} `, { form: 'table', area: 4, digits: String(at % 10_000).padStart(4, '0') }],
      (at) => [
        `0x${at.toString(16).toUpperCase().padStart(4, '0')}`,
        { form: 'hex', digits: at.toString(16).toUpperCase().padStart(4, '0') },
      ],
      (at) => [`${at.toString(16).padStart(4, '0')}H`, { form: 'hex', digits: at.toString(16).padStart(4, '0') }],
      (at, digit) => [`${at}.${digit}`, { digits: `${at}`, bit: `${digit}` }],
      (at, digit) => [`HR${at}.${digit}`, { word: 'HR', area: 4, digits: `${at}`, bit: `${digit}` }],
      (at) => [`${at}-${at + 1}`, { digits: `${at}`, last: `${at + 1}` }],
      (at, digit) => [`${at}:${digit + 1}`, { digits: `${at}`, count: digit + 1 }],
      (at) => [`％ＭＷ${at}`, { word: '%MW', area: 4, digits: `${at}` }],
    ];
    fc.assert(
      fc.property(number, bit, fc.constantFrom(...styles), (at, digit, write) => {
        const [text, expected] = write(at, digit);
        expect(parseAddress(text)).toMatchObject(expected);
      }),
    );
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => void parseAddress(text)));
  });
});
