import { describe, expect, it } from 'vitest';
import { kept, type ListTable, withAnswer, withHeaderRow, withoutTables, withPlace, withRole } from './change-mapping.ts';

const column = (index: number, header: string) => ({
  index,
  letter: 'A',
  header,
  role: 'ignore' as const,
  source: 'none' as const,
  samples: [],
  filled: 0,
  readable: 0,
});
const table: ListTable = {
  sheet: 'Map',
  header_row: 3,
  header_rows: 1,
  first_row: 4,
  last_row: 9,
  left: 2,
  taken: true,
  rows: 6,
  points: 6,
  columns: [column(2, 'Reg'), column(3, 'Value'), column(4, 'Value'), column(5, '')],
};

describe('corrections of a mapping', () => {
  it('hold for a header that is its own, so that a profile can keep them', () => {
    const once = withRole({}, table, 2, 'address');
    expect(once).toEqual({ headers: [{ header: 'Reg', role: 'address' }] });
    expect(withRole(once, table, 2, 'length')).toEqual({ headers: [{ header: 'Reg', role: 'length' }] });
  });

  it('hold for the place of a column whose header is missing or stands twice', () => {
    const mapping = withRole(withRole({}, table, 4, 'factor'), table, 5, 'unit');
    expect(mapping).toEqual({
      tables: [
        {
          sheet: 'Map',
          header_row: 3,
          left: 2,
          columns: [
            { index: 4, role: 'factor' },
            { index: 5, role: 'unit' },
          ],
        },
      ],
    });
    expect(withRole(mapping, table, 4, 'offset').tables?.[0]?.columns).toEqual([
      { index: 5, role: 'unit' },
      { index: 4, role: 'offset' },
    ]);
  });

  it('of places stay with their table, and another header row takes their place', () => {
    const placed = withPlace(withPlace({}, table, { taken: false }), table, { first_row: 5 });
    expect(placed.tables).toEqual([{ sheet: 'Map', header_row: 3, left: 2, taken: false, first_row: 5 }]);
    const moved = withHeaderRow({ tables: [...(placed.tables ?? []), { sheet: 'Other', header_row: 1 }] }, 'Map', 7);
    expect(moved.tables).toEqual([
      { sheet: 'Other', header_row: 1 },
      { sheet: 'Map', header_row: 7 },
    ]);
    expect(withoutTables(moved, 'Map').tables).toEqual([{ sheet: 'Other', header_row: 1 }]);
  });

  it('leave out of a profile what is of this file, and keep what its profile said', () => {
    const base = {
      headers: [
        { header: 'Reg', role: 'note' as const },
        { header: 'U', role: 'unit' as const },
      ],
      answers: { base: 'plain0' },
    };
    const mapping = withAnswer(withRole({ profile: 'own-a', tables: [] }, table, 2, 'address'), 'order', 'CDAB');
    expect(kept(mapping, base)).toEqual({
      headers: [
        { header: 'U', role: 'unit' },
        { header: 'Reg', role: 'address' },
      ],
      answers: { base: 'plain0', order: 'CDAB' },
    });
    expect(kept({ tables: [], profile: null }, null)).toEqual({});
  });
});
