import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { modbusTcpDriver } from '../../../drivers/modbus/driver.ts';
import type { StoredCheckItem } from '../../../persistence/check-repositories.ts';
import { ManualClock } from '../../../platform/manual-clock.ts';
import { EventLog } from '../../../runtime/logs/event-log.ts';
import { Endings } from '../../endings.ts';
import type { ProjectSession, ServiceDeps } from '../../ports.ts';
import { EventFeed, type FeedMark } from '../event-feed.ts';
import { ItemWatch } from '../item-watch.ts';
import { type Held, Mirrors } from './mirrors.ts';
import { FakeService } from './testing/fake-service.ts';

const ITEM: StoredCheckItem = {
  uuid: '00000000-0000-4000-8000-000000000001',
  place: 1,
  service: 'Cabinet 7',
  channelId: 0,
  pointId: 0,
  frameType: 1,
  channel: 'Feeder 1',
  code: 'S',
  name: 'Breaker',
  group: '',
  expectation: { kind: 'states', states: [0, 1] },
};

let clock: ManualClock;
let there: FakeService;
let session: ProjectSession;
let held: Held;
let feed: EventFeed;
let watched: ItemWatch;
let since: FeedMark;

/** A device that sends changes by itself, or one that is read. */
function signal(value: number, receivedMs: number, cause = false): Record<string, unknown> {
  const updated_at = new Date(clock.wallMs() - clock.monotonicMs() + receivedMs).toISOString();
  const told = cause ? { cause: { code: 3, name: 'spontaneous' } } : {};
  return FakeService.point({ code: 'S', frame_type: 1, value, updated_at, ...told });
}
const change = (seq: number, value: number) => ({
  seq,
  channel_id: 4,
  kind: 'change',
  point_id: 11,
  frame_type: 1,
  code: 'S',
  value,
  flags: [],
  device_time: null,
  received_at: '2026-01-01T00:00:00.000Z',
  text: '',
});

beforeEach(async () => {
  clock = new ManualClock();
  there = new FakeService();
  session = {
    id: 'here',
    channels: { get: () => undefined },
    events: new EventLog(10),
    endings: new Endings(clock),
  } as unknown as ProjectSession;
  const drivers = { all: [modbusTcpDriver], find: () => modbusTcpDriver };
  const facts = { remotes: there.remotes };
  const deps = { clock, drivers, facts, projects: { current: () => session } } as unknown as ServiceDeps;
  there.points = [signal(0, 0)];
  held = await Mirrors.of(deps).hold([ITEM]);
  feed = new EventFeed(deps, session);
  // behind what a new connection may bring of before
  await clock.advance(5000);
});
afterEach(async () => {
  held.release();
  await clock.advance(2000);
});

function begin(): void {
  watched = new ItemWatch(ITEM, session, { settleMs: 300, now: clock.monotonicMs(), restedMs: 60_000 });
  since = feed.mark();
}

function look(): void {
  const now = clock.monotonicMs();
  const found = watched.locate();
  for (const taken of feed.take(now)) if (found && taken.isBehind(since)) watched.takeEvent(found, taken, taken.rawHex());
  if (found) watched.takeTable(found, now);
}

/** A look of the service is asked now, and its table arrives when the answer says so. */
async function askedNow(): Promise<() => void> {
  let arrive = () => {};
  there.onItsWay = async (path) => {
    if (!path.includes('table')) return;
    there.onItsWay = async () => undefined;
    await new Promise<void>((resolve) => {
      arrive = resolve;
    });
  };
  const before = there.asked.length;
  while (there.asked.slice(before).every((path) => !path.includes('table'))) await clock.advance(10);
  return () => arrive();
}

describe('an item of another service', () => {
  it('takes what was asked for before it began for old, so a movement of before passes nothing', async () => {
    there.points = [signal(0, 4990)];
    const arrive = await askedNow();
    // moved behind the question and in front of the beginning
    there.points = [signal(1, 5100)];
    await clock.advance(100);
    begin();
    arrive();
    await clock.advance(10);
    look();
    expect(watched.isReady).toBe(false);
    await clock.advance(600);
    look();
    expect([watched.isReady, watched.changes]).toEqual([true, 0]);
    there.points = [signal(0, 6000)];
    await clock.advance(600);
    look();
    expect(watched.changes).toBe(1);
  });

  it('takes an event for old that may have been there before it began, and one that came behind it for a change', async () => {
    there.points = [signal(0, 0, true)];
    await clock.advance(600);
    begin();
    there.events = [change(1, 1)];
    there.points = [signal(1, 5000, true)];
    await clock.advance(300);
    look();
    expect(watched.changes).toBe(0);
    await clock.advance(600);
    look();
    expect([watched.isReady, watched.changes]).toEqual([true, 0]);
    there.events = [...there.events, change(2, 0), change(3, 1)];
    await clock.advance(300);
    look();
    expect(watched.changes).toBe(2);
  });

  it('is nothing that can pass while its service is silent, and counts again 3 s behind its return', async () => {
    begin();
    await clock.advance(600);
    look();
    await clock.advance(600);
    there.points = [signal(0, 5500)];
    await clock.advance(300);
    look();
    expect(watched.isReady).toBe(true);
    there.state = 'silent';
    await clock.advance(5000);
    look();
    expect(watched.isReady).toBe(false);
    there.state = 'right';
    there.points = [signal(1, 9000)];
    await clock.advance(2000);
    look();
    expect([watched.isReady, watched.changes]).toEqual([false, 0]);
    await clock.advance(3000);
    there.points = [signal(1, 14_000)];
    await clock.advance(600);
    look();
    expect([watched.isReady, watched.changes]).toEqual([true, 0]);
    there.points = [signal(0, 15_000)];
    await clock.advance(600);
    look();
    expect(watched.changes).toBe(1);
  });

  it('is read from elsewhere once its address there is another one', async () => {
    begin();
    there.points = [{ ...signal(0, 0), address: 9 }];
    await clock.advance(600);
    watched.locate();
    expect(watched.isElsewhere).toBe(true);
    there.points = [signal(0, 0)];
    await clock.advance(600);
    watched.locate();
    expect(watched.isElsewhere).toBe(false);
    // the same cabinet name leads to another computer
    there.address = 'http://10.0.0.8:8991';
    await clock.advance(600);
    watched.locate();
    expect(watched.isElsewhere).toBe(true);
    expect(watched.facts.channel).toMatchObject({ service: 'Cabinet 7', service_address: 'http://10.0.0.7:8991' });
  });

  it('is asked for no more once nobody checks it', async () => {
    held.release();
    await clock.advance(1000);
    const before = there.asked.length;
    await clock.advance(10_000);
    expect(there.asked.length).toBe(before);
  });

  it('is asked for no more once the project is left', async () => {
    await session.endings.settle(1000);
    await clock.advance(1000);
    const before = there.asked.length;
    await clock.advance(10_000);
    expect(there.asked.length).toBe(before);
  });
});
