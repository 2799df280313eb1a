import { describe, expect, it } from 'vitest';
import { readOrder } from './order-words.ts';
import { parseType } from './type-words.ts';

const said = (text: string) => {
  const type = parseType(text);
  return type && `${type.kind}${type.bits ?? ''}${type.isBits ? ' bits' : ''}${type.order ? ` ${type.order}` : ''}`;
};

describe('the word of a type', () => {
  it.each([
    ['int16', 'int16'],
    ['UINT16', 'uint16'],
    ['U16', 'uint16'],
    ['S32', 'int32'],
    ['I16', 'int16'],
    ['U 32', 'uint32'],
    ['uint_16', 'uint16'],
    ['UINT(16)', 'uint16'],
    ['16 bit unsigned', 'uint16'],
    ['16bit signed integer', 'int16'],
    ['unsigned int', 'uint'],
    ['Unsigned Long', 'uint32'],
    ['long', 'int32'],
    ['Short', 'int16'],
    ['WORD', 'uint16'],
    ['signed word', 'int16'],
    ['DWORD', 'uint32'],
    ['DINT', 'int32'],
    ['UDINT', 'uint32'],
    ['INT', 'int'],
    ['REAL', 'float'],
    ['LREAL', 'float64'],
    ['Float', 'float'],
    ['float32', 'float32'],
    ['FP32', 'float32'],
    ['Float IEEE754', 'float'],
    ['32-bit float', 'float32'],
    ['4 byte float', 'float32'],
    ['double', 'float64'],
    ['Boolean', 'bool1'],
    ['bit', 'bool1'],
    ['byte', 'uint8'],
    ['bitfield32', 'uint32 bits'],
    ['bitmap 16', 'uint16 bits'],
    ['enum16', 'uint16'],
    ['acc64', 'uint64'],
    ['sunssf', 'int16'],
    ['BCD', 'bcd'],
    ['String', 'text'],
    ['CHAR[20]', 'text'],
    ['ASCII 8 registers', 'text128'],
    ['pad', 'void'],
    ['float32 CDAB', 'float32 CDAB'],
    ['FLOAT_ABCD', 'float ABCD'],
    ['uint32 3412', 'uint32 CDAB'],
    ['float (swapped)', 'float CDAB'],
    ['INT32 LSW first', 'int32 CDAB'],
    ['uint32, MSW first', 'uint32 ABCD'],
    ['int32 low word first', 'int32 CDAB'],
    ['float little endian', 'float little'],
    ['uint32 big-endian byte swap', 'uint32 BADC'],
    ['U_DWORD_R', 'uint32 CDAB'],
    ['S_WORD', 'int16'],
    ['U_QWORD', 'uint64'],
    ['Long Inverse', 'int32 CDAB'],
    ['无符号16位整型', 'uint16'],
    ['16位有符号整数', 'int16'],
    ['有符号短整型', 'int16'],
    ['单精度浮点数', 'float32'],
    ['浮点型', 'float'],
    ['双字', 'uint32'],
    ['字符串', 'text'],
    ['开关量', 'bool1'],
    ['32位浮点 低字在前', 'float32 CDAB'],
  ])('%s', (text, type) => expect(said(text)).toBe(type));

  it.each(['', 'T17', 'FIX2', 'UINT16[2]', 'some words', '0', 'Volt', 'uint16 or int16?'])('"%s" is asked for', (text) => {
    expect(parseType(text)).toBeNull();
  });
});

describe('the word of an order', () => {
  it.each([
    ['ABCD', 'ABCD'],
    ['3-4-1-2', 'CDAB'],
    ['word', 'CDAB'],
    ['byte', 'BADC'],
    ['word_byte', 'DCBA'],
    ['none', 'ABCD'],
    ['little endian', 'little'],
    ['Low word first', 'CDAB'],
    ['高字在前', 'ABCD'],
    ['低字在前，高字在后', 'CDAB'],
    ['byte order: big, word order: little', 'CDAB'],
    ['whatever', null],
  ])('%s', (text, order) => expect(readOrder(text)).toBe(order));
});
