import { type RefObject, useEffect, useRef } from 'react';

/** How long a changed cell stays marked, in milliseconds; the style fades over the same time. */
const MARKED_MS = 2500;

/**
 * Marks a cell for some seconds when what it watches changes while it shows the same row. The mark is set on the element itself: a table of values
 * that all change is not drawn a second time for it.
 */
export function useWatched(id: string | undefined, watched: string | number | null | undefined): RefObject<HTMLTableCellElement | null> {
  const cell = useRef<HTMLTableCellElement>(null);
  const seen = useRef({ id, watched });
  useEffect(() => {
    const before = seen.current;
    seen.current = { id, watched };
    const { current } = cell;
    if (!current) return;
    if (before.id !== id) {
      // a row that comes into the place of another brings no mark along
      current.removeAttribute('data-changed');
      return;
    }
    if (before.watched === watched || watched === undefined) return;
    // two names for one look: a new one starts the fading anew
    current.dataset.changed = current.dataset.changed === 'a' ? 'b' : 'a';
    const timer = setTimeout(() => delete current.dataset.changed, MARKED_MS);
    return () => clearTimeout(timer);
  }, [id, watched]);
  return cell;
}
