import { useMemo } from 'react';

/** The rows of a grid: all of a list that is here, or those of a service of which some are. */
export interface GridRows<Row> {
  /** All rows, whether they are here or not. */
  readonly count: number;
  /** Every row is here: what is not among them is gone. */
  readonly isWhole: boolean;
  /** The rows are those of another list, and stay until those of the present one come: they can be seen, and not be selected. */
  readonly isPast?: boolean;
  /** Undefined for a row that has not come yet. */
  at(index: number): Row | undefined;
  idOf(row: Row): string;
  /** Place of a row that is here; -1 for none. */
  indexOf(id: string): number;
  /** The rows from one place to another, both included; fetched where they are not here. */
  range(from: number, to: number): readonly Row[] | Promise<readonly Row[]>;
  /** Tells which rows are in sight. */
  onSight?(first: number, last: number): void;
}

/** A list that is here as rows of a grid. `idOf` has to be stable and its results unique in the list. */
export function useLocalRows<Row>(list: readonly Row[], idOf: (row: Row) => string): GridRows<Row> {
  return useMemo(() => {
    let places: Map<string, number> | null = null;
    return {
      count: list.length,
      isWhole: true,
      at: (index) => list[index],
      idOf,
      indexOf(id) {
        places ??= new Map(list.map((row, index) => [idOf(row), index]));
        return places.get(id) ?? -1;
      },
      range: (from, to) => list.slice(from, to + 1),
    };
  }, [list, idOf]);
}
