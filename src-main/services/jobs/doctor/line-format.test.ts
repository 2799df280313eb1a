import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concatBytes } from '../../../protocol-kit/bytes.ts';
import { asReadWith, type OnError } from '../testing/uart.ts';
import { guessLine } from './line-format.ts';

const octets = (text: string) => Uint8Array.from(text.split(' '), (part) => Number.parseInt(part, 16));
/** Two exchanges of a Modbus RTU line: questions and answers with ordinary values. */
const TRAFFIC = concatBytes(
  octets('01 03 00 6B 00 03 74 17'),
  octets('01 03 06 02 2B 00 01 00 64 11 8A'),
  octets('11 03 00 6B 00 03 76 87'),
  octets('11 03 06 AE 41 56 52 43 40 49 AD'),
);
const SET = { baudRate: 9600, format: '8N1' };
const settings = { baudRate: 9600, parity: 'N' } as const;

describe('the model of a serial line', () => {
  it.each(['8N1', '8E1', '8O1', '8N2', '7E1'])('reads what was sent with %s', (format) => {
    const text = format.startsWith('7') ? TRAFFIC.map((octet) => octet & 0x7f) : TRAFFIC;
    expect(asReadWith(text, { ...SET, format }, { ...SET, format })).toEqual(text);
  });

  it('reads 8N2 as 8N1, and 8E1 as 8N1 where the receiver passes everything on', () => {
    expect(asReadWith(TRAFFIC, { ...SET, format: '8N2' }, SET)).toEqual(TRAFFIC);
    expect(asReadWith(TRAFFIC, { ...SET, format: '8E1' }, SET)).toEqual(TRAFFIC);
  });
});

describe('parity of the sender', () => {
  it.each([
    ['8E1', 'drop'],
    ['8E1', 'zero'],
    ['8O1', 'drop'],
    ['8O1', 'zero'],
  ] as const)('%s is told from what 8N1 makes of it, wrong characters: %s', (format, onError: OnError) => {
    expect(guessLine(asReadWith(TRAFFIC, { ...SET, format }, SET, onError), settings)).toEqual({ kind: 'format', format });
  });

  it.each(['7E1', '7O1'])('%s text is told from its eighth bit', (format) => {
    const text = new TextEncoder().encode(':010300000001FB\r\n:0103021234B4\r\n');
    expect(guessLine(asReadWith(text, { ...SET, format }, SET), settings)).toEqual({ kind: 'format', format });
  });

  it('is not guessed from few octets, nor with a parity set', () => {
    const seen = asReadWith(TRAFFIC, { ...SET, format: '8E1' }, SET, 'drop');
    expect(guessLine(seen.subarray(0, 8), settings)).toBeNull();
    expect(guessLine(seen, { baudRate: 9600, parity: 'E' })).toBeNull();
  });
});

describe('baud rate of the sender', () => {
  it.each([
    [4800, 9600],
    [2400, 9600],
    [1200, 9600],
    [9600, 19_200],
    [19_200, 115_200],
    [38_400, 57_600],
    [9600, 57_600],
  ])('%i is told from what %i makes of it', (sent, read) => {
    const seen = asReadWith(TRAFFIC, { ...SET, baudRate: sent }, { ...SET, baudRate: read });
    expect(guessLine(seen, { baudRate: read, parity: 'N' })).toEqual({ kind: 'slower', baudRate: sent });
  });

  it('is a break when nothing but zeros arrives', () => {
    const seen = asReadWith(TRAFFIC, { ...SET, baudRate: 1200 }, { ...SET, baudRate: 115_200 });
    expect(guessLine(seen, { baudRate: 115_200, parity: 'N' })).toEqual({ kind: 'break' });
    expect(guessLine(new Uint8Array(0), settings)).toBeNull();
  });

  it('is not guessed when the sender is faster', () => {
    for (const sent of [19_200, 38_400, 115_200]) {
      expect(guessLine(asReadWith(TRAFFIC, { ...SET, baudRate: sent }, SET), settings)?.kind).not.toBe('slower');
    }
  });
});

it('true octets of any kind hardly ever look like other settings', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 40, maxLength: 200 }), (seen) => {
      fc.pre(seen.some((octet) => octet !== 0) && new Set(seen).size > 8);
      expect(guessLine(seen, settings)).toBeNull();
    }),
    { numRuns: 200 },
  );
});
