import { modbusTcpDriver } from '../../../../drivers/modbus/driver.ts';
import type { StoredCheck, StoredCheckItem } from '../../../../persistence/check-repositories.ts';
import { silentLogger } from '../../../../platform/logger.ts';
import { ManualClock } from '../../../../platform/manual-clock.ts';
import { EventLog } from '../../../../runtime/logs/event-log.ts';
import { Endings } from '../../../endings.ts';
import type { ProjectSession, ServiceDeps } from '../../../ports.ts';
import { FakeService } from './fake-service.ts';

/** An item of the one point of the other service. */
export function anItem(change: Partial<StoredCheckItem> = {}): StoredCheckItem {
  return {
    uuid: '00000000-0000-4000-8000-000000000001',
    place: 1,
    service: 'Cabinet 7',
    channelId: 0,
    pointId: 0,
    frameType: 0,
    channel: 'Feeder 1',
    code: 'P',
    name: 'Power',
    group: '',
    expectation: { kind: 'values', references: [{ value: 5, tolerance: 0, percent: 0 }] },
    ...change,
  };
}

/** A check session in memory beside another service, on a clock that a test moves. */
export class CheckBench {
  readonly clock = new ManualClock();
  readonly there = new FakeService();
  readonly check: StoredCheck = { id: 1, uuid: '00000000-0000-4000-8000-00000000000c', name: 'Site', createdAt: '', cover: {} };
  readonly session: ProjectSession;
  readonly deps: ServiceDeps;

  constructor(items: readonly StoredCheckItem[] = [anItem()]) {
    const checks = { list: () => [this.check], items: () => items, ends: () => [], append: () => undefined };
    const aside = { path: '', read: () => null };
    this.session = {
      id: 'here',
      store: { checks, aside },
      channels: { get: () => undefined, byName: () => undefined },
      events: new EventLog(10),
      endings: new Endings(this.clock),
    } as unknown as ProjectSession;
    const drivers = { all: [modbusTcpDriver], find: () => modbusTcpDriver };
    const facts = { remotes: this.there.remotes, newId: () => '00000000-0000-4000-8000-00000000000d', computer: 'test', version: '1.0.0' };
    this.deps = {
      clock: this.clock,
      drivers,
      facts,
      logger: silentLogger,
      projects: { current: () => this.session },
    } as unknown as ServiceDeps;
  }

  /** A time of the other service that many milliseconds behind the beginning of the test, as its clock says it. */
  at(ms: number): string {
    return new Date(this.clock.wallMs() - this.clock.monotonicMs() + ms).toISOString();
  }
}
