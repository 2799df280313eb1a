import { type ReactNode, useId, useState } from 'react';
import { Icon } from '../icons.tsx';
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

interface FoldedSectionProps {
  readonly title: string;
  /** What is said beside the title while the fields are out of sight. */
  readonly summary: string;
  /** Open from the beginning. */
  readonly isOpenAtFirst: boolean;
  /** Cannot be out of sight, because something in it is wrong. */
  readonly isHeldOpen: boolean;
  readonly testId: string;
  readonly children: ReactNode;
}

/** A titled group of fields that few need: out of sight until it is opened. */
export function FoldedSection({ title, summary, isOpenAtFirst, isHeldOpen, testId, children }: FoldedSectionProps) {
  const id = useId();
  const [isWanted, setIsWanted] = useState(isOpenAtFirst);
  const isOpen = isWanted || isHeldOpen;
  return (
    <section>
      <h3 className={classes.sectionTitle}>
        <button
          type="button"
          className={classes.fold}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setIsWanted(!isOpen)}
          data-testid={testId}
        >
          <Icon name={isOpen ? 'down' : 'right'} size={14} />
          {title}
          {isOpen ? null : <span className={classes.foldSummary}>{summary}</span>}
        </button>
      </h3>
      <div id={id} hidden={!isOpen}>
        {isOpen ? children : null}
      </div>
    </section>
  );
}
