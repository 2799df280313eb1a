import { expect, it } from 'vitest';
import { modbusTcpDriver } from '../../../drivers/modbus/driver.ts';
import { CHANNEL } from '../testing/tables.ts';
import { analyseList } from './analyse.ts';

it('a table whose headers name its addresses twice is taken, and lists below its rows do not take its place', async () => {
  const register = (address: number, name: string, bits: readonly object[] = []) => ({
    function: '03',
    address_dec: address,
    address_hex: `0x${address.toString(16)}`,
    name,
    type: 'u16',
    access: 'R',
    bits,
  });
  const alarms = Array.from({ length: 4 }, (_, index) => ({ index, name: `e${196 + index}`, description: 'Alarm' }));
  const list = { registers: [register(5, 'pump'), register(9, 'bypass'), register(10, 'alarms', alarms), register(12, 'level')] };

  const { tables } = await analyseList(
    { name: 'ahu.json', bytes: new TextEncoder().encode(JSON.stringify(list)), mapping: {}, profiles: [] },
    modbusTcpDriver,
    CHANNEL,
  );

  expect(tables.map(({ sheet, taken, points }) => [sheet, taken, points])).toContainEqual(['registers', true, 4]);
});
