import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseValueList } from './value-list.ts';

const said = (text: string) => {
  const list = parseValueList(text);
  if (!list) return null;
  if (list.kind === 'values')
    return Object.entries(list.texts)
      .map(([key, word]) => `${key}=${word}`)
      .join(';');
  return list.bits.map(({ bit, text: word }) => `bit ${bit} ${word}`).join(';');
};

describe('a list of values', () => {
  it.each([
    ['0:off,1:on', '0=off;1=on'],
    ['0=off;1=on', '0=off;1=on'],
    ['0: Standby\n1: Running\n2: Fault', '0=Standby;1=Running;2=Fault'],
    ['0：关；1：开', '0=关;1=开'],
    ['0 - off 1 - on', '0=off;1=on'],
    ['0-停机 1-运行', '0=停机;1=运行'],
    ['0 = Off / 1 = On', '0=Off;1=On'],
    ['Operating state: 0: Standby; 1: Run', '0=Standby;1=Run'],
    ['0x00: stop, 0x55: start', '0=stop;85=start'],
    ['1=On, 0=Off', '0=Off;1=On'],
    ['Bit0: fault; Bit1: warning', 'bit 0 fault;bit 1 warning'],
    ['bit 0 - over voltage, bit 1 - under voltage', 'bit 0 over voltage;bit 1 under voltage'],
    ['Bit0：故障；Bit1：告警', 'bit 0 故障;bit 1 告警'],
    ['B0=run\nB3=trip', 'bit 0 run;bit 3 trip'],
    ['D0: 运行 D1: 停止', 'bit 0 运行;bit 1 停止'],
  ])('%s', (text, expected) => expect(said(text)).toBe(expected));

  it.each([
    '',
    '0-100',
    '0~65535',
    'Range: 0-100',
    '0: off',
    'Voltage of phase A',
    '1-phase',
    '2020-01-02 12:30',
    '10:30, 11:30',
    'V1.0: first; V1.1: second',
  ])('"%s" is none', (text) => {
    expect(parseValueList(text)).toBeNull();
  });

  it('comes back as it was written', () => {
    const word = fc.stringMatching(/^[A-Za-z一-龥][A-Za-z一-龥 ]{0,10}[A-Za-z一-龥]$/);
    const texts = fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 999 }), word), {
      minLength: 2,
      maxLength: 8,
      selector: ([key]) => key,
    });
    fc.assert(
      fc.property(texts, fc.constantFrom(':', '=', '：', ': '), fc.constantFrom(',', ';', '\n', '；', ', '), (pairs, mark, between) => {
        const list = parseValueList(pairs.map(([key, text]) => `${key}${mark}${text}`).join(between));
        expect(list).toEqual({
          kind: 'values',
          isHex: false,
          texts: Object.fromEntries(pairs.map(([key, text]) => [String(key), text.replace(/\s+/g, ' ')])),
        });
      }),
    );
  });
});
