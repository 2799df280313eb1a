import { Turns } from '../../platform/turns.ts';
import { toDriverSettings } from '../../runtime/settings.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import { configsInTurns } from '../../runtime/values/configs-in-turns.ts';
import type { ProjectSession, ServiceDeps } from '../ports.ts';
import type { TableFindings } from './check-points.ts';
import { POINTS_A_STEP, type RuleFinding } from './finding.ts';

/** Channels whose findings are kept; those that were looked at longest ago give way. */
const KEPT_CHANNELS = 16;

/** A finding with the point it was found at. */
export interface PointFinding extends RuleFinding {
  readonly pointId: number;
  /** Names it by what it is, and not by when it was found. */
  readonly key: string;
}

/** What was found in the table of a channel, as it was at one moment. */
export interface CheckedTable extends Omit<TableFindings, 'listed'> {
  /** Of the table, the settings and what was known of the device. */
  readonly revision: string;
  /** Points that were looked at. */
  readonly size: number;
  readonly listed: readonly PointFinding[];
}

/** What decides what is found in the table of a channel. */
interface Looked {
  readonly settings: ChannelRuntime['settings'];
  readonly model: string;
  /** Rises when one of the others changes. */
  readonly change: number;
}

/** What is found in the tables of the channels: worked out when somebody asks, and kept until something changes that it hangs on. */
export class TableChecks {
  readonly #deps: ServiceDeps;
  /** The one that was asked for last stands last. */
  readonly #kept = new Map<ChannelRuntime, CheckedTable>();
  readonly #running = new Map<ChannelRuntime, Promise<CheckedTable>>();
  readonly #looked = new WeakMap<ChannelRuntime, Looked>();
  #session: ProjectSession | null = null;

  constructor(deps: ServiceDeps) {
    this.#deps = deps;
  }

  /** Of the table as it is now. */
  revisionOf(channel: ChannelRuntime): string {
    const model = channel.model()?.status;
    const known = model ? `${model.state} ${model.source} ${model.learnedAt}` : '';
    const before = this.#looked.get(channel);
    const isSame = before !== undefined && before.settings === channel.settings && before.model === known;
    const looked = isSame ? before : { settings: channel.settings, model: known, change: (before?.change ?? 0) + 1 };
    this.#looked.set(channel, looked);
    return `${channel.points.configRevision}.${looked.change}`;
  }

  /** What is found in the table; what was found before where it changes again and again while it is looked at. */
  async of(channel: ChannelRuntime): Promise<CheckedTable> {
    await channel.modelReady();
    const session = this.#deps.projects.current();
    if (session !== this.#session) this.#kept.clear();
    this.#session = session;
    const kept = this.#kept.get(channel);
    this.#kept.delete(channel);
    if (kept) this.#keep(channel, kept);
    if (kept?.revision === this.revisionOf(channel)) return kept;
    const running = this.#running.get(channel) ?? this.#start(channel);
    return running;
  }

  #start(channel: ChannelRuntime): Promise<CheckedTable> {
    const running = this.#look(channel).finally(() => this.#running.delete(channel));
    this.#running.set(channel, running);
    return running;
  }

  async #look(channel: ChannelRuntime): Promise<CheckedTable> {
    const points = await configsInTurns(channel.points, new Turns().breathe);
    const revision = this.revisionOf(channel);
    const slaves = new Set(points.map(({ slave_id }) => slave_id));
    const turnRounds = [...slaves].flatMap((slave): [number, number][] => {
      const ms = channel.line.turnRoundMs(slave);
      return ms === null ? [] : [[slave, ms]];
    });
    const table = { driver: channel.driver, settings: toDriverSettings(channel.settings, channel.driver), points, model: channel.model() };
    const { listed, counts } = await this.#deps.tables.findings(table, new Map(turnRounds));
    const turns = new Turns();
    const placed: PointFinding[] = [];
    for (const finding of listed) {
      const { rule, at, about } = finding;
      const pointId = points[at]?.id ?? 0;
      placed.push({ ...finding, pointId, key: `${rule} ${pointId} ${about}` });
      if (placed.length % POINTS_A_STEP === 0) await turns.breathe();
    }
    const checked = { revision, size: points.length, listed: placed, counts };
    this.#keep(channel, checked);
    return checked;
  }

  #keep(channel: ChannelRuntime, checked: CheckedTable): void {
    this.#kept.set(channel, checked);
    const [oldest] = this.#kept.keys();
    if (oldest && this.#kept.size > KEPT_CHANNELS) this.#kept.delete(oldest);
  }
}
