import { afterEach, describe, expect, it } from 'vitest';
import { MOST_WAITING_RECORDS, type StoredPublisher } from '#shared/contract/publish.ts';
import { AppError } from '#shared/domain/errors.ts';
import { english, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { PointReading } from '../../drivers/spi/index.ts';
import { testPoint } from '../../drivers/testing/points.ts';
import { silentLogger } from '../../platform/logger.ts';
import { ManualClock } from '../../platform/manual-clock.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import { ChangeCounter } from '../../runtime/values/change-counter.ts';
import { ColumnPointStore } from '../../runtime/values/point-store.ts';
import type { Outlet, OutletLink } from './outlet.ts';
import { Publisher } from './publisher.ts';
import { type PublishedValue, RecordQueue } from './record-queue.ts';

const URL = 'mqtt://broker';
const LOST = new AppError('TRANSPORT_LOST', say('publish.lost', { url: URL }));

/** The other side: it opens, takes and loses as it is told. */
class OtherSide implements Outlet {
  readonly url = URL;
  batch = 1;
  underWay = 20;
  everyMs = 0;
  isThere = true;
  /** Takes what is sent at once, refuses it, or leaves it unanswered. */
  takes: 'all' | 'refuses' | 'silent' | 'in part' | 'later' = 'all';
  isFullAtOnce = false;
  tellsUnread = false;
  opened = 0;
  closed = 0;
  readonly got: PublishedValue[] = [];
  lose: (reason: AppError) => void = () => {};

  async open(): Promise<OutletLink> {
    if (!this.isThere) throw LOST;
    this.opened += 1;
    return {
      send: async (values) => {
        if (this.takes === 'silent') return new Promise(() => {});
        if (this.takes === 'refuses') return 'refused';
        if (this.takes === 'in part') return { refused: 2 };
        if (this.takes === 'later') throw new AppError('PROTOCOL_REFUSED', LOST.said, { data: { retryAfterMs: 45_000 } });
        this.got.push(...values);
        return 'taken';
      },
      onLost: (fn) => {
        this.lose = fn;
      },
      close: async () => {
        this.closed += 1;
      },
    };
  }
}

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

/** A publisher over one channel with so many points, YC and YX in turn, codes P1, P2 … */
async function setUp(
  { points = 3, ...which }: Partial<StoredPublisher> & { points?: number } = {},
  other = new OtherSide(),
  { waiting = [], before }: { readonly waiting?: readonly PublishedValue[]; readonly before?: Promise<unknown> } = {},
) {
  const clock = new ManualClock();
  const changes = new ChangeCounter();
  const table = new ColumnPointStore(changes);
  table.add(
    Array.from({ length: points }, (_, index) =>
      testPoint({ id: index + 1, code: `P${index + 1}`, name: '', frame_type: index % 2 === 0 ? 0 : 1 }),
    ),
  );
  const channels = [{ settings: { name: 'Bay 1' }, points: table } as unknown as ChannelRuntime];
  const target = { kind: 'webhook', url: URL, every_ms: 1000 } as const;
  const settings: StoredPublisher = { id: 1, name: 'Plant', enabled: true, target, devices: [], frame_types: [], codes: [], ...which };
  const set = (id: number, value: number) => table.apply([reading(id, value)], clock.wallMs());
  const setAll = (value: number) =>
    table.apply(
      Array.from({ length: points }, (_, index) => reading(index + 1, value)),
      clock.wallMs(),
    );
  setAll(0);
  const news: string[] = [];
  const notice = (said: Message) => void news.push(english(said));
  const queue = new RecordQueue(MOST_WAITING_RECORDS);
  for (const one of waiting) queue.add(one);
  const publisher = new Publisher(settings, other, queue, { clock, logger: silentLogger, notice }, before);
  endings.push(() => publisher.close());
  const look = async (ms = 50) => {
    await clock.advance(ms);
    await publisher.look(channels, changes.last, async () => {});
    await clock.advance(0);
  };
  const fail = () => {
    other.isThere = false;
    other.lose(LOST);
  };
  return { clock, publisher, other, set, setAll, look, table, channels, fail, news };
}

const reading = (pointId: number, value: number): PointReading => ({
  kind: 'value',
  pointId,
  value,
  valueText: '',
  raw: new Uint8Array(0),
  quality: 'good',
  flags: [],
  sourceTime: null,
});
const brief = (values: readonly PublishedValue[]) => values.map(({ about, value }) => `${about.code}=${value}`);

describe('a publisher', () => {
  it('sends the present values, then what changes, with sequences without a gap', async () => {
    const { publisher, other, set, look } = await setUp();
    await look();
    expect(brief(other.got)).toEqual(['P1=0', 'P2=0', 'P3=0']);
    set(2, 5);
    await look();
    await look();
    set(2, 5);
    await look();
    expect(brief(other.got.slice(3))).toEqual(['P2=5']);
    expect(other.got.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
    expect(publisher.state()).toMatchObject({ state: 'running', sent: 4, waiting: 0, lost: 0, sequence: 4, error: null });
  });

  it('says the quality and time of a value that could not be read again', async () => {
    const { other, set, look, table, clock } = await setUp({ points: 1 });
    await look();
    set(1, 4);
    const readAt = clock.wallMs();
    await look();
    set(1, Number.NaN);
    await look();
    set(1, 4);
    await look();
    table.apply(
      [{ kind: 'failure', pointId: 1, error: new AppError('TIMEOUT_RESPONSE', say('publish.lost', { url: '' })) }],
      clock.wallMs(),
    );
    await look();
    expect(other.got.slice(1)).toMatchObject([
      { value: 4, quality: 'good', at: readAt },
      { quality: 'invalid', at: readAt + 50 },
      { value: 4, quality: 'good', at: readAt + 100 },
      { value: 4, quality: 'stale', at: readAt + 100 },
    ]);
  });

  it('takes back the values of a device that was left, and of a point that is read otherwise, and says nothing of points that never had one', async () => {
    const { other, set, look, table, clock } = await setUp({ points: 2 });
    await look();
    table.add([testPoint({ id: 3, code: 'P3', frame_type: 0 })]);
    await look();
    expect(brief(other.got)).toEqual(['P1=0', 'P2=0']);
    table.update({ ...testPoint({ id: 1, code: 'P1', name: '', frame_type: 0 }), protocol: { address: 77 } });
    await look();
    expect(other.got.slice(2)).toMatchObject([{ about: { code: 'P1' }, value: null, quality: 'never', at: clock.wallMs(), sequence: 3 }]);
    table.leaveDevice();
    await look();
    await look();
    expect(other.got.slice(3)).toMatchObject([
      { about: { code: 'P1' }, value: null, quality: 'never' },
      { about: { code: 'P2' }, value: null, quality: 'never', sequence: 5 },
    ]);
    table.meetDevice();
    set(3, 6);
    await look();
    expect(brief(other.got.slice(5))).toEqual(['P3=6']);
  });

  it('takes a value back that was there before it began, and with the next connection what it could not say', async () => {
    const other = new OtherSide();
    other.isThere = false;
    const { set, look, table, clock, setAll, fail } = await setUp({ points: 15_000 }, other);
    await look();
    table.leaveDevice();
    await look();
    table.meetDevice();
    set(1, 3);
    other.isThere = true;
    await look(1000);
    for (let count = 0; count < 30; count++) await look();
    const last = (code: string) => other.got.findLast(({ about }) => about.code === code);
    expect(last('P1')).toMatchObject({ value: 3, quality: 'good' });
    expect(last('P2')).toMatchObject({ value: null, quality: 'never' });
    setAll(4);
    for (let count = 0; count < 30; count++) await look();
    fail();
    table.leaveDevice();
    await look();
    table.meetDevice();
    // more than may wait: the word about P2 gives way
    for (const value of [5, 6]) {
      table.apply(
        Array.from({ length: 14_000 }, (_, index) => reading(index + 1001, value)),
        clock.wallMs(),
      );
      await look();
    }
    other.isThere = true;
    await look(60_000);
    for (let count = 0; count < 30; count++) await look();
    expect(last('P2')).toMatchObject({ value: null, quality: 'never' });
    expect(last('P2000')).toMatchObject({ value: 6, quality: 'good' });
  });

  it('tells behind what waited that a point has no value now, where that of an earlier run stands there still', async () => {
    const about = { device: 'Bay 1', code: 'P1', frameType: 0, name: '', unit: '' } as const;
    const waiting: PublishedValue[] = [{ about, value: 9, quality: 'good', at: 0, sequence: 7, session: 'before' }];
    for (const tellsUnread of [true, false]) {
      const other = new OtherSide();
      other.tellsUnread = tellsUnread;
      const { table, look, set } = await setUp({ points: 2 }, other, { waiting });
      table.leaveDevice();
      table.meetDevice();
      set(2, 3);
      await look();
      expect(other.got.map(({ about: { code }, value, quality }) => [code, value, quality])).toEqual([
        ['P1', 9, 'good'],
        ...(tellsUnread ? [['P1', null, 'never']] : []),
        ['P2', 3, 'good'],
      ]);
      table.add([testPoint({ id: 3, code: 'P3', frame_type: 0 })]);
      await look();
      expect(other.got.length).toBe(tellsUnread ? 4 : 2);
    }
  });

  it('sends all values of a device that is renamed under its other name', async () => {
    const { other, look, channels } = await setUp({ points: 2 });
    await look();
    Object.assign(channels[0]?.settings ?? {}, { name: 'Bay 7' });
    await look();
    await look();
    expect(other.got.map(({ about: { device, code } }) => `${device} ${code}`)).toEqual(['Bay 1 P1', 'Bay 1 P2', 'Bay 7 P1', 'Bay 7 P2']);
  });

  it.each([
    [{ frame_types: [1 as const] }, ['P2=0']],
    [{ codes: ['P1', '*3'] }, ['P1=0', 'P3=0']],
    [{ codes: ['P'] }, []],
    [{ codes: ['*.*'] }, []],
    [{ codes: ['P*1', 'P2*2', '*P*3*'] }, ['P1=0', 'P3=0']],
    [{ devices: ['Bay 1'] }, ['P1=0', 'P2=0', 'P3=0']],
    [{ devices: ['Bay 2'] }, []],
  ])('sends only what was chosen: %j', async (which, expected) => {
    const { other, look } = await setUp(which);
    await look();
    expect(brief(other.got)).toEqual(expected);
  });

  it('compares a code with many stars in no time', async () => {
    const { other, look, set, table } = await setUp({ points: 1, codes: [`${'x*'.repeat(200)}y`] });
    table.add([
      testPoint({ id: 9, code: 'x'.repeat(400), frame_type: 0 }),
      testPoint({ id: 10, code: `${'x'.repeat(300)}y`, frame_type: 0 }),
    ]);
    for (const id of [9, 10]) set(id, 1);
    await look();
    expect(other.got.map(({ about }) => about.code)).toEqual([`${'x'.repeat(300)}y`]);
  });

  it('whose other side is gone keeps what changes, tries again later each time, and then sends what waits and the present values', async () => {
    const { publisher, other, set, look, fail, clock } = await setUp();
    await look();
    fail();
    expect(publisher.state()).toMatchObject({ state: 'failing', failures: 1, error: LOST.said });
    set(1, 7);
    set(3, 8);
    await look();
    set(1, 9);
    await look();
    expect(publisher.state()).toMatchObject({ waiting: 3, lost: 0 });
    for (const [wait, failures] of [
      [1000, 2],
      [2000, 3],
      [5000, 4],
      [10_000, 5],
      [30_000, 6],
      [60_000, 7],
      [60_000, 8],
    ] as const) {
      await clock.advance(wait);
      expect(publisher.state().failures).toBe(failures);
    }
    other.isThere = true;
    await look(60_000);
    expect(brief(other.got.slice(3))).toEqual(['P1=7', 'P3=8', 'P1=9', 'P1=9', 'P2=0', 'P3=8']);
    expect(publisher.state()).toMatchObject({ state: 'running', error: null, waiting: 0 });
  });

  it('loses the oldest and counts them when more waits than may, and never grows beyond it', async () => {
    const { publisher, other, setAll, look, fail } = await setUp({ points: 15_000 });
    for (let count = 0; count < 30; count++) await look();
    expect(other.got).toHaveLength(15_000);
    fail();
    setAll(1);
    await look();
    setAll(2);
    await look();
    expect(publisher.state()).toMatchObject({ waiting: 20_000, lost: 10_000, sequence: 45_000 });
  });

  it('gives the present values of a large table only as they are taken', async () => {
    const other = new OtherSide();
    other.takes = 'silent';
    const { publisher, look } = await setUp({ points: 50_000 }, other);
    for (let count = 0; count < 5; count++) await look();
    expect(publisher.state()).toMatchObject({ lost: 0 });
    expect(publisher.state().waiting).toBeLessThanOrEqual(20_000 + other.underWay);
  });

  it('gives a connection up that takes nothing, and loses nothing of what was under way', async () => {
    const { publisher, other, set, look } = await setUp();
    await look();
    other.takes = 'silent';
    set(1, 7);
    await look();
    for (let count = 0; count < 30; count++) await look(1000);
    expect(publisher.state()).toMatchObject({ state: 'failing', waiting: 1, error: { code: 'publish.not_taken' } });
    expect(other.closed).toBe(1);
    other.takes = 'all';
    await look(1000);
    expect(brief(other.got.slice(3))).toEqual(['P1=7', 'P1=7', 'P2=0', 'P3=0']);
  });

  it('counts what the other side refuses as lost, and goes on', async () => {
    const other = new OtherSide();
    other.takes = 'refuses';
    const { publisher, set, look } = await setUp({}, other);
    await look();
    other.takes = 'all';
    set(1, 5);
    await look();
    expect([brief(other.got), publisher.state().lost, publisher.state().state]).toEqual([['P1=5'], 3, 'running']);
  });

  it('keeps the time between two parcels, and puts what came meanwhile into one', async () => {
    const other = new OtherSide();
    Object.assign(other, { batch: 500, underWay: 1, everyMs: 1000 });
    const { set, look } = await setUp({}, other);
    await look();
    set(1, 1);
    await look();
    set(2, 2);
    await look();
    expect(other.got).toHaveLength(3);
    await look(1000);
    expect(brief(other.got.slice(3))).toEqual(['P1=1', 'P2=2']);
  });

  it('sends a full parcel at once where its target takes it so', async () => {
    const other = new OtherSide();
    Object.assign(other, { batch: 3, underWay: 1, everyMs: 1000, isFullAtOnce: true });
    const { setAll, set, look } = await setUp({}, other);
    await look();
    setAll(1);
    await look();
    expect(other.got).toHaveLength(6);
    set(1, 2);
    await look();
    expect(other.got).toHaveLength(6);
    await look(1000);
    expect(brief(other.got.slice(6))).toEqual(['P1=2']);
  });

  it('counts as lost how many of a parcel were refused', async () => {
    const other = new OtherSide();
    Object.assign(other, { batch: 3, takes: 'in part' });
    const { publisher, look } = await setUp({}, other);
    await look();
    expect(publisher.state()).toMatchObject({ sent: 1, lost: 2, waiting: 0 });
  });

  it('comes back no sooner than it was asked to', async () => {
    const other = new OtherSide();
    other.takes = 'later';
    const { publisher, look, clock } = await setUp({}, other);
    await look();
    expect(publisher.state()).toMatchObject({ state: 'failing', failures: 1 });
    await clock.advance(44_900);
    expect(other.opened).toBe(1);
    other.takes = 'all';
    await look(100);
    expect(other.opened).toBe(2);
    await look();
    expect(new Set(brief(other.got))).toEqual(new Set(['P1=0', 'P2=0', 'P3=0']));
  });

  it('forgets a channel that is gone, and sends all of one that comes', async () => {
    const { other, look, channels, table } = await setUp();
    await look();
    const [one] = channels.splice(0);
    await look();
    channels.push({ ...one, settings: { name: 'Bay 2' }, points: table } as unknown as ChannelRuntime);
    await look();
    expect(other.got.slice(3).map(({ about }) => about.device)).toEqual(['Bay 2', 'Bay 2', 'Bay 2']);
  });

  it('that is closed while it connects drops the connection that comes late, and never tries again', async () => {
    const other = new OtherSide();
    const late = Promise.withResolvers<void>();
    const open = other.open.bind(other);
    other.open = async () => {
      await late.promise;
      return open();
    };
    const { publisher, clock } = await setUp({}, other);
    const closed = publisher.close();
    late.resolve();
    await closed;
    expect([other.opened, other.closed]).toEqual([1, 1]);
    await clock.advance(100_000);
    expect([other.opened, other.closed, clock.pending]).toEqual([1, 1, 0]);
  });

  it('is closed in its time when the other side neither opens, nor takes back, nor closes', async () => {
    const silent = new Promise<never>(() => {});
    const opening = new OtherSide();
    opening.open = () => silent;
    const first = await setUp({}, opening);
    const standing = new OtherSide();
    const open = standing.open.bind(standing);
    standing.open = async () => ({ ...(await open()), retire: () => silent, close: () => silent });
    const second = await setUp({}, standing);
    await second.look();
    for (const { publisher, clock } of [first, second]) {
      let isClosed = false;
      void publisher.close(true).then(() => {
        isClosed = true;
      });
      await clock.advance(1000);
      expect(isClosed).toBe(false);
      await clock.advance(15_000);
      expect([isClosed, clock.pending]).toEqual([true, 0]);
    }
  });

  it('opens no way before what was there before it has ended, and none when it is closed meanwhile', async () => {
    const ended = Promise.withResolvers<void>();
    const other = new OtherSide();
    const { publisher, look, set } = await setUp({}, other, { before: ended.promise });
    await look(5000);
    expect([other.opened, publisher.state().state]).toEqual([0, 'connecting']);
    set(1, 4);
    ended.resolve();
    await look();
    await look();
    expect([other.opened, brief(other.got).includes('P1=4')]).toEqual([1, true]);
    const never = await setUp({}, new OtherSide(), { before: new Promise(() => {}) });
    const closed = never.publisher.close();
    await never.clock.advance(5000);
    await closed;
    expect(never.other.opened).toBe(0);
  });

  it('opens no second way before the one that failed is closed', async () => {
    const { other, look, fail, clock } = await setUp();
    const slow = Promise.withResolvers<void>();
    const { open } = other;
    other.open = async () => {
      const link = await open.call(other);
      return { ...link, close: () => slow.promise.then(() => link.close()) };
    };
    fail();
    other.isThere = true;
    await look(1000);
    expect(other.opened).toBe(2);
    other.lose(LOST);
    await clock.advance(1900);
    expect(other.opened).toBe(2);
    slow.resolve();
    await clock.advance(200);
    expect(other.opened).toBe(3);
  });
});

describe('the events of a publisher', () => {
  it('tell once that its way broke, however often it is tried, and once that it is there again', async () => {
    const { other, set, look, fail, news, clock } = await setUp();
    await look();
    expect(news).toEqual([]);
    fail();
    set(1, 7);
    await look();
    await clock.advance(200_000);
    expect(news).toEqual(['Publishing Plant fails: The connection to mqtt://broker was lost.']);
    other.isThere = true;
    await look(60_000);
    expect(news.slice(1)).toEqual(['Publishing Plant goes on.']);
    fail();
    expect(news).toHaveLength(3);
  });

  it('tell of a target that was never there', async () => {
    const other = new OtherSide();
    other.isThere = false;
    const { look, news } = await setUp({}, other);
    await look();
    expect(news).toEqual(['Publishing Plant fails: The connection to mqtt://broker was lost.']);
  });

  it('tell of refused records at once, and of those that follow by the minute', async () => {
    const other = new OtherSide();
    other.takes = 'refuses';
    const { look, set, news } = await setUp({}, other);
    await look();
    await look();
    const refused = (count: number) => `Publishing Plant: records that the target refused for good: ${count}.`;
    expect(news).toEqual([refused(3)]);
    for (const value of [1, 2, 3, 4]) {
      set(1, value);
      await look(1000);
    }
    expect(news).toHaveLength(1);
    await look(60_000);
    expect(news.slice(1)).toEqual([refused(4)]);
    await look(60_000);
    expect(news).toHaveLength(2);
  });

  it('tell of records that gave way, and of the last ones when it ends', async () => {
    const { publisher, setAll, look, fail, news } = await setUp({ points: 15_000 });
    for (let count = 0; count < 30; count++) await look();
    fail();
    for (const value of [1, 2, 3]) {
      setAll(value);
      await look();
    }
    const gone = (count: number) => `Publishing Plant: records that gave way unsent: ${count}.`;
    expect(news.slice(1)).toEqual([gone(10_000)]);
    await publisher.close();
    expect(news.slice(2)).toEqual([gone(15_000)]);
  });
});
