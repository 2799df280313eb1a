import { describe, expect, it } from 'vitest';
import { type TableJob, TableJobBody, type TableJobRow } from '#shared/contract/table-job.ts';
import { FrameType } from '#shared/domain/enums.ts';
import { dlt645Driver } from '../../../drivers/dlt645/driver.ts';
import { modbusTcpDriver } from '../../../drivers/modbus/driver.ts';
import { encodeMbap } from '../../../drivers/modbus/link/mbap.ts';
import type { PointConfig } from '../../../drivers/spi/index.ts';
import type { StoredChannel } from '../../../persistence/repositories.ts';
import { type DeviceScript, JobBench } from '../testing/job-bench.ts';
import { metersOn } from '../testing/meter-bus.ts';
import { SerialBus } from '../testing/serial-bus.ts';

interface Asked {
  readonly unit: number;
  readonly functionCode: number;
  readonly addresses: readonly number[];
  /** Milliseconds since the start. */
  readonly at: number;
}

/** What a device does with a request: octets of its data, an exception, or nothing. */
type Answer = readonly number[] | { readonly exception: number } | null;

function device(answer: (asked: Asked) => Answer, delayMs: (asked: Asked) => number = () => 0): { script: DeviceScript; asked: Asked[] } {
  const asked: Asked[] = [];
  const script: DeviceScript = (peer, bytes, clock) => {
    if (bytes.length < 12) return;
    const at = (index: number) => ((bytes[index] ?? 0) << 8) | (bytes[index + 1] ?? 0);
    const request = {
      unit: bytes[6] ?? 0,
      functionCode: bytes[7] ?? 0,
      addresses: Array.from({ length: at(10) }, (_, index) => at(8) + index),
      at: clock.monotonicMs(),
    };
    asked.push(request);
    const data = answer(request);
    if (data === null) return;
    const pdu = 'exception' in data ? [request.functionCode | 0x80, data.exception] : [request.functionCode, data.length, ...data];
    const send = () => void peer.write(encodeMbap(at(0), request.unit, Uint8Array.from(pdu)));
    const wait = delayMs(request);
    if (wait > 0) clock.after(wait, send);
    else send();
  };
  return { script, asked };
}

const registers = (values: (address: number) => number) => (asked: Asked) =>
  asked.addresses.flatMap((address) => [values(address) >> 8, values(address) & 0xff]);
const plain = registers((address) => address);
/** Registers that hold what their octets say. */
const octets = (hex: string) => (asked: Asked) => {
  const all = hex.split(' ').map((each) => Number.parseInt(each, 16));
  return asked.addresses.flatMap((address) => all.slice(2 * address, 2 * address + 2));
};
const point = (code: string, address: number, changes: Partial<PointConfig> = {}) => ({ code, name: code, address, ...changes });

async function tried(
  { script, asked }: ReturnType<typeof device>,
  points: readonly Partial<PointConfig>[],
  request: Partial<TableJobBody> = {},
  settings: Partial<StoredChannel> = {},
) {
  const bench = new JobBench([modbusTcpDriver]);
  const channel = bench.client(await bench.device(script), points, settings);
  await channel.start();
  const job = bench.start('startTableJob', TableJobBody.parse({ channel_id: channel.id, ...request })) as TableJob;
  const context = { source: 'api', effect: 'query', warn() {} } as const;
  const rows = (show?: 'constant') => {
    const answer = bench.handlers.tableJobRows({ job_id: job.id, page: 1, page_size: 1000, show }, context);
    return (answer as { items: TableJobRow[] }).items;
  };
  return {
    bench,
    channel,
    asked,
    job,
    rows,
    ended: () => bench.ended(job),
    told: () => rows().map(({ code, outcome }) => `${code} ${outcome}`),
    csv: async () =>
      new TextDecoder().decode(((await bench.handlers.tableJobCsv({ job_id: job.id }, context)) as { bytes: Uint8Array }).bytes),
  };
}

describe('a table tried at its device', () => {
  it('tells what answers, and puts what was read into the table as a round does', async () => {
    const { channel, ended, told, rows } = await tried(device(plain), [point('A', 5), point('B', 6, { mul_coe: 0.1 })]);
    expect(await ended()).toMatchObject({
      state: 'done',
      points: 2,
      current: 2,
      total: 2,
      requests: 1,
      counts: { answers: 2, refused: 0 },
    });
    expect(told()).toEqual(['A answers', 'B answers']);
    expect(rows()[1]).toMatchObject({ value: 0.6, raw_hex: '0006', changed: null, detail: '', hint: '' });
    expect(channel.points.configs().map(({ id }) => channel.points.state(id)?.value)).toEqual([5, 0.6]);
  });

  it('tells what is refused in the words of the device, down to the address', async () => {
    const missing = (asked: Asked): Answer => (asked.addresses.includes(7) ? { exception: 2 } : plain(asked));
    const { ended, told, rows } = await tried(
      device(missing),
      [5, 6, 7, 8, 9].map((at) => point(`P${at}`, at)),
    );
    expect((await ended()).counts).toMatchObject({ answers: 4, refused: 1 });
    expect(told()).toEqual(['P5 answers', 'P6 answers', 'P7 refused', 'P8 answers', 'P9 answers']);
    expect(rows()[2]).toMatchObject({
      detail: expect.stringContaining('exception 2 (Illegal Data Address)'),
      detail_message: { code: 'modbus.refused' },
      value: null,
    });
  });

  it('a request that is left unanswered for the sake of one address is halved', async () => {
    const shy = (asked: Asked): Answer => (asked.addresses.includes(3) ? null : plain(asked));
    const { ended, told } = await tried(
      device(shy),
      Array.from({ length: 16 }, (_, at) => point(`P${at}`, at)),
    );
    const done = await ended();
    expect(done.counts).toMatchObject({ answers: 15, silent: 1 });
    expect(told()[3]).toBe('P3 silent');
    expect(done.requests).toBeLessThan(12);
  });

  it('a slave that says nothing is left after three requests, and the others are asked', async () => {
    const one = device((asked) => (asked.unit === 2 ? null : plain(asked)));
    const points = [1, 2, 3].flatMap((slave_id) =>
      Array.from({ length: 40 }, (_, at) => point(`S${slave_id}_${at}`, at * 5, { slave_id })),
    );
    const { ended, rows } = await tried(one, points);
    expect((await ended()).counts).toMatchObject({ answers: 80, silent: 40 });
    expect(one.asked.filter(({ unit }) => unit === 2)).toHaveLength(3);
    expect(rows()[79]).toMatchObject({ outcome: 'silent', detail_message: { code: 'jobs.table_given_up' } });
  });

  it('a late answer is no answer, and not that of the next question either', async () => {
    const late = device(plain, ({ addresses }) => (addresses.includes(10) ? 350 : 0));
    const { ended, rows } = await tried(late, [point('LATE', 10), point('NEXT', 30)]);
    await ended();
    expect(rows().map(({ outcome, value }) => [outcome, value])).toEqual([
      ['silent', null],
      ['answers', 30],
    ]);
  });

  it('an answer of half the length is none', async () => {
    const half = device((asked) => (asked.addresses.includes(10) ? plain(asked).slice(0, 2) : plain(asked)));
    const { ended, told } = await tried(half, [point('A', 10, { decode: '0x42' }), point('B', 40)]);
    await ended();
    expect(told()).toEqual(['A silent', 'B answers']);
  });

  it('only chosen slaves and types; what cannot be read is told and not asked; no function but reads goes out', async () => {
    const all = device((asked) => (asked.functionCode <= 2 ? [0] : plain(asked)));
    const points = [
      point('U', 1),
      point('K', 2, { frame_type: FrameType.yk, func_code: 5 }),
      point('SP', 3, { frame_type: FrameType.yt, func_code: 6 }),
      point('FAR', 70_000),
      point('OTHER', 1, { slave_id: 9 }),
    ];
    const { bench, ended, told } = await tried(all, points, { slave_ids: [1] });
    await ended();
    expect(told()).toEqual(['U answers', 'K answers', 'SP answers', 'FAR not_asked']);
    expect(bench.functionsOnWire()).toEqual([1, 3]);
    const typed = await tried(device(plain), points, { point_types: [3] });
    expect((await typed.ended()).points).toBe(1);
  });

  it('keeps what it found when it is cancelled, and when the connection ends', async () => {
    const slow = () => device(plain, () => 100);
    const points = Array.from({ length: 20 }, (_, at) => point(`P${at}`, at * 5));
    const cancelled = await tried(slow(), points);
    await cancelled.bench.clock.advance(450);
    const answer = cancelled.bench.board.cancel(cancelled.job.id);
    await cancelled.bench.clock.advance(300);
    const done = (await answer) as TableJob;
    expect(done.state).toBe('cancelled');
    expect(done.counts.answers).toBe(done.current);
    expect(cancelled.rows().at(-1)?.outcome).toBeNull();
    const stopped = await tried(slow(), points);
    await stopped.bench.clock.advance(250);
    const stopping = stopped.channel.stop();
    await stopped.bench.clock.advance(1000);
    await stopping;
    const failed = stopped.bench.status(stopped.job.id) as TableJob;
    expect(failed.state).toBe('failed');
    expect(failed.counts.answers).toBeGreaterThan(1);
    expect(stopped.rows().at(-1)?.outcome).toBeNull();
  });

  it('a point that is edited meanwhile gets no value of the place it had', async () => {
    const { bench, channel, ended } = await tried(
      device(plain, () => 100),
      [point('A', 5), point('B', 30)],
    );
    await bench.clock.advance(50);
    const [a] = channel.points.configs();
    if (a) channel.points.update({ ...a, address: 99 });
    await ended();
    expect(channel.points.state(a?.id ?? 0)?.quality).toBe('never');
  });

  it('is written as a file', async () => {
    const { ended, csv } = await tried(device(plain), [point('A', 5), point('=B', 6)]);
    await ended();
    const lines = (await csv()).split('\r\n');
    expect(lines[0]).toContain('point_type,code,name,slave_id,address,reference,outcome');
    expect(lines[1]).toBe('0,A,A,1,5,,answers,,5,,0005,,');
    expect(lines[2]).toContain("'=B");
  });
});

describe('watched for a change', () => {
  it('points that keep one value are told as constant; those that changed are not read any more', async () => {
    let count = 0;
    const moving = device((asked) => {
      count += 1;
      return asked.addresses.includes(90) ? { exception: 2 } : registers((address) => (address === 40 ? count : 7))(asked);
    });
    const points = [point('STILL', 5), point('MOVES', 40), point('GONE', 90)];
    const { ended, rows, bench } = await tried(moving, points, { watch_s: 10, interval_ms: 2000 });
    const done = await ended();
    expect(done).toMatchObject({ watched_ms: 10_000, counts: { changed: 1, constant: 1, refused: 1 }, current: 13, total: 13 });
    expect(rows().map(({ code, changed }) => [code, changed])).toEqual([
      ['STILL', false],
      ['MOVES', true],
      ['GONE', null],
    ]);
    expect(rows('constant').map(({ code }) => code)).toEqual(['STILL']);
    // once each, then looks at 2, 4, 6, 8 and 10 s
    expect(moving.asked.filter(({ addresses }) => addresses.includes(5))).toHaveLength(6);
    expect(moving.asked.filter(({ addresses }) => addresses.includes(40))).toHaveLength(2);
    // what the device refused is not asked again
    expect(moving.asked.filter(({ addresses }) => addresses.includes(90))).toHaveLength(1);
    expect(bench.clock.monotonicMs()).toBeLessThan(12_000);
  });

  it('a value that went away and came back did change; a look without an answer says nothing', async () => {
    const blip = device((asked) =>
      asked.at > 3500 && asked.at < 4500 ? registers(() => 9)(asked) : asked.at > 5500 && asked.at < 6500 ? null : plain(asked),
    );
    const { ended, rows } = await tried(blip, [point('A', 5)], { watch_s: 8 });
    await ended();
    expect(rows()[0]).toMatchObject({ changed: true });
    const gap = device((asked) => (asked.at > 3500 && asked.at < 4500 ? null : plain(asked)));
    const silent = await tried(gap, [point('A', 5)], { watch_s: 8 });
    expect((await silent.ended()).counts).toMatchObject({ constant: 1, changed: 0, answers: 1 });
  });

  it('ends at once when it is cancelled', async () => {
    const { bench, job } = await tried(device(plain), [point('A', 5)], { watch_s: 3600 });
    await bench.clock.advance(5500);
    const answer = bench.board.cancel(job.id);
    await bench.clock.advance(10);
    expect(await answer).toMatchObject({ state: 'cancelled', counts: { constant: 1 } });
  });
});

describe('suppositions', () => {
  const floats = (decode: string) => [0, 2, 4].map((address) => point(`F${address}`, address, { decode }));

  it('another order, and another type, where all values of a kind would look right with it', async () => {
    // 230.5, 50.02 and 12.4 as CDAB on the wire
    const words = octets('80 00 43 66 14 7B 42 48 66 66 41 46');
    const order = await tried(device(words), floats('0x42'));
    expect((await order.ended()).counts.hints).toBe(3);
    expect(order.rows()[0]?.hint).toMatch(/^Read as 0x42 float32 ABCD it is -?\d.*e-\d+; as 0x45 float32 CDAB it would be 230.5\.$/);
    const type = await tried(device(words), floats('0x41'));
    await type.ended();
    expect(type.rows().map(({ hint }) => hint.includes('as 0x45 float32 CDAB it would be'))).toEqual([true, true, true]);
  });

  it('what else registers may hold, told as tables show it', async () => {
    const digits = await tried(device(octets('12 34 56 78 09 87 65 43 11 22 33 44')), floats('0x40'));
    await digits.ended();
    expect(digits.rows()[0]?.hint).toBe('Read as 0x40 uint32 ABCD it is 305419896; as bcd ABCD it would be 12345678.');
    const number = point('B', 0, { decode: '0x40', protocol: { kind: 'bcd' } });
    const none = await tried(device(octets('00 01 0A BC')), [number]);
    await none.ended();
    expect(none.rows()[0]?.hint).toBe('Read as bcd ABCD it is no number; as 0x40 uint32 ABCD it would be 68284.');
    const text = await tried(device(octets('4C 6F 6F 70')), [point('T', 0, { decode: '0x40', protocol: { kind: 'text', registers: 2 } })]);
    expect((await text.ended()).counts.hints).toBe(0);
  });

  it('none where values look right, are zero, or nothing makes all of them right', async () => {
    const right = await tried(device(octets('43 66 80 00 42 48 14 7B 00 00 00 00')), floats('0x42'));
    expect((await right.ended()).counts.hints).toBe(0);
    const noise = await tried(device(octets('7F C0 00 00 FF FF FF FF 12 34 56 78')), floats('0x42'));
    expect((await noise.ended()).counts.hints).toBe(0);
  });

  it('the base of the addresses, from what is refused', async () => {
    const printed = device(() => ({ exception: 2 }));
    const { ended } = await tried(printed, [point('A', 40_001), point('B', 40_010)]);
    expect((await ended()).notes.map(({ code }) => code)).toEqual(['TABLE_BASE']);
  });
});

describe('refusals', () => {
  it('of stopped channels, of those that serve, of empty tables', async () => {
    const bench = new JobBench([modbusTcpDriver]);
    const start = (id: number) => () => bench.start('startTableJob', TableJobBody.parse({ channel_id: id }));
    expect(start(bench.client(9, [point('A', 1)]).id)).toThrow('start it first');
    expect(start(bench.client(9, []).id)).toThrow();
    expect(start(bench.client(9, [point('A', 1)], { conn_type: 1 }).id)).toThrow();
    expect(start(99)).toThrow();
  });
});

describe('a line of meters', () => {
  const SERIAL = { protocol_type: 4, conn_type: 0, com_port: 'COM3', baud_rate: 2400, parity: 'E' } as const;
  const METER = 202_611_000_001;
  const item = (code: string, slave_id: number, address: number) => ({ code, slave_id, address, decode: '', func_code: null });

  it('tells what each meter has, refuses and leaves unanswered', async () => {
    let bus: SerialBus | null = null;
    const bench: JobBench = new JobBench([dlt645Driver], (line) => {
      if (!bus) throw new Error('no bus');
      return bus.connector(line);
    });
    bus = new SerialBus({ clock: bench.clock, baudRate: 2400, format: '8E1', respond: metersOn(bench.clock, [{ number: METER }]) });
    const points = [
      item('E', METER, 0x00010000),
      item('U', METER, 0x02010100),
      { ...item('NONE', METER, 0x04ff_ff01), protocol: { format: 'NNNN' } },
      item('GONE', 77, 0x00010000),
    ];
    const channel = bench.client(8899, points, SERIAL);
    const starting = channel.start();
    await bench.clock.advance(1000);
    await starting;
    const job = bench.start('startTableJob', TableJobBody.parse({ channel_id: channel.id })) as TableJob;
    const done = await bench.ended(job);
    expect(done).toMatchObject({ state: 'done', counts: { answers: 2, refused: 1, silent: 1 } });
    const context = { source: 'api', effect: 'query', warn() {} } as const;
    const { items } = bench.handlers.tableJobRows({ job_id: job.id, page: 1, page_size: 10 }, context) as { items: TableJobRow[] };
    expect(items.map(({ code, outcome }) => `${code} ${outcome}`)).toEqual(['E answers', 'U answers', 'NONE refused', 'GONE silent']);
    const controls = bench.wire.map((sent) => sent[sent.indexOf(0x68) + 8]);
    expect(new Set(controls)).toEqual(new Set([0x11]));
  });
});
