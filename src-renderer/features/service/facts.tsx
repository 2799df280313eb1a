import type { ReactNode } from 'react';
import classes from './facts.module.css';

/** Names and values in two columns. */
export function Facts({ items }: { readonly items: readonly { readonly name: string; readonly value: ReactNode }[] }) {
  return (
    <dl className={classes.facts}>
      {items.map((item) => (
        <div key={item.name} className={classes.line}>
          <dt>{item.name}</dt>
          <dd>{item.value}</dd>
        </div>
      ))}
    </dl>
  );
}
