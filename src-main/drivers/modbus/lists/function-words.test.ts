import { expect, it } from 'vitest';
import { parseFunction } from './function-words.ts';

const said = (text: string) => {
  const found = parseFunction(text);
  return found && `${found.area ?? '?'} ${found.isRead ? 'R' : ''}${found.isWritten ? 'W' : ''}`;
};

it.each([
  ['3', '4 R'],
  ['03', '4 R'],
  ['0x04', '3 R'],
  ['04H', '3 R'],
  ['FC3', '4 R'],
  ['FC 01', '0 R'],
  ['02', '1 R'],
  ['6', '4 W'],
  ['0x10', '4 W'],
  ['16', '4 W'],
  ['0x0F', '0 W'],
  ['5', '0 W'],
  ['03/06', '4 RW'],
  ['3,6,16', '4 RW'],
  ['03H/06H/10H', '4 RW'],
  ['R:03 W:06/16', '4 RW'],
  ['03 (Read Holding Registers)', '4 R'],
  ['Holding Register', '4 R'],
  ['Input Registers (Function 04)', '3 R'],
  ['Discrete input', '1 R'],
  ['Coils', '0 R'],
  ['HR', '4 R'],
  ['4x', '4 R'],
  ['3x', '3 R'],
  ['保持寄存器', '4 R'],
  ['输入寄存器（功能码04）', '3 R'],
  ['线圈', '0 R'],
  ['离散量输入', '1 R'],
  ['03读/06写', '4 RW'],
  ['1', '0 R'],
  ['03/04', '? R'],
])('%s', (text, expected) => expect(said(text)).toBe(expected));

it.each(['', 'Voltage', '17', '40001', 'A phase', '0.1', 'uint16'])('"%s" says nothing of a table', (text) => {
  expect(parseFunction(text)).toBeNull();
});
