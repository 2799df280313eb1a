import type { NormalPoint, PointConfig } from '../../drivers/spi/index.ts';
import type { TableRow } from './read-rows.ts';

/** A point as the file wants it, with the row that says so. */
export interface PlannedPoint {
  readonly row: TableRow;
  readonly point: NormalPoint;
  /** The stored point of this code, which keeps its id. */
  readonly before: PointConfig | undefined;
}
