import classes from './open-cell.module.css';

/** The name of a row as a button that opens it; the keyboard opens the row itself. */
export function OpenCell({ name, onOpen }: { readonly name: string; onOpen(): void }) {
  return (
    <button type="button" tabIndex={-1} className={classes.open} onClick={onOpen} title={name}>
      {name}
    </button>
  );
}
