import type { ComparedReadings } from '#shared/contract/list-operations.ts';
import type { NewPoint } from '#shared/contract/points.ts';
import { FrameType, isServing } from '#shared/domain/enums.ts';
import { type AppError, invalidField, invalidInput, toAppError } from '#shared/domain/errors.ts';
import { protocolFacts } from '#shared/domain/protocols.ts';
import { english, say } from '#shared/messages/index.ts';
import type { DriverConnection, ExchangeContext, PointConfig, PointReading } from '../drivers/spi/index.ts';
import { toDriverSettings } from '../runtime/settings.ts';
import type { ChannelRuntime } from '../runtime/types.ts';
import { engineeringText, engineeringValue, valueRuleOf } from '../runtime/values/engineering-value.ts';
import type { Handlers } from './handlers.ts';
import { findChannel } from './lookup.ts';
import { normalPoint } from './normal-point.ts';
import { looksMeasured, plausibleChoice } from './plausible-readings.ts';
import { draftOf } from './point-drafts.ts';
import type { ServiceDeps } from './ports.ts';

/** Reads in a row without an answer after which the device is taken to be gone. */
const MOST_SILENT = 3;

type Reading = ComparedReadings['rows'][number]['readings'][number];

/** Reads some addresses in each of the ways a list may mean them. Nothing is written, and the table stays as it is. */
export function compareReadingsHandlers(deps: ServiceDeps): Pick<Handlers, 'compareReadings'> {
  return {
    async compareReadings({ channel_id, candidates }) {
      const channel = findChannel(deps.projects.current(), channel_id);
      requireComparable(channel);
      const wanted = candidates.map(({ choice, points }, at) => ({
        choice,
        points: points.map((point, index) => configOf(channel, point, `candidates.${at}.points.${index}`)),
      }));
      return new Comparison(channel).run(wanted);
    },
  };
}

/** Only protocols whose places can be scanned: there a read has no effect and a wrong address is only refused. */
function requireComparable({ settings, driver }: ChannelRuntime): void {
  if (isServing(settings.conn_type)) throw invalidField('channel_id', say('jobs.needs_client'));
  if ((driver.diagnostics?.scanFunctions.length ?? 0) > 0) return;
  throw invalidField('channel_id', say('list.no_readings', { protocol: protocolFacts(settings.protocol_type).name }));
}

/** The point as it would be stored; its id is its own here. Throws `CONFIG_INVALID` for one that could not be, and for a command. */
function configOf(channel: ChannelRuntime, point: NewPoint, path: string): PointConfig {
  if (point.frame_type !== FrameType.yc && point.frame_type !== FrameType.yx)
    throw invalidField(`${path}.frame_type`, say('list.reads_only'));
  const { point: normal, issues } = normalPoint(channel.driver, draftOf(point), toDriverSettings(channel.settings, channel.driver));
  if (issues.length > 0) throw invalidInput(issues.map((issue) => ({ ...issue, path: `${path}.${issue.path}` })));
  return { ...normal, id: 1, channel_id: channel.id };
}

class Comparison {
  readonly #channel: ChannelRuntime;
  #requests = 0;
  #silent = 0;

  constructor(channel: ChannelRuntime) {
    this.#channel = channel;
  }

  async run(candidates: readonly { readonly choice: string; readonly points: readonly PointConfig[] }[]): Promise<ComparedReadings> {
    const rows: { code: string; name: string; readings: Reading[] }[] = [];
    const count = Math.max(...candidates.map(({ points }) => points.length));
    for (let at = 0; at < count && this.#silent < MOST_SILENT; at++) {
      const readings: Reading[] = [];
      for (const { choice, points } of candidates) {
        const point = points[at];
        if (point && this.#silent < MOST_SILENT) readings.push(await this.#read(choice, point));
      }
      const first = candidates[0]?.points[at];
      rows.push({ code: first?.code ?? '', name: first?.name ?? '', readings });
    }
    return { rows, plausible: plausibleChoice(rows.map(({ readings }) => readings)), requests: this.#requests };
  }

  async #read(choice: string, point: PointConfig): Promise<Reading> {
    const answer = await this.#ask(point);
    const empty = { choice, address: point.address, value: null, value_text: '', unit: point.unit, raw_hex: '', plausible: false };
    if (answer.kind === 'failure') return { ...empty, error: english(answer.error.said), error_info: answer.error.said };
    const rule = valueRuleOf(point);
    const value = engineeringValue(rule, answer);
    return {
      ...empty,
      value: Number.isFinite(value) ? value : null,
      value_text: engineeringText(rule, answer, value),
      raw_hex: Buffer.from(answer.raw).toString('hex').toUpperCase(),
      plausible: looksMeasured(value, point),
      error: null,
    };
  }

  /** One exchange under the lock. A refusal is an answer; a missing one counts. */
  async #ask(point: PointConfig): Promise<PointReading> {
    const exchange = async (connection: DriverConnection, context: ExchangeContext): Promise<PointReading> => {
      const { batches, excluded } = connection.plan([point], { mode: 'single', skipKnownHoles: false });
      const batch = batches[0];
      if (!batch) return excluded[0] ?? failed(point, toAppError(null));
      this.#requests += 1;
      const { readings } = await connection.read(batch, context);
      return readings.find(({ pointId }) => pointId === point.id) ?? failed(point, toAppError(null));
    };
    try {
      const reading = await this.#channel.diagnose(exchange, new AbortController().signal);
      this.#silent = 0;
      return reading;
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.code !== 'TIMEOUT_RESPONSE' && !error.code.startsWith('FRAME_')) throw error;
      this.#silent += 1;
      return failed(point, error);
    }
  }
}

function failed(point: PointConfig, error: AppError): PointReading {
  return { kind: 'failure', pointId: point.id, error };
}
