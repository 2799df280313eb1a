/** A master and simulated meters on one pair of wires with a manual clock, for the tests of this folder. */

import { ConnType } from '#shared/domain/enums.ts';
import { ManualClock } from '../../../platform/manual-clock.ts';
import { runSteps } from '../../../platform/steps.ts';
import type { CloseCause } from '../../../transport/types.ts';
import type {
  DriverChannelSettings,
  DriverLasting,
  DriverLine,
  DriverSecrets,
  ExchangeContext,
  PointConfig,
  PointDraft,
  PointReading,
  ReadBatch,
} from '../../spi/index.ts';
import { shownAmong } from '../../testing/engineering.ts';
import { testDraft } from '../../testing/points.ts';
import { clientSettings } from '../../testing/settings.ts';
import { exchangeContext, TestFrames, TestHealth, TestSink } from '../../testing/sinks.ts';
import { Dlt645Client } from '../client/client.ts';
import { Dlt645Server } from '../meter/server.ts';
import { normalizeMeterPoint } from '../point-rules.ts';
import { channelSettings } from '../settings.ts';

/** An end of the wires. */
export class TestLine implements DriverLine {
  readonly label = 'test line';
  /** Everything that was written, with the time at which it was handed over. */
  readonly sent: { readonly at: number; readonly bytes: Uint8Array }[] = [];
  /** Who gets what is written here. */
  onWrite: (bytes: Uint8Array) => void = () => {};
  readonly #clock: ManualClock;
  #events: { onData(chunk: Uint8Array): void; onClosed(cause: CloseCause): void } | null = null;

  constructor(clock: ManualClock) {
    this.#clock = clock;
  }

  start(events: { onData(chunk: Uint8Array): void; onClosed(cause: CloseCause): void }): void {
    this.#events = events;
  }
  async write(bytes: Uint8Array): Promise<void> {
    this.sent.push({ at: this.#clock.monotonicMs(), bytes: Uint8Array.from(bytes) });
    this.onWrite(bytes);
  }
  async close(): Promise<void> {
    this.#events?.onClosed({ kind: 'local' });
  }
  receive(bytes: Uint8Array): void {
    this.#events?.onData(Uint8Array.from(bytes));
  }
  end(): void {
    this.#events?.onClosed({ kind: 'peer' });
  }
}

/** Settings of a master on a serial line with the defaults of the service. */
export const testSettings = clientSettings({
  connType: ConnType.rtuMaster,
  baudRate: 2400,
  parity: 'E',
  protocol: channelSettings.parse({}),
});

export { testDraft as draft };

/** Points with ids from 1, normalised; throws where one is wrong. */
export function pointsOf(drafts: readonly (Partial<PointDraft> & { address: number })[]): PointConfig[] {
  return drafts.map((fields, index) => {
    const { point, issues } = normalizeMeterPoint(testDraft({ code: `P${index + 1}`, ...fields }));
    if (issues.length > 0) throw new Error(JSON.stringify(issues));
    return { ...point, id: index + 1, channel_id: 1 };
  });
}

export interface BenchOptions {
  readonly settings?: Partial<DriverChannelSettings>;
  /** Settings of the `protocol` object of both sides. */
  readonly protocol?: Record<string, unknown>;
  readonly points: readonly PointConfig[];
  /** Points of the simulated meters, where they are others. */
  readonly served?: readonly PointConfig[];
  /** Secrets of both channels; the meters have six zeros where none are given. */
  readonly secrets?: DriverSecrets;
  readonly meterSecrets?: DriverSecrets;
  /** What the master keeps beyond its connection. */
  readonly lasting?: DriverLasting;
  /** Changes what travels from the meters to the master; null drops it. */
  readonly answerFilter?: (bytes: Uint8Array) => Uint8Array | null;
}

/** A master and the meters of a point table. */
export function bench(options: BenchOptions) {
  const {
    settings,
    protocol,
    points,
    served = points,
    answerFilter = (bytes) => bytes,
    secrets = {},
    meterSecrets = {},
    lasting,
  } = options;
  const clock = new ManualClock(Date.UTC(2026, 2, 5, 6, 30));
  const channel: DriverChannelSettings = { ...testSettings, ...settings, protocol: channelSettings.parse(protocol ?? {}) };
  const octetMs = channel.connType === ConnType.rtuMaster ? 11_000 / channel.baudRate : 0;
  const parts = () => ({ clock, settings: channel, sink: new TestSink(), frames: new TestFrames(), health: new TestHealth() });
  const [master, slave] = [parts(), parts()];
  const [line, far] = [new TestLine(clock), new TestLine(clock)];
  /** Octets arrive in lumps, each when its last one has travelled. */
  const travel = (bytes: Uint8Array, to: TestLine) => {
    const lump = octetMs === 0 ? bytes.length : 8;
    for (let at = 0; at < bytes.length; at += lump) {
      const chunk = bytes.subarray(at, at + lump);
      clock.after((at + chunk.length) * octetMs, () => to.receive(chunk));
    }
  };
  line.onWrite = (bytes) => travel(bytes, far);
  far.onWrite = (bytes) => {
    const arriving = answerFilter(bytes);
    if (arriving) travel(arriving, line);
  };
  const client = new Dlt645Client({ ...master, points, line, secrets, ...(lasting ? { lasting } : {}) });
  const server = runSteps(
    new Dlt645Server({
      ...slave,
      secrets: meterSecrets,
      settings: { ...channel, connType: ConnType.rtuSlave },
      points: served,
      onPeer: () => {},
      serialLine: far,
    }).started(),
  );
  /** Reads a plan to its end as a task does; answers the readings by point id, as the table shows them. */
  const readAll = async (mode: 'batch' | 'single' = 'batch', context: Partial<ExchangeContext> = {}) => {
    const plan = client.plan(points, { mode, skipKnownHoles: true });
    const readings = new Map<number, PointReading>(plan.excluded.map((failure) => [failure.pointId, failure]));
    const work: ReadBatch[] = [...plan.batches];
    for (let batch = work.shift(); batch; batch = work.shift()) {
      const outcome = await finish(clock, client.read(batch, exchangeContext(context)));
      if ('error' in outcome)
        for (const pointId of batch.pointIds) readings.set(pointId, { kind: 'failure', pointId, error: outcome.error });
      else {
        for (const reading of outcome.value.readings) readings.set(reading.pointId, shownAmong(points, reading));
        work.unshift(...outcome.value.next);
      }
    }
    return readings;
  };
  return { clock, client, server, line, far, master, slave, readAll };
}

/** Moves the clock until a promise has come to its end. */
export async function finish<T>(clock: ManualClock, promise: Promise<T>): Promise<{ value: T } | { error: never }> {
  const ended: { outcome: { value: T } | { error: never } | null } = { outcome: null };
  promise.then(
    (value) => {
      ended.outcome = { value };
    },
    (error) => {
      ended.outcome = { error: error as never };
    },
  );
  for (let turn = 0; turn < 4000; turn++) {
    await clock.advance(0);
    if (ended.outcome) return ended.outcome;
    const { nextAt } = clock;
    await clock.advance(nextAt === null ? 1 : Math.max(0, nextAt - clock.monotonicMs()));
  }
  throw new Error('The promise did not come to an end.');
}
