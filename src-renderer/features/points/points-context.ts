import { createContext, useContext } from 'react';
import type { Channel } from '#shared/contract/channels.ts';
import type { Point } from '#shared/contract/points.ts';
import type { Notation } from '#shared/domain/notation.ts';

/** What the cells of the point table need beside their row. */
export interface PointsContextValue {
  readonly channel: Channel | null;
  /** How addresses and slaves of the table are written. */
  readonly notation: Notation;
  /** Time the rows were taken at, milliseconds since 1970: ages are counted from it and move with the rows only. */
  readonly nowMs: number;
  readonly selected: ReadonlySet<number>;
  readonly pending: Readonly<Record<number, number>>;
  readonly isServiceReadOnly: boolean;
  onToggle(point: Point): void;
  onRead(point: Point): void;
  onWrite(point: Point): void;
}

export const PointsContext = createContext<PointsContextValue | null>(null);

/** Context of the table a cell stands in. */
export function usePointsContext(): PointsContextValue {
  const value = useContext(PointsContext);
  if (!value) throw new Error('A point cell stands outside of its table.');
  return value;
}
