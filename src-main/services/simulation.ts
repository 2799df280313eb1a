import type { LineFaultSettings, Simulation } from '#shared/contract/simulation.ts';
import { isServing } from '#shared/domain/enums.ts';
import { AppError, invalidField } from '#shared/domain/errors.ts';
import { english, say } from '#shared/messages/index.ts';
import type { LineFaults } from '../runtime/simulation/line-faults.ts';
import type { ChannelRuntime } from '../runtime/types.ts';
import type { Handlers } from './handlers.ts';
import { findChannel } from './lookup.ts';
import type { ServiceDeps } from './ports.ts';

type SimulationHandlers = Pick<Handlers, 'simulation' | 'setSimulation' | 'setLineFaults'>;

/** The simulation behind a served channel: its steps, and the faults of its line. */
export function simulationHandlers(deps: ServiceDeps): SimulationHandlers {
  const servedChannel = (id: number) => {
    const channel = findChannel(deps.projects.current(), id);
    if (isServing(channel.settings.conn_type)) return channel;
    throw new AppError('STATE_CONFLICT', say('simulation.client', { channel: channel.settings.name }));
  };
  return {
    simulation: ({ channel_id }) => simulationRow(servedChannel(channel_id)),
    setSimulation({ channel_id, is_on, speed, period_ms, anew }) {
      const channel = servedChannel(channel_id);
      const { simulation } = channel;
      const now = simulation.state();
      simulation.set({ isOn: is_on ?? now.isOn, speed: speed ?? now.speed, periodMs: period_ms ?? now.periodMs }, anew === true);
      return simulationRow(channel);
    },
    setLineFaults({ channel_id, ...given }) {
      const channel = servedChannel(channel_id);
      checkFaults(channel, given);
      channel.faults.set(fromRow(given));
      return simulationRow(channel);
    },
  };
}

type Given = { readonly [Key in keyof LineFaultSettings]?: LineFaultSettings[Key] | undefined };

function checkFaults({ settings, driver, faults }: ChannelRuntime, { wrong_check_percent, exceptions = [] }: Given): void {
  const channel = settings.name;
  if (wrong_check_percent && !faults.hasChecksum) throw invalidField('wrong_check_percent', say('simulation.no_check', { channel }));
  if (exceptions.length > 0 && !driver.descriptor.refusesByAddress)
    throw invalidField('exceptions', say('simulation.no_exceptions', { channel }));
  const crossed = exceptions.findIndex(({ from, to }) => from > to);
  if (crossed >= 0)
    throw invalidField(`exceptions.${crossed}.to`, say('simulation.crossed', exceptions[crossed] as { from: number; to: number }));
}

/** Names in the contract and inside of the service. */
const NAMES = {
  delay_ms: 'delayMs',
  jitter_ms: 'jitterMs',
  silent_percent: 'silent',
  half_percent: 'half',
  wrong_check_percent: 'spoilt',
  no_end_percent: 'openEnd',
  hang_up_percent: 'hangUp',
  refuse_connections: 'refuses',
  exceptions: 'exceptions',
} as const satisfies Record<keyof LineFaultSettings, keyof LineFaults>;

function fromRow(given: Given): Partial<LineFaults> {
  const entries = Object.entries(NAMES) as [keyof LineFaultSettings, keyof LineFaults][];
  return Object.fromEntries(entries.flatMap(([name, own]) => (given[name] === undefined ? [] : [[own, given[name]]])));
}

function simulationRow({ id, simulation, faults: line, driver }: ChannelRuntime): Simulation {
  const { isOn, isRunning, speed, periodMs, points, t, steps, stepMs, faultCount, faults } = simulation.state();
  const { faults: now, counts } = line;
  return {
    channel_id: id,
    is_on: isOn,
    is_running: isRunning,
    speed,
    period_ms: periodMs,
    points,
    t,
    steps,
    step_ms: stepMs,
    fault_count: faultCount,
    faults: faults.map(({ pointId, code, reason }) => ({ point_id: pointId, code, reason: english(reason), reason_message: reason })),
    line: {
      delay_ms: now.delayMs,
      jitter_ms: now.jitterMs,
      silent_percent: now.silent,
      half_percent: now.half,
      wrong_check_percent: now.spoilt,
      no_end_percent: now.openEnd,
      hang_up_percent: now.hangUp,
      refuse_connections: now.refuses,
      exceptions: now.exceptions.map((each) => ({ ...each })),
    },
    made: {
      silent: counts.silent,
      half: counts.half,
      wrong_check: counts.spoilt,
      no_end: counts.openEnd,
      hang_up: counts.hangUp,
      refused: counts.refused,
      exceptions: counts.exceptions,
    },
    has_checksum: line.hasChecksum,
    has_exceptions: driver.descriptor.refusesByAddress === true,
  };
}
