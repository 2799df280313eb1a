import { expect, it } from 'vitest';
import { modbusTcpDriver } from '../../../drivers/modbus/driver.ts';
import { CHANNEL } from '../testing/tables.ts';
import { analyseList } from './analyse.ts';

const HEADERS = ['Address', 'Name', 'Length', 'Data type', 'Factor', 'Unit', 'Access', 'Function code', 'Byte order', 'Bit', 'Values'];
const CELL = 32_000;

it.each(['1 a', '(', '\u3000', '1=a;'])('cells full of "%s" are read as fast as others', async (part) => {
  const long = part.repeat(CELL / part.length);
  const line = (cells: readonly string[]) => cells.map((cell) => `"${cell}"`).join(',');
  const rows = [`1${long}#`, `a${long}!`].map((cell, at) => line(HEADERS.map((_, column) => (column === 0 ? String(100 + at) : cell))));
  const bytes = new TextEncoder().encode([line(HEADERS), ...rows, line(HEADERS.map((header) => `${header}${long}`))].join('\n'));

  const { counts } = await analyseList({ name: 'list.csv', bytes, mapping: {}, profiles: [] }, modbusTcpDriver, CHANNEL);

  expect(counts.understood + counts.open + counts.left_out).toBe(counts.rows);
});
