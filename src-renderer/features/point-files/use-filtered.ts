import { useMemo } from 'react';

/** The rows whose text contains the filter, letter case ignored. `textOf` has to be stable between renders. */
export function useFiltered<Row>(rows: readonly Row[], textOf: (row: Row) => string, filter: string): readonly Row[] {
  return useMemo(() => {
    const wanted = filter.trim().toLowerCase();
    return wanted === '' ? rows : rows.filter((row) => textOf(row).toLowerCase().includes(wanted));
  }, [rows, textOf, filter]);
}
