import { type KeyboardEvent, memo, type PointerEvent, useRef } from 'react';
import { useUiStore } from '../app/ui-store.ts';
import classes from './split-pane.module.css';

/** A pane at the side of something that takes the rest; its width is remembered under its name. Pixels. */
export interface PaneSize {
  readonly name: string;
  readonly usual: number;
  readonly least: number;
  readonly most: number;
}

const KEY_STEP = 16;

function within({ least, most }: PaneSize, width: number): number {
  return Math.round(Math.min(most, Math.max(least, width)));
}

/** The width of a pane as somebody has set it, else the usual one. */
export function usePaneWidth(size: PaneSize): number {
  return within(
    size,
    useUiStore((state) => state.panes[size.name] ?? size.usual),
  );
}

interface PaneEdgeProps {
  readonly size: PaneSize;
  /** What the pane is, for its edge. */
  readonly label: string;
  /** The side of the pane that the edge is at. */
  readonly side: 'left' | 'right';
}

/** The edge of a pane, which is dragged or moved by the arrows (WAI-ARIA window splitter); Enter and a double click take the usual width back. The pane has to be positioned. */
export const PaneEdge = memo(function PaneEdge({ size, label, side }: PaneEdgeProps) {
  const width = usePaneWidth(size);
  const drag = useRef<{ readonly from: number; readonly width: number } | null>(null);
  const put = (next: number | null) => useUiStore.getState().setPane(size.name, next === null ? null : within(size, next));
  /** Pixels that a move to the right adds to the width. */
  const wider = side === 'right' ? 1 : -1;

  function onPointerDown(event: PointerEvent<HTMLDivElement>) {
    if (event.button !== 0) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { from: event.clientX, width };
  }

  function onKeyDown(event: KeyboardEvent) {
    const steps: Record<string, number | null> = {
      ArrowLeft: width - KEY_STEP * wider,
      ArrowRight: width + KEY_STEP * wider,
      Home: size.least,
      End: size.most,
      Enter: null,
    };
    if (!(event.key in steps) || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    put(steps[event.key] ?? null);
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule between two texts cannot be moved
    <div
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={width}
      aria-valuemin={size.least}
      aria-valuemax={size.most}
      className={`${classes.edge} ${classes[side]}`}
      onPointerDown={onPointerDown}
      onPointerMove={({ clientX }) => (drag.current ? put(drag.current.width + (clientX - drag.current.from) * wider) : undefined)}
      onLostPointerCapture={() => {
        drag.current = null;
      }}
      onKeyDown={onKeyDown}
      onDoubleClick={() => put(null)}
      data-testid={`edge-${size.name}`}
    />
  );
});
