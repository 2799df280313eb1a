import { type DragEvent, useState } from 'react';

/** Takes the first file that is dropped on an element: spread `handlers` on it; `isOver` while something is held over it. */
export function useFileDrop(take: (file: File) => void) {
  const [isOver, setIsOver] = useState(false);
  const handlers = {
    onDrop(event: DragEvent) {
      event.preventDefault();
      setIsOver(false);
      const file = event.dataTransfer.files[0];
      if (file) take(file);
    },
    onDragOver(event: DragEvent) {
      event.preventDefault();
      setIsOver(true);
    },
    onDragLeave: () => setIsOver(false),
  };
  return { isOver, handlers };
}
