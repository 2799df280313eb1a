import { beforeEach, describe, expect, it } from 'vitest';
import type { FrameEntry } from '#shared/contract/frames.ts';
import { FrameType } from '#shared/domain/enums.ts';
import { modbusTcpDriver } from '../drivers/modbus/driver.ts';
import { point } from '../runtime/testing/harness.ts';
import type { ChannelRuntime } from '../runtime/types.ts';
import { frameHandlers, framesOfPoints } from './frames.ts';
import type { CallContext } from './handlers.ts';
import { JobBench } from './jobs/testing/job-bench.ts';

let bench: JobBench;
let channel: ChannelRuntime;
let handlers: ReturnType<typeof frameHandlers>;
/** Called when the caller goes away. */
let leave: () => void;
beforeEach(() => {
  bench = new JobBench([modbusTcpDriver]);
  channel = bench.client(502, [
    { code: 'A', address: 10 },
    { code: 'B', address: 11 },
    { code: 'S', address: 500, frame_type: FrameType.yt, func_code: 6 },
  ]);
  handlers = frameHandlers(bench.deps);
  leave = () => {};
});

const context: CallContext<'query'> = {
  source: 'api',
  effect: 'query',
  warn() {},
  whenGone(call) {
    leave = call;
  },
};
const line = { connection: 1, peer: '192.0.2.1:502' };

/** A request of registers with its answer; answers the number of the request. */
function exchange(address: number, count = 1): number {
  const seq = request(address, count);
  const values = Array.from({ length: count }, () => '00 07').join(' ');
  const head = `00 01 00 00 00 ${hex(3 + 2 * count)} 01 03 ${hex(2 * count)}`;
  channel.frames.record({ kind: 'rx', bytes: octets(`${head} ${values}`), link: seq, ...line });
  return seq;
}
function request(address: number, count = 1): number {
  const at = `${hex(address >> 8)} ${hex(address & 255)}`;
  return channel.frames.record({ kind: 'tx', bytes: octets(`00 01 00 00 00 06 01 03 ${at} 00 ${hex(count)}`), ...line });
}
const hex = (octet: number) => octet.toString(16).padStart(2, '0');
const octets = (text: string) => Uint8Array.from(text.split(' '), (each) => Number.parseInt(each, 16));
const seqs = ({ items }: { readonly items: readonly FrameEntry[] }) => items.map(({ seq }) => seq);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
const numberOf = (code: string) => channel.points.byCode(code) ?? expect.fail(`no ${code}`);

type Asked = Omit<Parameters<typeof handlers.listFrames>[0], 'channel_id'>;
type Listed = { items: FrameEntry[]; first_seq: number; last_seq: number; looked_to: number; dropped: number };
const list = async (asked: Partial<Asked> = {}) => (await handlers.listFrames({ channel_id: 1, ...asked } as never, context)) as Listed;

describe('the list of frames', () => {
  it('has the newest 200 of a log, oldest first, and says which ones there are', async () => {
    for (let count = 0; count < 150; count++) exchange(10);
    const listed = await list();
    expect(seqs(listed)).toEqual(range(101, 300));
    expect(listed).toMatchObject({ first_seq: 1, last_seq: 300, looked_to: 300, dropped: 0 });
    expect(listed.items.slice(-2)).toMatchObject([
      { kind: 'tx', answer: 300, link: null, length: 12 },
      { kind: 'rx', answer: null, link: 299, latency_ms: 0 },
    ]);
  });

  it('goes on behind a place and in front of one, with so many as are asked for', async () => {
    for (let count = 0; count < 10; count++) exchange(10);
    expect(seqs(await list({ after_seq: 4, limit: 3 }))).toEqual([5, 6, 7]);
    expect(seqs(await list({ before_seq: 4, limit: 2 }))).toEqual([2, 3]);
    expect((await list({ after_seq: 4, limit: 3 })).looked_to).toBe(7);
    expect((await list({ after_seq: 20 })).looked_to).toBe(20);
    expect(await list({ after_seq: 25 }), 'a place that is not reached yet').toMatchObject({ items: [], looked_to: 25 });
  });

  it('of an empty log is empty', async () => {
    expect(await list()).toEqual({ items: [], first_seq: 1, last_seq: 0, looked_to: 0, dropped: 0 });
    await expect(list({ channel_id: 9 } as never)).rejects.toMatchObject({ code: 'CONFIG_NOT_FOUND' });
  });
});

describe('the list of frames that pass a filter', () => {
  beforeEach(() => {
    for (let count = 0; count < 6; count++) exchange(count % 2 === 0 ? 10 : 500);
  });

  it('has the newest of them, in front of a place where one is given', async () => {
    const filter = 'dir == tx';
    expect(seqs(await list({ filter }))).toEqual([1, 3, 5, 7, 9, 11]);
    expect(seqs(await list({ filter, limit: 2 }))).toEqual([9, 11]);
    const before = await list({ filter, limit: 2, before_seq: 9 });
    expect([seqs(before), before.looked_to]).toEqual([[5, 7], 8]);
    expect(await list({ filter: 'seq == 99' })).toMatchObject({ items: [], looked_to: 12, last_seq: 12 });
  });

  it('has the first of them behind a place, and says how far it looked', async () => {
    const filter = 'address == 10 and dir == tx';
    const first = await list({ filter, after_seq: 0, limit: 2 });
    expect([seqs(first), first.looked_to]).toEqual([[1, 5], 5]);
    const rest = await list({ filter, after_seq: first.looked_to, limit: 2 });
    expect([seqs(rest), rest.looked_to]).toEqual([[9], 12]);
    const none = await list({ filter, after_seq: 0, before_seq: 1 });
    expect([seqs(none), none.looked_to]).toEqual([[], 0]);
    expect(seqs(await list({ filter: 'dir == tx', after_seq: 0, before_seq: 3 }))).toEqual([1]);
  });

  it('looks at no entry that gave way', async () => {
    channel.frames.clear();
    exchange(10);
    expect(seqs(await list({ filter: 'dir == rx', after_seq: 0 }))).toEqual([14]);
    expect(seqs(await list({ filter: 'dir == rx' }))).toEqual([14]);
  });

  it('ends when nobody waits for it any more', async () => {
    for (const after_seq of [undefined, 0]) {
      const listed = list({ filter: 'dir == rx', ...(after_seq === undefined ? {} : { after_seq }) });
      await Promise.resolve();
      leave();
      await expect(listed).rejects.toMatchObject({ code: 'CANCELLED' });
    }
  });

  it('is refused one that is wrong', async () => {
    await expect(list({ filter: 'dir ==' })).rejects.toMatchObject({ status: 422, data: [{ path: 'filter' }] });
  });
});

describe('the frames of a point', () => {
  const framesOf = async (code: string, limit?: number) => {
    const asked = { channel_id: 1, point_id: numberOf(code), frame_type: FrameType.yc, ...(limit === undefined ? {} : { limit }) };
    return seqs((await handlers.pointFrames(asked, context)) as { items: FrameEntry[] });
  };

  it('are its requests and answers alone, the newest ten, oldest first', async () => {
    const other = exchange(500);
    for (let count = 0; count < 6; count++) {
      exchange(10, 2);
      exchange(11);
    }
    expect(other).toBe(1);
    expect(await framesOf('A')).toEqual([7, 8, 11, 12, 15, 16, 19, 20, 23, 24]);
    expect(await framesOf('A', 3)).toEqual([20, 23, 24]);
    expect(await framesOf('B', 200)).toEqual(range(3, 26));
  });

  it('are looked for among the last 2000 entries', async () => {
    exchange(10);
    for (let count = 0; count < 999; count++) exchange(500);
    expect(await framesOf('A')).toEqual([1, 2]);
    request(500);
    expect(await framesOf('A')).toEqual([2]);
    request(500);
    expect(await framesOf('A')).toEqual([]);
  });

  it('of noise and of events are none', async () => {
    channel.frames.record({ kind: 'noise', bytes: octets('00 01 00 00 00 06 01 03 00 0a 00 01'), ...line });
    channel.frames.event('opened', '', 1, line.peer);
    expect(await framesOf('A')).toEqual([]);
  });

  it('are refused for a point of another type', async () => {
    await expect(framesOf('S')).rejects.toMatchObject({ code: 'CONFIG_NOT_FOUND' });
  });

  it('are found for many points in one pass, those behind a place, so many of each', async () => {
    exchange(10, 2);
    exchange(11);
    exchange(10, 2);
    const points = channel.points.configs();
    const found = await framesOfPoints(channel, points, 0, 3);
    const told = (all: typeof found) => [...all].map(([id, entries]) => [channel.points.config(id)?.code, entries.map(({ seq }) => seq)]);
    expect(told(found)).toEqual([
      ['A', [2, 5, 6]],
      ['B', [4, 5, 6]],
    ]);
    expect(told(await framesOfPoints(channel, points, 4, 3))).toEqual([
      ['A', [5, 6]],
      ['B', [5, 6]],
    ]);
    expect(found.get(numberOf('A'))?.[0]).toMatchObject({ kind: 'rx', hex: '00 01 00 00 00 07 01 03 04 00 07 00 07' });
  });
});

describe('the points of a frame', () => {
  const pointsOf = async (seq: number) =>
    (await handlers.framePoints({ channel_id: 1, seq }, context)) as { total: number; items: { point_id: number }[] };

  it('are those that it asks for or carries', async () => {
    const seq = exchange(10, 2);
    const [a, b] = channel.points.configs().map(({ id, frame_type, code, name }) => ({ point_id: id, frame_type, code, name }));
    for (const frame of [seq, seq + 1]) expect(await pointsOf(frame)).toEqual({ total: 2, items: [a, b] });
    expect(await pointsOf(request(11))).toEqual({ total: 1, items: [b] });
    expect(await pointsOf(channel.frames.event('opened', '', 1, line.peer))).toEqual({ total: 0, items: [] });
  });

  it('are told up to 200, and counted all', async () => {
    channel.points.add(range(5001, 5450).map((id) => point(id, { address: 20, decode: '0x20' })));
    const { total, items } = await pointsOf(exchange(20));
    expect([total, items.length]).toEqual([450, 200]);
    expect(items.map(({ point_id }) => point_id)).toEqual(range(5001, 5200));
  });

  it('of a frame that is not there are refused, with those that are', async () => {
    exchange(10);
    channel.frames.clear();
    exchange(10);
    await expect(pointsOf(1)).rejects.toMatchObject({
      code: 'CONFIG_NOT_FOUND',
      said: { params: { channel: 'Channel 1', seq: 1, first: 3, last: 4 } },
    });
  });
});

describe('one frame', () => {
  const explained = (seq: number) =>
    handlers.explainFrame({ channel_id: 1, seq }, context) as { entry: FrameEntry; nodes: { name: string }[] };

  it('is explained octet by octet, with its answer', () => {
    const seq = exchange(10);
    const { entry, nodes } = explained(seq);
    expect(entry).toMatchObject({ seq, answer: seq + 1, hex: '00 01 00 00 00 06 01 03 00 0A 00 01', text: expect.stringContaining('10') });
    expect(nodes.length).toBeGreaterThan(0);
  });

  it('that is an event has its words and no octets', () => {
    const seq = channel.frames.event('closed', 'gone', 1, line.peer);
    expect(explained(seq)).toMatchObject({ entry: { kind: 'closed', hex: '', text: 'gone' }, nodes: [] });
  });
});

it('a log that is cleared says how many entries went, and counts on', async () => {
  exchange(10);
  expect(handlers.clearFrames({ channel_id: 1 }, { ...context, effect: 'repeatable' })).toEqual({ cleared: 2 });
  expect(await list()).toMatchObject({ items: [], first_seq: 3, last_seq: 2, dropped: 0 });
});

it('statistics are those of the frames that pass, and end when nobody waits', async () => {
  exchange(10);
  exchange(500);
  request(10);
  const rows = async (filter?: string) => {
    const { items } = (await handlers.frameStatistics({ channel_id: 1, filter }, context)) as { items: Record<string, unknown>[] };
    return items.map(({ slave, function: code, frames, requests, unanswered }) => ({ slave, code, frames, requests, unanswered }));
  };
  expect(await rows()).toEqual([{ slave: 1, code: 3, frames: 5, requests: 3, unanswered: 1 }]);
  expect(await rows('address == 500')).toEqual([{ slave: 1, code: 3, frames: 2, requests: 1, unanswered: 0 }]);
  const asked = rows('dir == tx');
  await Promise.resolve();
  leave();
  await expect(asked).rejects.toMatchObject({ code: 'CANCELLED' });
});
