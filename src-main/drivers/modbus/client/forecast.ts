/** What a round would ask, from the point table alone. */
import { isSerial } from '#shared/domain/enums.ts';
import type { Steps } from '../../../platform/steps.ts';
import type { DriverChannelSettings, PointConfig } from '../../spi/index.ts';
import type { CostlyGap, GapRound, RoundForecast, RoundOptions, SlaveRound } from '../../spi/line.ts';
import { SLAVE_TURN_ROUNDS } from '../turn-round.ts';
import { exchangeOctets, type LineFrames, LineTime } from './line-time.ts';
import { limitOf, reachAlone, requestsOf } from './planner.ts';
import { areaSteps, type Placed, placeSteps, type ReadArea } from './planner-places.ts';
import type { RequestCost, Stretch } from './planner-requests.ts';
import { isWithin, scaleReads } from './planner-scales.ts';

/** Values of `max_gap` that are tried; the highest is what the channel setting allows. */
const GAPS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2000];

interface BatchOptions {
  readonly maxGap: number;
  readonly cost: RequestCost | undefined;
}

/** Requests that are looked at in one step. */
const REQUESTS_A_STEP = 500;

/** A request with its points, these by address. */
interface Asked {
  readonly request: Stretch;
  readonly points: readonly Placed[];
}

/** The requests of one area in ascending order. */
function askedIn(area: ReadArea, options: BatchOptions): readonly Asked[] {
  const { stretches, requestOf } = requestsOf(area, options);
  const points: Placed[][] = stretches.map(() => []);
  for (const [at, point] of area.points.entries()) points[requestOf[at] ?? 0]?.push(point);
  return stretches.map((request, at) => ({ request, points: points[at] ?? [] }));
}

/** A request, and the reads of scale registers that follow it. */
function readsOf({ request, points }: Asked, area: ReadArea): readonly Stretch[] {
  return [request, ...scaleReads(points, request, limitOf(area, {}))];
}

/** The requests of one area, and those of scale registers that follow them. */
function batchReads(area: ReadArea, options: BatchOptions): readonly Stretch[] {
  if (area.points.every(({ scale }) => scale === null)) return requestsOf(area, options).stretches;
  return askedIn(area, options).flatMap((asked) => readsOf(asked, area));
}

function singleReads(area: ReadArea, maxGap: number): readonly Stretch[] {
  return area.points.flatMap((point) => readsOf({ request: reachAlone(point, { maxGap }), points: [point] }, area));
}

/** Addresses between two requests that hold neither a point nor a scale register of theirs. */
function unusedBetween(before: Asked, behind: Asked): number {
  const between = { start: before.request.end, end: behind.request.start };
  const scales = new Set([...before.points, ...behind.points].map(({ scale }) => scale));
  return between.end - between.start - [...scales].filter((scale) => scale !== null && isWithin(scale, between)).length;
}

/** Sums of a round, or of what it asks of one slave. */
class Tally {
  requests = 0;
  octets = 0;
  ms = 0;

  add(octets: number, ms: number): void {
    this.requests += 1;
    this.octets += octets;
    this.ms += ms;
  }
}

class Forecaster {
  readonly #line: LineTime | null;
  readonly #options: RoundOptions;
  readonly #frames: LineFrames;

  constructor(settings: DriverChannelSettings, options: RoundOptions, frames: LineFrames) {
    this.#frames = frames;
    this.#line = isSerial(settings.connType) ? new LineTime(settings, frames) : null;
    this.#options = options;
  }

  /** All requests of a round by slave, in order of the slaves. */
  *round(areas: readonly ReadArea[], maxGap: number): Steps<Map<number, Tally>> {
    const slaves = new Map<number, Tally>();
    const cost = this.#line?.cost((slaveId) => this.#turnRound(slaveId));
    for (const area of areas) {
      yield;
      const stretches = this.#options.mode === 'single' ? singleReads(area, maxGap) : batchReads(area, { maxGap, cost });
      let tally = slaves.get(area.slaveId);
      if (!tally) {
        tally = new Tally();
        slaves.set(area.slaveId, tally);
      }
      for (const { start, end } of stretches) this.#add(tally, area, end - start);
    }
    return slaves;
  }

  /** Gaps that a request of its own is paid for although reading over them would take less; none where line time does not matter. */
  *gaps(areas: readonly ReadArea[], maxGap: number): Steps<CostlyGap[]> {
    const line = this.#line;
    const gaps: CostlyGap[] = [];
    if (!line) return gaps;
    const cost = line.cost((slaveId) => this.#turnRound(slaveId));
    for (const area of areas) {
      yield;
      const asked = askedIn(area, { maxGap, cost });
      for (const [at, behind] of asked.entries()) {
        if (at % REQUESTS_A_STEP === REQUESTS_A_STEP - 1) yield;
        const before = asked[at - 1];
        const gap = before && this.#gap(area, before, behind, line);
        if (gap && gap.addresses > maxGap && gap.ms > 0) gaps.push(gap);
      }
    }
    return gaps;
  }

  /** What two requests cost more than one over both, their reads of scale registers among it; null where no request could span both. */
  #gap(area: ReadArea, before: Asked, behind: Asked, line: LineTime): CostlyGap | null {
    const both = { request: { start: before.request.start, end: behind.request.end }, points: [...before.points, ...behind.points] };
    if (both.request.end - both.request.start > limitOf(area, {})) return null;
    const turnRoundMs = this.#turnRound(area.slaveId);
    const msOf = (asked: Asked) =>
      readsOf(asked, area).reduce((sum, { start, end }) => sum + line.readMs(area.functionCode, end - start, turnRoundMs), 0);
    return {
      pointId: behind.points[0]?.point.id ?? 0,
      beforeId: before.points.at(-1)?.point.id ?? 0,
      addresses: unusedBetween(before, behind),
      ms: msOf(before) + msOf(behind) - msOf(both),
    };
  }

  slave(slaveId: number, { requests, octets, ms }: Tally): SlaveRound {
    if (!this.#line) return { slaveId, requests, octets, predictedMs: null, turnRoundMs: null, isTurnRoundMeasured: false };
    const isTurnRoundMeasured = this.#options.turnRoundMs(slaveId) !== null;
    return { slaveId, requests, octets, predictedMs: ms, turnRoundMs: this.#turnRound(slaveId), isTurnRoundMeasured };
  }

  total(slaves: ReadonlyMap<number, Tally>, maxGap: number): GapRound {
    const sum = new Tally();
    for (const { requests, octets, ms } of slaves.values()) {
      sum.requests += requests;
      sum.octets += octets;
      sum.ms += ms;
    }
    return { maxGap, requests: sum.requests, octets: sum.octets, predictedMs: this.#line ? sum.ms : null };
  }

  #add(tally: Tally, { slaveId, functionCode }: ReadArea, quantity: number): void {
    const octets = exchangeOctets(functionCode, quantity, this.#frames);
    tally.add(octets, this.#line?.readMs(functionCode, quantity, this.#turnRound(slaveId)) ?? 0);
  }

  #turnRound(slaveId: number): number {
    return this.#options.turnRoundMs(slaveId) ?? SLAVE_TURN_ROUNDS.assumedMs;
  }
}

/**
 * Requests, octets and line time of one round, by slave, and what larger values of `max_gap` would change. Pure: known holes of a
 * connection, pauses of a task and slaves that do not answer are not in it. Octets are those of `frames`; on TCP there is no line
 * time.
 */
export function* forecastSteps(
  points: readonly PointConfig[],
  settings: DriverChannelSettings,
  options: RoundOptions,
  frames: LineFrames,
): Steps<RoundForecast> {
  const { placed, excluded } = yield* placeSteps(points, settings.addressBase);
  const areas = yield* areaSteps(placed, null, []);
  const forecaster = new Forecaster(settings, options, frames);
  const slaves = yield* forecaster.round(areas, settings.maxGap);
  const round = forecaster.total(slaves, settings.maxGap);
  const largerGaps: GapRound[] = [];
  if (options.mode === 'batch' && options.withLargerGaps) {
    for (const gap of GAPS.filter((each) => each > settings.maxGap)) {
      const larger = forecaster.total(yield* forecaster.round(areas, gap), gap);
      if (isBetter(larger, largerGaps.at(-1) ?? round)) largerGaps.push(larger);
    }
  }
  return {
    ...round,
    points: placed.length,
    excluded: excluded.length,
    slaves: [...slaves].map(([slaveId, tally]) => forecaster.slave(slaveId, tally)),
    largerGaps,
    ...(options.withGaps && { gaps: yield* forecaster.gaps(areas, settings.maxGap) }),
  };
}

function isBetter(larger: GapRound, known: GapRound): boolean {
  if (larger.predictedMs === null || known.predictedMs === null) return larger.requests < known.requests;
  return larger.predictedMs < known.predictedMs - 0.001;
}
