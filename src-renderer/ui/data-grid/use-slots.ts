import type { VirtualItem } from '@tanstack/react-virtual';
import { useState } from 'react';

interface Slots {
  /** The rows in the order of their elements. */
  readonly items: readonly VirtualItem[];
  /** Key of the element of a row. */
  keyOf(index: number, isEdited: boolean): string | number;
}

/**
 * Elements for the rows in sight: a row that comes into sight takes the element of one that has left it, so that scrolling writes other words into what is
 * there and nothing is made or moved. The elements then stand in another order than the rows; `aria-rowindex` tells theirs. The row that is edited has an
 * element of its own, which stays its own wherever it is scrolled. Without `isReused` each row has its own: the height of one is measured once.
 */
export function useSlots(items: readonly VirtualItem[], isReused: boolean): Slots {
  const [most, setMost] = useState(0);
  const count = Math.max(most, items.length);
  if (count > most) setMost(count);
  if (!isReused) return { items, keyOf: (index) => index };
  return {
    items: items.toSorted((a, b) => (a.index % count) - (b.index % count)),
    keyOf: (index, isEdited) => (isEdited ? 'edited' : index % count),
  };
}
