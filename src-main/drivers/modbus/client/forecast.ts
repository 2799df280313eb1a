/** What a round would ask, from the point table alone. */
import { isSerial } from '#shared/domain/enums.ts';
import type { Steps } from '../../../platform/steps.ts';
import type { DriverChannelSettings, PointConfig } from '../../spi/index.ts';
import type { CostlyGap, GapRound, RoundForecast, RoundOptions, SlaveRound } from '../../spi/line.ts';
import { SLAVE_TURN_ROUNDS } from '../turn-round.ts';
import { exchangeOctets, LineTime } from './line-time.ts';
import { mostAddresses, requestsOf } from './planner.ts';
import { areaSteps, placeSteps, type ReadArea } from './planner-places.ts';

/** Values of `max_gap` that are tried; the highest is what the channel setting allows. */
const GAPS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2000];

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
  /** What a request and its answer have beyond an RTU frame each. */
  readonly #extraOctets: number;

  constructor(settings: DriverChannelSettings, options: RoundOptions, extraOctets: number) {
    this.#extraOctets = extraOctets;
    this.#line = isSerial(settings.connType) ? new LineTime(settings) : null;
    this.#options = options;
  }

  /** All requests of a round by slave, in order of the slaves. */
  *round(areas: readonly ReadArea[], maxGap: number): Steps<Map<number, Tally>> {
    const slaves = new Map<number, Tally>();
    const cost = this.#line?.cost((slaveId) => this.#turnRound(slaveId));
    for (const area of areas) {
      yield;
      const stretches = this.#options.mode === 'single' ? area.points : requestsOf(area, { maxGap, cost }).stretches;
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
      const { functionCode, points } = area;
      const readMs = (quantity: number) => line.readMs(functionCode, quantity, this.#turnRound(area.slaveId));
      const { stretches, requestOf } = requestsOf(area, { maxGap, cost });
      for (let at = 1; at < points.length; at += 1) {
        const [first, second] = [requestOf[at - 1] ?? 0, requestOf[at] ?? 0];
        const [before, behind] = [stretches[first], stretches[second]];
        if (first === second || !before || !behind || behind.end - before.start > mostAddresses(functionCode)) continue;
        const ms = readMs(before.end - before.start) + readMs(behind.end - behind.start) - readMs(behind.end - before.start);
        const addresses = behind.start - before.end;
        if (addresses <= maxGap || ms <= 0) continue;
        gaps.push({ pointId: points[at]?.point.id ?? 0, beforeId: points[at - 1]?.point.id ?? 0, addresses, ms });
      }
    }
    return gaps;
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
    const octets = exchangeOctets(functionCode, quantity) + this.#extraOctets;
    tally.add(octets, this.#line?.readMs(functionCode, quantity, this.#turnRound(slaveId)) ?? 0);
  }

  #turnRound(slaveId: number): number {
    return this.#options.turnRoundMs(slaveId) ?? SLAVE_TURN_ROUNDS.assumedMs;
  }
}

/**
 * Requests, octets and line time of one round, by slave, and what larger values of `max_gap` would change. Pure: known holes of a
 * connection, pauses of a task and slaves that do not answer are not in it. Octets are those of RTU frames, and `extraOctets` more a request; on
 * TCP there is no line time.
 */
export function* forecastSteps(
  points: readonly PointConfig[],
  settings: DriverChannelSettings,
  options: RoundOptions,
  extraOctets = 0,
): Steps<RoundForecast> {
  const { placed, excluded } = yield* placeSteps(points, settings.addressBase);
  const areas = yield* areaSteps(placed, null, []);
  const forecaster = new Forecaster(settings, options, extraOctets);
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
