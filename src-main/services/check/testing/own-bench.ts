import { FrameType } from '#shared/domain/enums.ts';
import { modbusTcpDriver } from '../../../drivers/modbus/driver.ts';
import type { PointConfig } from '../../../drivers/spi/index.ts';
import type { StoredCheck, StoredCheckEntry, StoredCheckItem } from '../../../persistence/check-repositories.ts';
import type { ManualClock } from '../../../platform/manual-clock.ts';
import { type Bench, makeBench, point } from '../../../runtime/testing/harness.ts';
import { Endings } from '../../endings.ts';
import type { ProjectSession, ServiceDeps } from '../../ports.ts';
import { noRemotes } from '../../testing/no-remotes.ts';

type Row = Pick<PointConfig, 'code'> & Partial<PointConfig>;

/** A check session in memory over one channel of the project, whose device says what a test says, on a clock that a test moves. */
export class OwnBench {
  readonly bench: Bench;
  readonly clock: ManualClock;
  readonly check: StoredCheck = { id: 1, uuid: '00000000-0000-4000-8000-00000000000c', name: 'Site', createdAt: '', cover: {} };
  readonly items: StoredCheckItem[];
  /** Results that are in the file. */
  readonly stored: StoredCheckEntry[] = [];
  /** What keeps results from coming into the file; null: nothing. */
  fault: Error | null = null;
  /** Faults that were logged. */
  readonly logged: unknown[] = [];
  readonly session: ProjectSession;
  readonly deps: ServiceDeps;

  private constructor(rows: readonly Row[], expectations: Readonly<Record<string, StoredCheckItem['expectation']>>) {
    const table = rows.map((row, at) => point(at + 1, row));
    this.bench = makeBench(table, { retries: 0 });
    this.bench.plant.latencyMs = 1;
    this.clock = this.bench.clock;
    this.items = table.map(({ id, frame_type, code, name }, at) => ({
      ...{ uuid: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`, place: at + 1, service: '', channelId: 1, pointId: id },
      ...{ frameType: frame_type, channel: 'PCS 1', code, name, group: '' },
      expectation: expectations[code] ?? { kind: 'values', references: [] },
    }));
    const append = (_: number, entries: readonly StoredCheckEntry[]) => {
      if (this.fault) throw this.fault;
      this.stored.push(...entries);
    };
    const marksBehind = (_: number, after: number, most: number) =>
      this.stored.map((entry, at) => ({ ...entry, id: at + 1 })).slice(after, after + most);
    const checks = { list: () => [this.check], items: () => this.items, ends: () => [], append, marksBehind };
    const audit = { open: () => 41, close() {} };
    const settings = { read: () => undefined };
    this.session = {
      id: 'here',
      store: { checks, audit, settings, setpoints: { settle() {} }, aside: { path: '', read: () => null, write() {}, remove() {} } },
      channels: this.bench.manager,
      commands: { add() {} },
      events: this.bench.events,
      endings: new Endings(this.clock),
    } as unknown as ProjectSession;
    this.deps = {
      clock: this.clock,
      drivers: this.bench.ports.drivers,
      facts: {
        remotes: noRemotes,
        forcedReadOnly: false,
        newId: () => '00000000-0000-4000-8000-00000000000d',
        computer: 'test',
        version: '1',
      },
      logger: { ...this.bench.ports.logger, error: (fields: unknown) => void this.logged.push(fields) },
      projects: { current: () => this.session },
    } as unknown as ServiceDeps;
  }

  /** With its channel started, and each point read as 0. */
  static async open(rows: readonly Row[], expectations: Readonly<Record<string, StoredCheckItem['expectation']>> = {}): Promise<OwnBench> {
    const bench = new OwnBench(rows, expectations);
    await bench.bench.channel.start();
    await bench.clock.advance(5000);
    for (const { code } of rows) bench.read(code, 0);
    return bench;
  }

  item(code: string): StoredCheckItem {
    const found = this.items.find((each) => each.code === code);
    if (!found) throw new RangeError(`no item ${code}`);
    return found;
  }

  /** The device answered now, with these octets. */
  read(code: string, value: number, quality: 'good' | 'invalid' = 'good', raw: Uint8Array = Uint8Array.of(0, value)): void {
    const { channel, clock } = this.bench;
    const reading = { kind: 'value', pointId: this.item(code).pointId, value, valueText: '', raw } as const;
    channel.points.apply([{ ...reading, quality, flags: [], sourceTime: null }] as never, clock.wallMs());
  }

  /** Answers come every 200 ms for so long, each point as it stands but those that are named. */
  async poll(ms: number, values: Readonly<Record<string, number>> = {}): Promise<void> {
    for (let past = 0; past < ms; past += 200) {
      for (const { code, pointId } of this.items) {
        const state = this.bench.channel.points.state(pointId);
        if (!state || state.quality === 'invalid') continue;
        const value = values[code];
        if (value === undefined) this.read(code, state.value, 'good', Buffer.from(state.rawHex, 'hex'));
        else this.read(code, value);
      }
      await this.clock.advance(200);
    }
  }

  /** What the device sends are registers: their octets may be read otherwise. `asked` is told whenever somebody does so. */
  haveRegisters(asked: () => void = () => {}): void {
    const { addressSpan, readingsOf } = modbusTcpDriver;
    const readings: NonNullable<typeof readingsOf> = (of, octets) => {
      asked();
      return readingsOf?.(of, octets) ?? [];
    };
    Object.assign(this.bench.channel.driver, { addressSpan, readingsOf: readings });
  }

  /** Another project is open. */
  leave(): void {
    Object.assign(this.deps.projects, { current: () => ({ id: 'there' }) });
  }
}

/** A measurement, and a signal. */
export const yc = (code: string, rest: Partial<PointConfig> = {}): Row => ({ code, frame_type: FrameType.yc, ...rest });
export const yx = (code: string, rest: Partial<PointConfig> = {}): Row => ({ code, frame_type: FrameType.yx, ...rest });
