/** What a person or script may ask a station for by name. */

import { z } from 'zod';
import { ConnType } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { CommandStage } from '../../spi/index.ts';
import type { DriverOperation, OperationResult } from '../../spi/operations.ts';
import { type Inquiry, type Interrogations, inquiryError } from './interrogations.ts';
import type { SystemCommands } from './system-commands.ts';

const common_address = z.int().min(1).max(65_535).optional().describe('common address; left out: each of the table, 65535: all stations');
const group = (most: number) => z.int().min(0).max(most).default(0).describe(`0: everything; 1 to ${most}: one group`);
const connTypes = [ConnType.tcpClient];

/** Operations in the order of buttons. */
export const OPERATIONS: readonly DriverOperation[] = [
  {
    name: 'general_interrogation',
    summary: 'Ask the station for the state of all its objects, or of one group',
    params: z.object({ common_address, group: group(16) }),
    effect: 'repeatable',
    connTypes,
  },
  {
    name: 'counter_interrogation',
    summary: 'Read the integrated totals, without freezing them',
    params: z.object({ common_address, group: group(4) }),
    effect: 'repeatable',
    connTypes,
  },
  {
    name: 'counter_freeze',
    summary: 'Freeze the integrated totals, freeze and reset them, or reset them',
    params: z.object({ common_address, group: group(4), action: z.enum(['freeze', 'freeze_reset', 'reset']).default('freeze') }),
    effect: 'command',
    connTypes,
  },
  {
    name: 'clock_synchronization',
    summary: 'Set the clock of the station to the time of this computer',
    params: z.object({ common_address }),
    effect: 'command',
    connTypes,
  },
  {
    name: 'reset_process',
    summary: 'Reset the process of the station, or drop its waiting events with time tag',
    params: z.object({ common_address, action: z.enum(['process', 'events']).default('process') }),
    effect: 'command',
    connTypes,
  },
  {
    name: 'test',
    summary: 'Ask the station to return a test command',
    params: z.object({ common_address }),
    effect: 'repeatable',
    connTypes,
  },
];

export interface OperationEnvironment {
  readonly clock: Clock;
  readonly interrogations: Interrogations;
  readonly system: SystemCommands;
  readonly signal: AbortSignal;
  readonly confirmationMs: number;
  stations(): readonly number[];
}

const FREEZE = { freeze: 1, freeze_reset: 2, reset: 3 } as const;

/** Runs an operation for each station it names; a refusal or silence of one is in the result. Throws when nothing could be sent. */
export async function runOperation(
  name: string,
  params: Readonly<Record<string, unknown>>,
  environment: OperationEnvironment,
): Promise<OperationResult> {
  const { common_address } = params;
  const stations = typeof common_address === 'number' ? [common_address] : environment.stations();
  const stages: CommandStage[] = [];
  const results: Record<string, unknown>[] = [];
  const outcomes = new Set<OperationResult['outcome']>(['accepted']);
  for (const station of stations) {
    const at = environment.clock.wallMs();
    try {
      const { detail, ...result } = await runOne(name, params, station, environment);
      stages.push({ name: 'done', at: environment.clock.wallMs(), detail: say('iec104.of_address', { address: station, detail }) });
      results.push({ common_address: station, ...result });
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown;
      if (!isAnswer(thrown)) {
        if (!isWrite(name) || !mayBeSent(thrown, stages)) throw thrown;
        outcomes.add('unknown');
        stages.push({ name: 'lost', at, detail: say('iec104.of_address', { address: station, detail: thrown.said }) });
        results.push({ common_address: station, error: thrown.message });
        break;
      }
      const isRefusal = thrown.code === 'DEVICE_EXCEPTION';
      outcomes.add(isRefusal ? 'rejected' : 'unknown');
      stages.push({
        name: isRefusal ? 'rejected' : 'unanswered',
        at,
        detail: say('iec104.of_address', { address: station, detail: thrown.said }),
      });
      results.push({ common_address: station, error: thrown.message });
    }
  }
  const outcome = outcomes.has('rejected') ? 'rejected' : outcomes.has('unknown') ? 'unknown' : 'accepted';
  return { outcome, stages, result: { stations: results } };
}

function isWrite(name: string): boolean {
  return OPERATIONS.some((item) => item.name === name && item.effect === 'command');
}

/** What has left, or may have left, is told as a result: an error says that nothing was sent. */
function mayBeSent({ code }: AppError, stages: readonly CommandStage[]): boolean {
  return code !== 'TRANSPORT_NOT_CONNECTED' || stages.length > 0;
}

function isAnswer(error: AppError): boolean {
  return error.code === 'DEVICE_EXCEPTION' || error.code === 'TIMEOUT_RESPONSE';
}

async function runOne(
  name: string,
  params: Readonly<Record<string, unknown>>,
  station: number,
  environment: OperationEnvironment,
): Promise<Record<string, unknown> & { detail: Message }> {
  const groupNumber = typeof params.group === 'number' ? params.group : 0;
  switch (name) {
    case 'general_interrogation':
      return inquire(station, { kind: 'objects', group: groupNumber }, environment);
    case 'counter_interrogation':
      return inquire(station, { kind: 'counters', group: groupNumber, freeze: 0 }, environment);
    case 'counter_freeze': {
      const action = params.action as keyof typeof FREEZE | undefined;
      return inquire(station, { kind: 'counters', group: groupNumber, freeze: FREEZE[action ?? 'freeze'] }, environment);
    }
    case 'clock_synchronization': {
      const { sentTime, stationTime } = await environment.system.synchronize(station);
      const offsetMs = stationTime === null ? null : stationTime - sentTime;
      const detail = offsetMs === null ? say('iec104.clock_set') : say('iec104.clock_set_ahead', { ms: offsetMs });
      return { detail, sent_time: isoTime(sentTime), station_time: isoTime(stationTime), offset_ms: offsetMs };
    }
    case 'reset_process': {
      await environment.system.reset(station, params.action === 'events' ? 'events' : 'process');
      return { detail: say('iec104.op_confirmed') };
    }
    case 'test': {
      const { roundTripMs } = await environment.system.test(station);
      const milliseconds = Math.round(roundTripMs);
      return { detail: say('iec104.returned', { ms: milliseconds }), round_trip_ms: milliseconds };
    }
    default:
      throw new AppError('CONFIG_INVALID', say('iec104.no_operation', { name, names: OPERATIONS.map((item) => item.name) }));
  }
}

async function inquire(station: number, inquiry: Inquiry, environment: OperationEnvironment): Promise<{ detail: Message }> {
  const end = await environment.interrogations.run(station, inquiry, null, environment.signal);
  if (end.kind === 'terminated')
    return { detail: inquiry.kind === 'counters' && inquiry.freeze > 0 ? say('iec104.op_confirmed') : say('iec104.op_terminated') };
  throw inquiryError(end, say('iec104.it'), environment.confirmationMs);
}

function isoTime(utcMs: number | null): string | null {
  return utcMs === null ? null : new Date(utcMs).toISOString();
}
