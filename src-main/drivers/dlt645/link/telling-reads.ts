import { FrameType } from '#shared/domain/enums.ts';
import type { PointConfig } from '../../spi/index.ts';
import { decodeAddress } from '../codec/address.ts';
import { type Edition, editionOf, functionOf } from '../codec/control.ts';
import { meterPoint, targetOf } from '../meter-point.ts';
import { type MeterRequest, type MeterTarget, readRequest } from '../meter-request.ts';

/** More are not looked at: what is owed to a meter is less. */
const MOST = 32;

/** Reads of the meter that a request goes to, one for each identifier of the point table; none for what only the request names. */
export function readsOf(request: MeterRequest, points: readonly PointConfig[]): MeterRequest[] {
  const edition = editionOf(functionOf(request.control));
  const address = decodeAddress(request.address);
  const reads = new Map<number, MeterRequest>();
  for (const point of points) {
    if (reads.size === MOST) break;
    const target = readable(point);
    if (target && target.address === address && isSpoken(target.edition, edition))
      reads.set(point.address, readRequest(target, point.address));
  }
  return [...reads.values()];
}

function isSpoken(own: Edition, asked: Edition | null): boolean {
  return asked === null || own === asked;
}

/** The meter of a point that is read by its identifier alone; null for others. */
function readable(point: PointConfig): MeterTarget | null {
  if (point.frame_type === FrameType.yk || meterPoint(point).item?.isReadable === false) return null;
  return targetOf(point);
}
