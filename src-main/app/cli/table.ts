/** Columns of East Asian width, and emoji: two columns of a terminal. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;
/** Marks that stand on the sign before them. */
const NO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u;
/** What would move the cursor or colour the terminal; a name of a device must not. */
const CONTROL = /[\p{Cc}\p{Cs}]+/gu;

/** Columns that a text takes in a terminal: Chinese signs take two. */
export function textWidth(text: string): number {
  let width = 0;
  for (const sign of text) width += NO_WIDTH.test(sign) ? 0 : WIDE.test(sign) ? 2 : 1;
  return width;
}

/** A text on one line, without signs that steer a terminal. */
export function plain(text: string): string {
  return text.replace(CONTROL, ' ');
}

/** `text` filled with blanks up to `width` columns. */
export function padded(text: string, width: number, side: 'left' | 'right' = 'left'): string {
  const blanks = ' '.repeat(Math.max(0, width - textWidth(text)));
  return side === 'left' ? text + blanks : blanks + text;
}

/** A column of a table. */
export interface Column<Row> {
  readonly head: string;
  /** Numbers stand at the right. */
  readonly side?: 'left' | 'right';
  cell(row: Row): string;
}

/** Rows below their heads, aligned, two blanks between. Columns in which nothing stands are left out. Ends with a line break. */
export function tableOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const cells = columns.map(({ cell }) => rows.map((row) => plain(cell(row))));
  const shown = columns.flatMap((column, at) => {
    const texts = cells[at] ?? [];
    if (texts.every((text) => text === '')) return [];
    const width = texts.reduce((most, text) => Math.max(most, textWidth(text)), textWidth(column.head));
    return [{ texts: [column.head, ...texts], width, side: column.side ?? 'left' }];
  });
  const lines = Array.from({ length: rows.length + 1 }, (_, row) =>
    shown
      .map(({ texts, width, side }) => padded(texts[row] ?? '', width, side))
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}
