import type { ImpossibleBits } from '#shared/contract/point-files.ts';
import type { NewPoint } from '#shared/contract/points.ts';
import { modbusTcpDriver } from '../../../drivers/modbus/driver.ts';
import type { NormalPoint, PointConfig, ProtocolDriver } from '../../../drivers/spi/index.ts';
import { clientSettings } from '../../../drivers/testing/settings.ts';
import { planTable, readTableFile, type SheetReader, type TablePlans } from '../import-table.ts';
import type { PresentTable } from '../mode-plan.ts';
import type { Cell, SheetTable } from '../table-file.ts';
import { readTable } from '../table-formats.ts';

export const CHANNEL = clientSettings();

/** A table of a Modbus channel. */
export function presentTable(points: readonly PointConfig[] = [], driver: ProtocolDriver = modbusTcpDriver): PresentTable {
  return { driver, settings: CHANNEL, points };
}

/** Points as the store would have them. */
export function stored(points: readonly NormalPoint[]): PointConfig[] {
  return points.map((point, index) => ({ ...point, id: index + 1, channel_id: 1 }));
}

/** A sheet as a workbook would have it. */
export function sheet(name: string, rows: readonly (readonly Cell[])[], changes: Partial<SheetTable> = {}): SheetTable {
  return { name, isHidden: false, rows: rows.map((row) => [...row]), merges: [], formulas: new Set(), errors: new Set(), ...changes };
}

export interface Imported {
  readonly plans: TablePlans;
  /** `rule sheet!cell` of each error; what is not in a cell stands alone. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** Points as the merge would store them, in order of the file. */
  readonly points: readonly NormalPoint[];
  readonly format: string | null;
  readonly encoding: string;
}

interface ImportOptions {
  readonly name?: string;
  readonly table?: PresentTable;
  readonly mode?: 'preview' | 'merge' | 'replace';
  readonly bits?: ImpossibleBits;
}

/** Imports the octets of a file, as the service does it, in place. */
export function importBytes(bytes: Uint8Array, options: ImportOptions = {}): Promise<Imported> {
  return run(() => readTable(bytes), options);
}

export function importText(text: string, options: ImportOptions = {}): Promise<Imported> {
  return importBytes(new TextEncoder().encode(text), options);
}

/** Imports sheets that were read already. */
export function importSheets(sheets: readonly SheetTable[], options: ImportOptions = {}): Promise<Imported> {
  return run(async () => ({ format: 'xlsx', encoding: '', delimiter: '', sheets }), options);
}

async function run(read: SheetReader, options: ImportOptions): Promise<Imported> {
  const { name = 'table.csv', table = presentTable(), mode = 'merge' } = options;
  const result = await readTableFile({ name, bytes: new Uint8Array() }, table, read);
  const plans = await planTable(result, mode, table, options.bits);
  const place = (issue: { rule: string; sheet: string; cell: string }) => {
    const where = [issue.sheet, issue.cell].filter((part) => part !== '').join('!');
    return where === '' ? issue.rule : `${issue.rule} ${where}`;
  };
  const plan = plans.merge ?? plans.replace;
  return {
    plans,
    errors: plans.findings.errors.listed.map(place),
    warnings: plans.findings.warnings.listed.map(place),
    points: [...(plan?.changed ?? []), ...(plan?.added ?? [])].toSorted((a, b) => a.row.row - b.row.row).map(({ point }) => point),
    format: result.file?.format ?? null,
    encoding: result.file?.encoding ?? '',
  };
}

const TYPES = ['YC', 'YX', 'YK', 'YT'];
/** A point in one line, with everything that differs from an empty one. */
export function pointLine({
  frame_type,
  code,
  name,
  slave_id,
  func_code,
  address,
  decode,
  mul_coe,
  add_coe,
  unit,
  min_limit,
  max_limit,
  bit,
  category,
  note,
  related_code,
  protocol,
}: NewPoint): string {
  const texts = Object.entries((protocol?.enum_texts ?? {}) as Record<string, string>).map(([key, value]) => `${key}=${value}`);
  const parts = [
    [
      TYPES[frame_type],
      code,
      `"${name}"`,
      slave_id === undefined || slave_id === 1 ? '' : `@${slave_id}`,
      func_code == null ? '' : `f${func_code}`,
      `${address}`,
      decode,
    ],
    [
      mul_coe === 1 ? '' : `×${mul_coe}`,
      add_coe ? `+${add_coe}` : '',
      unit,
      min_limit == null && max_limit == null ? '' : `${min_limit ?? ''}..${max_limit ?? ''}`,
    ],
    [
      bit == null ? '' : `[${bit}]`,
      texts.length > 0 ? `{${texts.join(';')}}` : '',
      category ? `in ${category}` : '',
      related_code ? `shown by ${related_code}` : '',
    ],
  ];
  return (
    parts
      .flat()
      .filter((part) => part !== '' && part !== undefined)
      .join(' ') + (note ? `, note: ${note}` : '')
  );
}
