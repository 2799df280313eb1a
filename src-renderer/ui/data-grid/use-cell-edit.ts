import { type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyProblem } from '../notify.ts';
import { useStable } from '../use-stable.ts';
import { canEdit, type GridColumn } from './column.ts';
import type { GridRows } from './rows.ts';

/** Where the keyboard goes when an editor closes. */
export type EditorEnd = 'stay' | 'next' | 'before';

/** An open cell editor. It is kept by the grid: the editor itself comes and goes with the row it is drawn in. */
export interface Editing {
  /** Tells this editing from the next one, of whichever cell. */
  readonly turn: number;
  readonly id: string;
  readonly column: string;
  /** What the editor started with. */
  readonly start: string;
  readonly text: string;
  /** What is wrong with the text, in words. */
  readonly problem: string | null;
  /** Where the caret was when the editor was drawn at last. */
  readonly caret: { current: readonly [number, number] | null };
}

/** What happens in a cell editor. */
export interface EditorEvents {
  onText(text: string): void;
  /** Stores the text and closes; stays open where it is refused. */
  onStore(end: EditorEnd): void;
  onGiveUp(): void;
  /** The focus has gone elsewhere. */
  onLeave(): void;
}

interface CellEditProps<Row> {
  readonly rows: GridRows<Row>;
  readonly shown: readonly GridColumn<Row>[];
  readonly table: RefObject<HTMLTableElement | null>;
  setColumn(id: string): void;
}

/** Place of the row that is edited: where it was, or where it has moved to; -1 where it is not known. */
function usePlace<Row>(rows: GridRows<Row>, id: string | undefined): number {
  const last = useRef(-1);
  const there = rows.at(last.current);
  const isThere = there !== undefined && rows.idOf(there) === id;
  const index = id === undefined ? -1 : isThere ? last.current : rows.indexOf(id);
  useEffect(() => {
    if (index >= 0) last.current = index;
  }, [index]);
  return index;
}

/** Editing of one cell at a time: what was typed outlives every redrawing of the row. */
export function useCellEdit<Row>({ rows, shown, table, setColumn }: CellEditProps<Row>) {
  const { t } = useTranslation('grid');
  const [editing, setEditing] = useState<Editing | null>(null);
  const turns = useRef(0);
  const open = useRef(0);
  const saving = useRef(0);
  const begun = useRef<{ readonly row: Row; readonly column: GridColumn<Row> } | null>(null);
  const index = usePlace(rows, editing?.id);
  const column = shown.find(({ id }) => id === editing?.column);
  const isDrawn = index >= 0 && column !== undefined;

  const rowNow = () => rows.at(index) ?? begun.current?.row;

  function begin(row: Row, item: GridColumn<Row>) {
    if (!item.edit) return;
    turns.current += 1;
    open.current = turns.current;
    begun.current = { row, column: item };
    const start = item.edit.valueOf(row);
    setColumn(item.id);
    setEditing({ turn: turns.current, id: rows.idOf(row), column: item.id, start, text: start, problem: null, caret: { current: null } });
  }

  function close() {
    open.current = 0;
    setEditing(null);
  }

  /** Tab goes on to the next cell of the row that can be edited. */
  function goOn(from: string, end: EditorEnd) {
    const at = shown.findIndex(({ id }) => id === from);
    const order = end === 'before' ? shown.slice(0, Math.max(0, at)).toReversed() : shown.slice(at + 1);
    const row = rowNow();
    const next = end === 'stay' ? undefined : order.find((item) => canEdit(item, row));
    if (next && row !== undefined) return begin(row, next);
    close();
    table.current?.focus({ preventScroll: true });
  }

  const onStored = useStable((done: Editing, name: string, end: EditorEnd, wrong: string | null) => {
    if (open.current === done.turn) {
      if (wrong === null) goOn(done.column, end);
      else setEditing((present) => (present?.turn === done.turn ? { ...present, problem: wrong } : present));
    } else if (wrong !== null) notifyProblem(t('notStored', { column: name, text: done.text, problem: wrong }));
  });

  async function save(done: Editing, end: EditorEnd) {
    const item = column ?? begun.current?.column;
    const row = rowNow();
    if (!item?.edit || row === undefined || saving.current === done.turn) return;
    saving.current = done.turn;
    const wrong = await item.edit.save(row, done.text);
    saving.current = 0;
    onStored(done, item.name, end, wrong);
  }

  const onStore = useStable((end: EditorEnd) => {
    if (!editing || open.current !== editing.turn) return;
    if (editing.text === editing.start) goOn(editing.column, end);
    else void save(editing, end);
  });

  const onGiveUp = useStable(() => {
    if (editing) goOn(editing.column, 'stay');
  });

  const onLeave = useStable(() => {
    if (!editing || open.current !== editing.turn) return;
    close();
    if (editing.text !== editing.start) void save(editing, 'stay');
  });

  const onText = useStable((text: string) => setEditing((present) => (present ? { ...present, text, problem: null } : null)));
  const events = useRef<EditorEvents>({ onText, onStore, onGiveUp, onLeave }).current;

  const isOpen = editing !== null;
  useEffect(() => {
    if (!isOpen || isDrawn) return;
    // an editor that is not drawn has lost the focus, and hears neither clicks nor keys
    if (document.activeElement === document.body) table.current?.focus({ preventScroll: true });
    const onFocus = ({ target }: FocusEvent) => {
      if (target !== table.current) onLeave();
    };
    document.addEventListener('pointerdown', onLeave, true);
    document.addEventListener('focusin', onFocus, true);
    return () => {
      document.removeEventListener('pointerdown', onLeave, true);
      document.removeEventListener('focusin', onFocus, true);
    };
  }, [isOpen, isDrawn, table, onLeave]);

  /** A key for an editor that is not drawn: it ends the edit, and does nothing else. */
  function takesKey(key: string): boolean {
    if (!isOpen || isDrawn) return false;
    if (key === 'Escape') onGiveUp();
    else onLeave();
    return true;
  }

  return { editing, index, begin, events, takesKey };
}
