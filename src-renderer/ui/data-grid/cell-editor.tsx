import { Tooltip, VisuallyHidden } from '@mantine/core';
import { type FocusEvent, type KeyboardEvent, useId, useLayoutEffect, useRef } from 'react';
import type { CellEdit } from './column.ts';
import classes from './data-grid.module.css';
import type { Editing, EditorEvents } from './use-cell-edit.ts';

interface CellEditorProps {
  readonly kind: CellEdit<unknown>['kind'];
  readonly maxLength: number | undefined;
  readonly label: string;
  readonly editing: Editing;
  readonly events: EditorEvents;
}

/** Edits one cell where it stands. What is wrong is told at the cell without moving anything; the editor stays open until it is right or given up. */
export function CellEditor({ kind, maxLength, label, editing, events }: CellEditorProps) {
  const { text, problem, caret } = editing;
  const input = useRef<HTMLInputElement>(null);
  const id = useId();

  // the row may be drawn in another place at any time: the text goes on where the caret was
  useLayoutEffect(() => {
    const element = input.current;
    element?.focus({ preventScroll: caret.current !== null });
    if (caret.current === null) element?.select();
    else element?.setSelectionRange(...caret.current);
    return () => {
      if (element) caret.current = [element.selectionStart ?? 0, element.selectionEnd ?? 0];
    };
  }, [caret]);

  function onKeyDown(event: KeyboardEvent) {
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') events.onGiveUp();
    else if (event.key === 'Enter') events.onStore('stay');
    else if (event.key === 'Tab') events.onStore(event.shiftKey ? 'before' : 'next');
    else return;
    event.preventDefault();
    // the dialog around must not hear the Escape of an editor
    event.nativeEvent.stopImmediatePropagation();
  }

  function onBlur({ currentTarget }: FocusEvent) {
    // the whole window has lost the focus, and gives it back to the editor
    if (document.activeElement !== currentTarget) events.onLeave();
  }

  return (
    <Tooltip label={problem} opened={problem !== null} position="bottom-start" color="red" withArrow={false} offset={2}>
      <span className={classes.editor}>
        <input
          ref={input}
          className={classes.editorInput}
          value={text}
          maxLength={maxLength}
          inputMode={kind === 'number' ? 'decimal' : 'text'}
          aria-label={label}
          aria-invalid={problem !== null}
          aria-describedby={id}
          data-testid="cell-editor"
          onChange={(event) => events.onText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onBlur={onBlur}
        />
        <VisuallyHidden id={id} role="alert">
          {problem}
        </VisuallyHidden>
      </span>
    </Tooltip>
  );
}
