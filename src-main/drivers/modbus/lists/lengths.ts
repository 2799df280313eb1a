/** How many registers the rows of a list take: a column of lengths counts registers in one list, octets or bits in the next. */
import type { ListContext } from '../../spi/lists.ts';
import type { RowFacts } from './row-facts.ts';
import { registersOf } from './value-types.ts';

export interface Lengths {
  /** Registers by length column, range, type, in this order; null where nothing says it. */
  registers(row: RowFacts): number | null;
  /** Registers that the row states beside its type; null where it states none. */
  stated(row: RowFacts): number | null;
}

/** Bits that one of a length column is. */
type LengthUnit = 1 | 8 | 16;

/** Finds what the length columns of the tables count. */
export function readLengths(tables: ReadonlyMap<number, readonly RowFacts[]>, { headers }: Pick<ListContext, 'headers'>): Lengths {
  const units = new Map([...tables].map(([table, facts]) => [table, unitOf(facts, headers[table]?.length ?? '')]));
  const stated = (row: RowFacts): number | null => {
    if (row.length !== null) return registersOf(row.length * (units.get(row.row.table) ?? 16));
    return spanOf(row);
  };
  return {
    stated,
    registers: (row) => stated(row) ?? (row.type?.bits ? registersOf(row.type.bits) : row.type?.kind === 'float' ? 2 : null),
  };
}

function unitOf(facts: readonly RowFacts[], header: string): LengthUnit {
  if (/byte|octet|字节/i.test(header)) return 8;
  if (/\bbits?\b|位数|位长/i.test(header)) return 1;
  if (/word|regist|字|寄存器/i.test(header)) return 16;
  const typed = facts.flatMap(({ length, type }) => (length !== null && type?.bits ? [{ length, bits: type.bits }] : []));
  const matches = (unit: LengthUnit) => typed.filter(({ length, bits }) => length * unit === Math.max(unit, bits)).length;
  const best = ([16, 8, 1] as const).toSorted((a, b) => matches(b) - matches(a))[0] ?? 16;
  return matches(best) > matches(16) ? best : 16;
}

/** Registers of a range or number behind the address, or to the last address in another column. */
function spanOf({ written, row }: RowFacts): number | null {
  if (!written) return null;
  if (written.count !== null) return written.count;
  const last = written.last ?? /^\s*(?:0x)?([0-9a-f]+)h?\s*$/i.exec(row.texts.address_last ?? '')?.[1] ?? null;
  if (last === null) return null;
  const isHex = written.form === 'hex' || /[a-f]/i.test(written.digits + last);
  const span = Number.parseInt(last, isHex ? 16 : 10) - Number.parseInt(written.digits, isHex ? 16 : 10) + 1;
  return span >= 1 && span <= 125 ? span : null;
}
