import { writeXlsx } from 'hucre/xlsx';
import { dlt645Driver } from '../../../../drivers/dlt645/driver.ts';
import { iec104Driver } from '../../../../drivers/iec104/driver.ts';
import { modbusTcpDriver } from '../../../../drivers/modbus/driver.ts';
import type { ProtocolDriver } from '../../../../drivers/spi/index.ts';
import type { CaseSheet, ListCase } from './list-case.ts';
import { ENGLISH_LISTS } from './lists-modbus-en.ts';
import { CHINESE_LISTS } from './lists-modbus-zh.ts';
import { TELECONTROL_LISTS } from './lists-telecontrol.ts';
import { TOOL_LISTS } from './lists-tools.ts';

export { countCorrections, type ListCase } from './list-case.ts';

/** All lists of our own making. */
export const LISTS: readonly ListCase[] = [...CHINESE_LISTS, ...ENGLISH_LISTS, ...TOOL_LISTS, ...TELECONTROL_LISTS];

const DRIVERS = { modbus: modbusTcpDriver, iec104: iec104Driver, dlt645: dlt645Driver } as const satisfies Record<string, ProtocolDriver>;

/** The driver of the channel that a list is for. */
export function driverOf({ protocol = 'modbus' }: ListCase): ProtocolDriver {
  return DRIVERS[protocol];
}

/** A list as the file it comes in. */
export async function bytesOf({ content }: ListCase): Promise<Uint8Array> {
  if ('text' in content) return new TextEncoder().encode(content.text);
  return writeXlsx({ sheets: content.sheets.map(toSheet) });
}

function toSheet({ name, rows, merges = [], hiddenRows = [], isHidden = false, formulas = {} }: CaseSheet) {
  const cells = Object.entries(formulas).map(([place, formula]) => {
    const [, letters = 'A', digits = '1'] = /^([A-Z]+)(\d+)$/.exec(place) ?? [];
    const [row, column] = [Number(digits) - 1, letters.charCodeAt(0) - 65];
    const value = rows[row]?.[column] ?? null;
    return [`${row},${column}`, { value, formula, formulaResult: value }] as const;
  });
  return {
    name,
    hidden: isHidden,
    rows: rows.map((row) => [...row]),
    merges: merges.map(({ startRow, startColumn, endRow, endColumn }) => ({ startRow, startCol: startColumn, endRow, endCol: endColumn })),
    rowDefs: new Map(hiddenRows.map((row) => [row, { hidden: true }])),
    cells: new Map(cells),
  };
}
