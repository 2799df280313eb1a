import { Icon } from '../../ui/icons.tsx';
import classes from './import-dialog.module.css';

/** Stands in place of rows. */
export function Nothing({ text, isGood }: { readonly text: string; readonly isGood: boolean }) {
  return (
    <div className={classes.empty}>
      {isGood ? <Icon name="ok" /> : null} {text}
    </div>
  );
}
