import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { modbusTcpDriver } from '../../../drivers/modbus/driver.ts';
import { ManualClock } from '../../../platform/manual-clock.ts';
import type { ServiceDeps } from '../../ports.ts';
import { Mirror } from './mirror.ts';
import { FakeService } from './testing/fake-service.ts';

let clock: ManualClock;
let there: FakeService;
let ending: AbortController;
let mirror: Mirror;

beforeEach(() => {
  clock = new ManualClock();
  there = new FakeService();
  ending = new AbortController();
  mirror = aMirror();
});
afterEach(() => ending.abort());

function aMirror(channel = 'Feeder 1'): Mirror {
  const drivers = { all: [modbusTcpDriver], find: (type: number) => (type === 1 ? modbusTcpDriver : undefined) };
  const deps = { clock, drivers, facts: { remotes: there.remotes } } as unknown as ServiceDeps;
  return new Mirror(deps, { id: -1, service: 'Cabinet 7', channel }, ending.signal);
}
const pointOf = (code: string) => mirror.channel?.points.byCode(code) ?? 0;
const stateOf = (code: string) => mirror.channel?.points.state(pointOf(code));
const change = (seq: number, rest: Record<string, unknown> = {}) => ({
  seq,
  channel_id: 4,
  kind: 'change',
  point_id: 11,
  frame_type: 0,
  code: 'P',
  value: 6,
  flags: [],
  device_time: null,
  received_at: '2026-01-01T00:00:01.000Z',
  text: '',
  ...rest,
});

describe('a channel of another service', () => {
  it('has its settings, its points and their values, with the times there and here', async () => {
    await clock.advance(5000);
    await mirror.look();
    expect(mirror).toMatchObject({ trouble: null, channelId: 4, service: { name: 'Cabinet 7', version: '1.0.0' } });
    expect(mirror.channel?.settings).toMatchObject({ id: 4, ip: '10.0.0.9', port: 502 });
    expect(mirror.channel?.state().status).toBe('running');
    expect(mirror.channel?.points.config(11)).toMatchObject({ code: 'P', address: 1, decode: '0x21' });
    expect(stateOf('P')).toMatchObject({ value: 5, rawHex: '0005', quality: 'good', updatedAt: Date.UTC(2026, 0, 1) });
    expect(mirror.arrivedAt(11)).toBe(clock.wallMs());
  });

  it('keeps when a value arrived until another one is received there, the same number too', async () => {
    await mirror.look();
    const first = mirror.arrivedAt(11);
    await clock.advance(1000);
    await mirror.look();
    expect(mirror.arrivedAt(11)).toBe(first);
    there.points = [FakeService.point({ updated_at: '2026-01-01T00:00:01.000Z' })];
    await mirror.look();
    expect(mirror.arrivedAt(11)).toBe(clock.wallMs());
  });

  it('knows nothing of a value while the service is silent, and begins anew when it answers', async () => {
    await mirror.look();
    const stood = mirror.connectedAt;
    expect(stood).not.toBeNull();
    there.state = 'silent';
    const looked = mirror.look();
    await clock.advance(3000);
    await looked;
    expect(mirror.trouble).toMatchObject({ code: 'remote.silent' });
    expect([stateOf('P')?.quality, stateOf('P')?.value, mirror.connectedAt]).toEqual(['stale', 5, null]);
    expect(mirror.channel?.state().status).toBe('reconnecting');
    there.state = 'right';
    await mirror.look();
    expect([stateOf('P')?.quality, mirror.trouble]).toEqual(['good', null]);
    expect(mirror.connectedAt).toBe(clock.monotonicMs());
    expect(mirror.connectedAt).not.toBe(stood);
  });

  it('is a connection anew when the line there was lost and stands again between two looks', async () => {
    await mirror.look();
    await clock.advance(1000);
    await mirror.look();
    expect(mirror.connectedAt).toBe(0);
    there.channels = [FakeService.channel({ since: '2026-01-01T00:00:00.700Z' })];
    await mirror.look();
    expect(mirror.connectedAt).toBe(1000);
    // what is told by then came over it, however long the table takes
    await clock.advance(500);
    let stoodAt: number | null = null;
    there.onItsWay = async (path) => {
      if (!path.includes('events')) return;
      stoodAt = mirror.connectedAt;
      await clock.advance(2000);
    };
    there.channels = [FakeService.channel({ since: '2026-01-01T00:00:00.900Z' })];
    await mirror.look();
    expect([stoodAt, mirror.connectedAt]).toEqual([1500, 3500]);
    there.onItsWay = async () => undefined;
    there.channels = [FakeService.channel({ status: 'reconnecting', since: '2026-01-01T00:00:02.000Z' })];
    await mirror.look();
    expect([mirror.connectedAt, mirror.trouble]).toEqual([null, null]);
  });

  it('greets a service that was started anew, and takes what it had told before for old', async () => {
    there.events = [change(1), change(2)];
    await mirror.look();
    there.project = 'project-2';
    there.version = '1.0.1';
    there.events = [change(1, { value: 9 })];
    await clock.advance(2000);
    await mirror.look();
    expect(mirror).toMatchObject({ trouble: null, connectedAt: 2000, service: { version: '1.0.1' } });
    expect(mirror.takeEvents()).toEqual([]);
    there.events = [change(1, { value: 9 }), change(2, { value: 10 })];
    await mirror.look();
    expect(mirror.takeEvents().map(({ event }) => event.value)).toEqual([10]);
  });

  it('tells events once, each behind the look that did not bring it, with what makes them no value', async () => {
    await mirror.look();
    await clock.advance(500);
    await mirror.look();
    there.events = [
      change(1, { raw_hex: '0006', device_time: '2026-01-01T00:00:00.900Z' }),
      change(2, { flags: ['test'] }),
      change(3, { no_value: true }),
      change(4, { value: null }),
      change(5, { invalid: true }),
      change(6, { kind: 'a kind of later' }),
    ];
    await clock.advance(250);
    await mirror.look();
    const taken = mirror.takeEvents();
    expect(taken.map(({ event }) => [event.seq, event.kind, event.isNoValue, event.isInvalid])).toEqual([
      [1, 'change', false, false],
      [2, 'change', true, false],
      [3, 'change', true, false],
      [4, 'change', false, true],
      [5, 'change', false, true],
      [6, 'system', false, false],
    ]);
    expect(taken[0]).toMatchObject({ rawHex: '0006', happenedBehind: 500, arrivedAt: clock.wallMs() });
    expect(taken[0]?.event).toMatchObject({ channelId: -1, deviceTime: Date.UTC(2026, 0, 1, 0, 0, 0, 900) });
    await mirror.look();
    expect(mirror.takeEvents()).toEqual([]);
  });

  it('takes settings of the protocol that say something else as edited, those that came again as the same', async () => {
    const lookWith = async (simulate: string, value: number) => {
      there.points = [FakeService.point({ protocol: { simulate }, value })];
      await mirror.look();
      return [mirror.points.configRevision, mirror.points.config(11)?.protocol, stateOf('P')?.value];
    };
    const [first] = await lookWith('1', 5);
    expect(await lookWith('1', 6)).toEqual([first, { simulate: '1' }, 6]);
    expect(await lookWith('2', 6)).toEqual([Number(first) + 1, { simulate: '2' }, 6]);
    there.points = [FakeService.point({ protocol: { simulate: '2' }, value: 'six' })];
    await mirror.look();
    expect(mirror.trouble?.code).toBe('check.elsewhere_not_understood');
  });

  it('of more events than come at once takes the later ones for as old as the first, and says that more wait', async () => {
    await mirror.look();
    await clock.advance(1000);
    await mirror.look();
    await clock.advance(1000);
    there.events = Array.from({ length: 2001 }, (_, at) => change(at + 1));
    await mirror.look();
    expect([mirror.takeEvents().length, mirror.isDrained]).toEqual([2000, false]);
    await clock.advance(1000);
    there.events.push(change(2002));
    await mirror.look();
    expect(mirror.takeEvents()).toMatchObject([{ event: { seq: 2001 }, happenedBehind: 1000 }, { event: { seq: 2002 } }]);
    expect(mirror.isDrained).toBe(true);
    await clock.advance(1000);
    there.events.push(change(2003));
    await mirror.look();
    expect(mirror.takeEvents()).toMatchObject([{ event: { seq: 2003 }, happenedBehind: 3000 }]);
  });

  it('is reached again when its service was removed here and added again', async () => {
    await mirror.look();
    there.id = 2;
    await mirror.look();
    expect(mirror.trouble).toBeNull();
    expect(mirror.connectedAt).toBe(clock.monotonicMs());
  });

  it('is not known before it was looked at to the end', async () => {
    expect(mirror.trouble?.code).toBe('check.elsewhere_not_asked');
  });

  it('takes an edited point as another one, forgets one that is gone, and finds one by its new name', async () => {
    await mirror.look();
    const { points } = mirror;
    const revision = points.configRevision;
    await mirror.look();
    expect(points.configRevision).toBe(revision);
    there.points = [FakeService.point({ address: 2 }), FakeService.point({ id: 12, code: 'Q' })];
    await mirror.look();
    expect(points.configRevision).toBeGreaterThan(revision);
    expect(points.config(11)?.address).toBe(2);
    there.points = [FakeService.point({ id: 12, code: 'R' })];
    await mirror.look();
    expect([points.byCode('P'), points.byCode('Q'), points.byCode('R'), points.size]).toEqual([undefined, undefined, 12, 1]);
    expect(points.configs().map(({ code }) => code)).toEqual(['R']);
  });

  it('asks for no more pages than the total has rows for, whatever a page brings', async () => {
    there.onPage = (rows) => Array.from({ length: 1000 }, () => rows[0] ?? {});
    await mirror.look();
    expect(there.asked.filter((path) => path.includes('table'))).toHaveLength(1);
    expect([mirror.trouble, mirror.points.size]).toEqual([null, 1]);
  });

  it('forgets nothing when rows move from one page to another while it looks', async () => {
    const many = Array.from({ length: 1500 }, (_, at) => FakeService.point({ id: at + 1, code: `P${at}` }));
    there.points = many;
    await mirror.look();
    expect(mirror.points.size).toBe(1500);
    // the first point goes between the pages: the first row of the second page moves into the one that was taken
    there.onAsked = (path) => {
      if (path.includes('page=2')) there.points = many.slice(1);
    };
    await mirror.look();
    expect(mirror.points.size).toBe(1500);
    there.onAsked = () => undefined;
    await mirror.look();
    expect([mirror.points.size, mirror.points.byCode('P0')]).toEqual([1499, undefined]);
  });

  it.each([
    ['a channel that is not there any more', () => (there.channels = []), 'check.elsewhere_no_channel'],
    ['a service that is not called so here any more', () => (there.name = 'Cabinet 8'), 'check.elsewhere_unknown'],
    ['a service that refuses the connection', () => (there.state = 'refused'), 'common.text'],
    ['answers that are not understood', () => (there.state = 'nonsense'), 'check.elsewhere_not_understood'],
    ['a row that is not understood', () => (there.points = [FakeService.point({ value: 'five' })]), 'check.elsewhere_not_understood'],
    ['more points than a project has', () => (there.total = 200_001), 'check.elsewhere_too_many'],
    ['a page that is too long', () => (there.points = [FakeService.point({ note: 'x'.repeat(9_000_000) })]), 'check.elsewhere_too_long'],
  ])('says what is wrong: %s', async (_, happens, code) => {
    await mirror.look();
    happens();
    await mirror.look();
    expect(mirror.trouble?.code).toBe(code);
    expect(mirror.connectedAt).toBeNull();
  });

  it('looks at a newer service as far as it understands it', async () => {
    there.version = '9.0.0';
    there.channels = [FakeService.channel({ protocol_type: 77, id: 5, name: 'Other' }), FakeService.channel({ wing: 'north' })];
    there.points = [FakeService.point({ flags: ['a flag of later'], weather: 'fine' })];
    await mirror.look();
    expect(mirror).toMatchObject({ trouble: null, service: { version: '9.0.0' } });
    expect(stateOf('P')).toMatchObject({ value: 5, flags: ['a flag of later'] });
    mirror = aMirror('Other');
    await mirror.look();
    expect([mirror.trouble?.code, mirror.channel]).toEqual(['check.elsewhere_no_channel', undefined]);
  });

  it('tells by how much the clock of the service differs, once that is more than 2 s', async () => {
    await mirror.look();
    expect(mirror.service).not.toHaveProperty('clockAheadS');
    there.date = 'Thu, 01 Jan 2026 01:00:00 GMT';
    await mirror.look();
    expect(mirror.service.clockAheadS).toBe(3601);
    there.date = 'Wed, 31 Dec 2025 23:59:00 GMT';
    await mirror.look();
    expect(mirror.service.clockAheadS).toBe(-59);
  });

  it('asks to read once a second at most, and says why the service does not', async () => {
    await mirror.look();
    const reads = () => there.asked.filter((path) => path.includes('manual-read')).length;
    const point = mirror.points.configs();
    mirror.readOnce(point);
    mirror.readOnce(point);
    await clock.advance(1000);
    expect(reads()).toBe(1);
    there.state = 'refused';
    mirror.readOnce(point);
    await clock.advance(1);
    expect([reads(), mirror.readTrouble?.code]).toEqual([2, 'common.text']);
  });

  it('says when it was asked for a read that the service took, what a task there reads as well', async () => {
    await mirror.look();
    const readAt = async (refusal: typeof there.refusal) => {
      there.refusal = refusal;
      await clock.advance(1000);
      mirror.readOnce(mirror.points.configs());
      await clock.advance(1);
      return [mirror.readTakenAt, mirror.readTrouble?.code];
    };
    const busy = { error: 'STATE_CONFLICT', message_code: 'runtime.task_runs_otherwise' };
    expect(await readAt(busy)).toEqual([Number.NEGATIVE_INFINITY, undefined]);
    expect(await readAt({ error: 'FORBIDDEN', message_code: 'access.role' })).toEqual([Number.NEGATIVE_INFINITY, 'access.role']);
    expect(await readAt({ error: 'STATE_CONFLICT', message_code: 'runtime.task_runs' })).toEqual([3002, undefined]);
    expect(await readAt(busy)).toEqual([3002, undefined]);
    expect(await readAt(null)).toEqual([5004, undefined]);
  });

  it('looks no more once the project is left', async () => {
    there.state = 'silent';
    const looked = mirror.look();
    ending.abort();
    await looked;
    expect(mirror.trouble).not.toBeNull();
  });
});
