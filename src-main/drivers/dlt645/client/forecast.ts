/** What a round would ask, from the point table alone. */
import { isSerial } from '#shared/domain/enums.ts';
import type { Steps } from '../../../platform/steps.ts';
import type { DriverChannelSettings, PointConfig } from '../../spi/index.ts';
import type { RoundForecast, RoundOptions, SlaveRound } from '../../spi/line.ts';
import { lineTiming, readOctets } from '../link/line-time.ts';
import { channelSettings } from '../settings.ts';
import { METER_TURN_ROUNDS } from '../turn-round.ts';
import { LearnedBlocks, planReads } from './planner.ts';

interface Tally {
  requests: number;
  octets: number;
  ms: number;
}

/**
 * Requests, octets and line time of one round, by meter: an exchange takes (32 + n + preambles) octets, the silence in front of it and the
 * turn-round of the meter. Blocks count as if every meter had them. Pure; on TCP there is no line time.
 */
export function* forecastSteps(
  points: readonly PointConfig[],
  settings: DriverChannelSettings,
  options: RoundOptions,
): Steps<RoundForecast> {
  const { preambles, use_blocks } = channelSettings.parse(settings.protocol);
  const { octetMs, silenceMs } = lineTiming(settings);
  const hasLine = isSerial(settings.connType);
  const plan = planReads(points, { mode: options.mode, preambles, useBlocks: use_blocks, learned: new LearnedBlocks() });
  yield;
  const meters = new Map<number, Tally>();
  for (const { slaveId, target, valueOctets } of plan.batches) {
    const tally = meters.get(slaveId) ?? { requests: 0, octets: 0, ms: 0 };
    meters.set(slaveId, tally);
    const octets = readOctets(target.edition, valueOctets, preambles);
    tally.requests += 1;
    tally.octets += octets;
    tally.ms += octets * octetMs + silenceMs + (options.turnRoundMs(slaveId) ?? METER_TURN_ROUNDS.assumedMs);
  }
  const slaves = [...meters].map(([slaveId, { requests, octets, ms }]): SlaveRound => {
    const measured = options.turnRoundMs(slaveId);
    if (!hasLine) return { slaveId, requests, octets, predictedMs: null, turnRoundMs: null, isTurnRoundMeasured: false };
    return {
      slaveId,
      requests,
      octets,
      predictedMs: ms,
      turnRoundMs: measured ?? METER_TURN_ROUNDS.assumedMs,
      isTurnRoundMeasured: measured !== null,
    };
  });
  slaves.sort((a, b) => a.slaveId - b.slaveId);
  const sum = (pick: (slave: SlaveRound) => number) => slaves.reduce((total, slave) => total + pick(slave), 0);
  return {
    maxGap: settings.maxGap,
    requests: sum((slave) => slave.requests),
    octets: sum((slave) => slave.octets),
    predictedMs: hasLine ? sum((slave) => slave.predictedMs ?? 0) : null,
    points: points.length - plan.excluded.length,
    excluded: plan.excluded.length,
    slaves,
    largerGaps: [],
  };
}
