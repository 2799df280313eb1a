import type { ReactNode } from 'react';
import classes from './schema-fields.module.css';

/** A titled group of fields. */
export function FormSection({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <h3 className={classes.sectionTitle}>{title}</h3>
      {children}
    </section>
  );
}
