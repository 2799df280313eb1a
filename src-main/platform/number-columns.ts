type NumberColumn = Float64Array | Uint32Array | Int32Array | Int16Array | Uint8Array | Int8Array;
type NumberColumnKind = { readonly BYTES_PER_ELEMENT: number; new (buffer: ArrayBuffer, offset: number, length: number): NumberColumn };

/** Kinds of the columns of a table, by name. */
export type ColumnLayout = Readonly<Record<string, NumberColumnKind>>;

/** The columns of a layout, all of the same length. */
export type NumberColumns<Layout extends ColumnLayout> = { readonly [Name in keyof Layout]: InstanceType<Layout[Name]> };

/**
 * Columns with room for `rows` numbers each, all zero. They lie in one buffer: while the engine marks what is in use, each large buffer that is asked for costs it a
 * step of 5 to 10 ms, and one for each column would hold the lines for a tenth of a second.
 */
export function numberColumns<Layout extends ColumnLayout>(layout: Layout, rows: number): NumberColumns<Layout> {
  const kinds = Object.entries(layout);
  const buffer = new ArrayBuffer(rows * kinds.reduce((sum, [, kind]) => sum + kind.BYTES_PER_ELEMENT, 0));
  // wide columns first, so that each begins at a multiple of its width
  kinds.sort(([, one], [, other]) => other.BYTES_PER_ELEMENT - one.BYTES_PER_ELEMENT);
  let at = 0;
  const columns = kinds.map(([name, kind]) => {
    const column = new kind(buffer, at, rows);
    at += column.byteLength;
    return [name, column] as const;
  });
  return Object.fromEntries(columns) as unknown as NumberColumns<Layout>;
}
