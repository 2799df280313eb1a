/** A foreign list as people make them, what its points are, and what a person has to correct for that. */
import type { ListMapping } from '#shared/contract/list-mapping.ts';
import type { CellRange } from '../../table-file.ts';

export type CaseCell = string | number | null;

/** A sheet with the noise of real ones. */
export interface CaseSheet {
  readonly name: string;
  readonly rows: readonly (readonly CaseCell[])[];
  readonly merges?: readonly CellRange[];
  readonly hiddenRows?: readonly number[];
  readonly isHidden?: boolean;
  /** Formulas by cell name, `D4`: their saved value stands in `rows`. */
  readonly formulas?: Readonly<Record<string, string>>;
}

export interface ListCase {
  readonly name: string;
  /** Name of the file, with its ending. */
  readonly file: string;
  readonly content: { readonly sheets: readonly CaseSheet[] } | { readonly text: string };
  readonly protocol?: 'modbus' | 'iec104' | 'dlt645';
  /** What a person changes or answers. Empty: nothing. */
  readonly corrections: ListMapping;
  /** A choice that is no correction: what is wanted of the list. */
  readonly wanted?: Pick<ListMapping, 'commands' | 'slave_id'>;
  /** `type code address function decode ×factor+offset unit [bit] {texts}` of each point, in the order of the list. */
  readonly points: readonly string[];
  /** Rules of rows that are left out, with how many. */
  readonly leftOut?: Readonly<Record<string, number>>;
}

/** Corrections of a mapping: a column, a place, or an answer each. */
export function countCorrections({ tables = [], headers = [], answers = {}, words = [], ...rest }: ListMapping): number {
  const placed = tables.map(({ sheet: _, columns = [], header_row: __, left: ___, taken, ...places }) => {
    return (
      columns.length +
      Object.keys(places).length +
      (taken === undefined ? 0 : 1) +
      (columns.length + Object.keys(places).length === 0 && taken === undefined ? 1 : 0)
    );
  });
  return (
    placed.reduce((sum, count) => sum + count, 0) + headers.length + Object.keys(answers).length + words.length + Object.keys(rest).length
  );
}
