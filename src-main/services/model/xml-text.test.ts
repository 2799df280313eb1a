import { describe, expect, it } from 'vitest';
import { xmlText } from './xml-text.ts';

const declared = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>`;
const octets = (...parts: (string | number[])[]) =>
  new Uint8Array(parts.flatMap((part) => (typeof part === 'string' ? [...Buffer.from(part)] : part)));

describe('the text of an XML file', () => {
  it.each([
    ['UTF-8 without a word', octets('<a>间隔</a>'), '<a>间隔</a>'],
    ['UTF-8 with a mark', octets([0xef, 0xbb, 0xbf], '<a>间隔</a>'), '<a>间隔</a>'],
    ['declared UTF-8', octets(`${declared('UTF-8')}间隔`), `${declared('UTF-8')}间隔`],
    ['declared GB2312', octets(declared('GB2312'), [0xbc, 0xe4, 0xb8, 0xf4]), `${declared('GB2312')}间隔`],
    ['declared ISO-8859-1', octets(declared('ISO-8859-1'), [0xe9]), `${declared('ISO-8859-1')}é`],
    ['UTF-16 little end first, with a mark', octets([0xff, 0xfe, 0xf4, 0x95]), '间'],
    ['UTF-16 big end first, with a mark', octets([0xfe, 0xff, 0x95, 0xf4]), '间'],
    ['declared UTF-16 and written in octets', octets(`${declared('UTF-16')}x`), `${declared('UTF-16')}x`],
  ])('is read from %s', (_, given, text) => {
    expect(xmlText(given)).toBe(text);
  });

  it.each([
    ['an unknown encoding', octets(declared('klingon')), /klingon, which is no known encoding/],
    ['octets that the encoding has not', octets([0x3c, 0xff, 0xff]), /no text in utf-8/],
  ])('is refused with %s', (_, given, words) => {
    expect(() => xmlText(given)).toThrow(words);
  });
});
