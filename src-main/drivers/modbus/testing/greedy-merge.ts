import type { PointConfig } from '../../spi/index.ts';
import { dataOctets } from '../client/line-time.ts';
import type { RequestCost } from '../client/planner-requests.ts';
import { readFunction, registerCount } from '../point-rules.ts';

interface Request {
  readonly slaveId: number;
  readonly functionCode: number;
  readonly start: number;
  end: number;
}

/**
 * The comparator of the planner: how tools commonly merge. Points by unit, function and address; a point joins the request before it when the
 * gap is at most `maxGap` and the request stays within the standard.
 */
function greedyRequests(points: readonly PointConfig[], maxGap: number): Request[] {
  const places = points.map((point) => {
    const [start, functionCode] = [point.address, readFunction(point)];
    return { slaveId: point.slave_id, functionCode, start, end: start + registerCount(point) };
  });
  places.sort((a, b) => a.slaveId - b.slaveId || a.functionCode - b.functionCode || a.start - b.start || a.end - b.end);
  const requests: Request[] = [];
  for (const place of places) {
    const last = requests.at(-1);
    const limit = place.functionCode <= 2 ? 2000 : 125;
    const fits =
      last?.slaveId === place.slaveId &&
      last.functionCode === place.functionCode &&
      place.start - last.end <= maxGap &&
      Math.max(last.end, place.end) - last.start <= limit;
    if (fits) last.end = Math.max(last.end, place.end);
    else requests.push({ ...place });
  }
  return requests;
}

/** Cost of the greedy plan, in the unit of `cost`. */
export function greedyCost(points: readonly PointConfig[], maxGap: number, cost: RequestCost): number {
  return greedyRequests(points, maxGap)
    .map((request) => cost.perRequest(request.slaveId) + cost.perOctet * dataOctets(request.functionCode, request.end - request.start))
    .reduce((sum, part) => sum + part, 0);
}
