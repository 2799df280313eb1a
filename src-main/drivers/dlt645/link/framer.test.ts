import { describe, expect, it } from 'vitest';
import { hexText } from '../../../protocol-kit/bytes.ts';
import { decodeAddress, encodeAddress, parseAddress } from '../codec/address.ts';
import { BadValue } from '../codec/bcd.ts';
import { encodeElement } from '../codec/format.ts';
import { encodeFrame, PREAMBLE } from '../codec/frame.ts';
import { decodeItems, formatFor } from '../codec/items.ts';
import { decodeDi, diText, encodeDi, findItem } from '../dictionary/dictionary.ts';
import { allVectors, type Dlt645Vector, octets } from '../vectors/load.ts';
import { Dlt645Framer, type FramerItem, type ReceivedFrame } from './framer.ts';

const framesIn = (items: readonly FramerItem[]) => items.filter((item): item is ReceivedFrame => item.kind === 'frame');

function received(bytes: Uint8Array): ReceivedFrame[] {
  const framer = new Dlt645Framer();
  return framesIn([...framer.push(bytes), ...framer.silence()]);
}

/** Vectors that are about broken octets name the direction they are about. */
const isWhole = (vector: Dlt645Vector) => vector.category !== 'malformed' && vector.category !== 'stream';

describe('golden vectors', () => {
  const directions = allVectors.flatMap((vector) =>
    [vector.request_hex, vector.response_hex].flatMap((hex, at) =>
      hex === null ? [] : [{ name: `${vector.name} ${at === 0 ? 'request' : 'answer'}`, hex, vector, isRequest: at === 0 }],
    ),
  );

  it('has all of them', () => {
    expect(allVectors).toHaveLength(368);
  });

  it.each(directions.filter(({ vector }) => isWhole(vector)))('$name both ways', ({ hex, vector, isRequest }) => {
    const bytes = octets(hex);
    const [frame, ...more] = received(bytes);
    expect(more).toEqual([]);
    if (!frame) throw new Error('no frame');
    expect(hexText(frame.bytes)).toBe(hexText(bytes));
    const preambles = bytes.findIndex((octet) => octet !== PREAMBLE);
    expect(hexText(encodeFrame(frame, preambles))).toBe(hexText(bytes));
    const { control, response_control } = vector.meaning;
    expect(frame.control.toString(16).toUpperCase().padStart(2, '0')).toBe(isRequest ? control : (response_control ?? control));
    expect(hexText(encodeAddress(decodeAddress(frame.address)))).toBe(hexText(frame.address));
  });

  it.each(allVectors.filter((vector) => vector.expect?.frames !== undefined && !vector.gap_ms))('$name: $expect.reason', (vector) => {
    const isAnswer = vector.expect?.master !== undefined || vector.request_hex === null;
    const hex = (isAnswer ? vector.response_hex : vector.request_hex) ?? '';
    expect(received(octets(hex))).toHaveLength(vector.expect?.frames ?? 0);
  });

  it.each(allVectors.filter((vector) => vector.chunks && !vector.gap_ms))('$name in its chunks', (vector) => {
    const framer = new Dlt645Framer();
    const items = (vector.chunks ?? []).flatMap((chunk) => framer.push(octets(chunk)));
    expect(framesIn(items)).toHaveLength(vector.expect?.frames ?? 0);
  });
});

describe('values of the vectors', () => {
  const readings = allVectors.filter(
    ({ category, response_hex, meaning, expect: expected }) =>
      (category === 'read' || category === 'block') && response_hex !== null && meaning.di !== undefined && !expected,
  );

  it.each(readings)('$name', (vector) => {
    const [frame] = received(octets(vector.response_hex ?? ''));
    const edition = vector.protocol === '2007' ? 2007 : 1997;
    const size = edition === 2007 ? 4 : 2;
    const di = frame ? decodeDi(frame.data, edition) : null;
    if (!frame || di === null) throw new Error('no identifier');
    expect(diText(di, edition)).toBe(vector.meaning.di);
    expect(hexText(encodeDi(di, edition))).toBe(hexText(frame.data.subarray(0, size)));
    const item = findItem(edition, di);
    if (!item) throw new Error(`${vector.meaning.di} is not in the dictionary`);
    const data = frame.data.subarray(size);
    const format = formatFor(data.length, item.format, edition);
    const elements = decodeItems(data, format, item.elements);
    expect(plain(elements.map(({ parts }) => parts.map((part, at) => (isNumber(format, at) ? part.value : part.text))))).toEqual(
      plain(vector.meaning.values ?? []),
    );
    expect(item.unit.split(',')[0]).toBe(vector.meaning.unit.split(',')[0]);
    for (const { bytes, parts } of elements) {
      if (parts.some((part) => part.value === null) || format.size === null) continue;
      const inputs = parts.map((part, at) =>
        isNumber(format, at) ? (part.value ?? 0) : format.parts[at]?.kind === 'time' ? part.text : (part.value ?? 0),
      );
      // a zero may carry a sign, which is not sent
      const isZero = inputs.every((input) => input === 0);
      expect(hexText(encodeElement(inputs, format))).toBe(isZero ? hexText(new Uint8Array(bytes.length)) : hexText(bytes));
    }
  });
});

function isNumber(format: { parts: readonly { kind: string }[] }, at: number): boolean {
  const kind = format.parts[at]?.kind;
  return kind === 'number';
}

/** Values in a row, as the vectors write them. */
function plain(values: readonly unknown[]): string {
  return values
    .flat(3)
    .map((value) => (typeof value === 'string' ? value.replaceAll('T', ' ') : String(value)))
    .join(' ');
}

it('takes addresses of twelve characters only', () => {
  expect(parseAddress('000012345678')).toBe('000012345678');
  expect(parseAddress('aaaaaaaa5678')).toBe('AAAAAAAA5678');
  expect(parseAddress('00001234567')).toBeNull();
  expect(parseAddress('0000123456AA')).toBeNull();
  expect(parseAddress('A00012345678')).toBeNull();
});

it('says that octets are no digits', () => {
  const item = findItem(2007, 0x02010100);
  expect(() => item && decodeItems(Uint8Array.of(0xa5, 0x22), item.format, 1)).toThrow(BadValue);
});
