import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ScanBody, type ScanJob } from '#shared/contract/jobs.ts';
import { modbusTcpDriver } from '../../../drivers/modbus/driver.ts';
import { encodeMbap } from '../../../drivers/modbus/link/mbap.ts';
import { type DeviceScript, JobBench } from '../testing/job-bench.ts';

interface Registers {
  readonly present: (address: number) => boolean;
  readonly functions?: readonly number[];
  /** Requests for more are refused with exception 3. */
  readonly largest?: number;
}

const registerAt = (address: number) => (address * 7) & 0xffff;

/** A device with some registers; every request is counted. */
function device({ present, functions = [3], largest = 2000 }: Registers): DeviceScript {
  return (peer, bytes) => {
    if (bytes.length < 12) return;
    const [functionCode = 0, start, quantity] = [
      bytes[7],
      ((bytes[8] ?? 0) << 8) | (bytes[9] ?? 0),
      ((bytes[10] ?? 0) << 8) | (bytes[11] ?? 0),
    ];
    const reply = (pdu: Uint8Array) => void peer.write(encodeMbap(((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0), bytes[6] ?? 0, pdu));
    const addresses = Array.from({ length: quantity }, (_, index) => start + index);
    if (!functions.includes(functionCode)) reply(Uint8Array.of(functionCode | 0x80, 1));
    else if (quantity > largest) reply(Uint8Array.of(functionCode | 0x80, 3));
    else if (!addresses.every(present)) reply(Uint8Array.of(functionCode | 0x80, 2));
    else if (functionCode <= 2) reply(Uint8Array.from([functionCode, (quantity + 7) >> 3, ...bits(addresses)]));
    else
      reply(
        Uint8Array.from([
          functionCode,
          2 * quantity,
          ...addresses.flatMap((address) => [registerAt(address) >> 8, registerAt(address) & 0xff]),
        ]),
      );
  };
}

function bits(addresses: readonly number[]): number[] {
  const octets = Array.from({ length: (addresses.length + 7) >> 3 }, () => 0);
  for (const [index, address] of addresses.entries()) octets[index >> 3] = (octets[index >> 3] ?? 0) | ((address & 1) << (index & 7));
  return octets;
}

/** A device that takes 50 ms for every answer. */
const slow: DeviceScript = (peer, bytes, clock) => void clock.after(50, () => device({ present: () => true })(peer, bytes, clock));

async function scan(script: DeviceScript, request: Partial<ScanBody>) {
  const bench = new JobBench([modbusTcpDriver]);
  const channel = bench.client(await bench.device(script), [], { address_base: 1 });
  await channel.start();
  const job = bench.start('startScan', ScanBody.parse({ channel_id: channel.id, ...request })) as ScanJob;
  return {
    bench,
    channel,
    job,
    rows: (page = 1, page_size = 10_000) => bench.handlers.scanRows({ job_id: job.id, page, page_size }, context),
  };
}

const context = { source: 'api', effect: 'query', warn() {} } as const;

type Rows = { readonly total: number; readonly items: readonly { readonly address: number; readonly value: number }[] };

describe('a scan', () => {
  it('finds every register there is, tells the ranges, and halves only what is refused', async () => {
    const { bench, job, rows } = await scan(device({ present: (address) => address >= 10 && address < 300 && address !== 100 }), {
      start: 0,
      quantity: 400,
    });
    const done = await bench.ended(job);
    expect([done.state, done.current, done.total, done.found]).toEqual(['done', 400, 400, 289]);
    expect(done.findings.map(({ start, quantity, outcome }) => [start, quantity, outcome])).toEqual([
      [0, 10, 'refused'],
      [10, 90, 'values'],
      [100, 1, 'refused'],
      [101, 199, 'values'],
      [300, 100, 'refused'],
    ]);
    expect((rows() as Rows).items.every(({ address, value }) => value === registerAt(address))).toBe(true);
    expect(bench.functionsOnWire()).toEqual([3]);
  });

  it('asks an empty range in blocks no smaller than it was told', async () => {
    const { bench, job } = await scan(device({ present: () => false }), { quantity: 1000, smallest_block: 25 });
    const done = await bench.ended(job);
    expect(done.requests).toBeLessThan(130);
    expect(done.findings).toMatchObject([
      {
        func_code: 3,
        start: 0,
        quantity: 1000,
        outcome: 'refused',
        detail: 'exception 2 (Illegal Data Address)',
        detail_message: { code: 'modbus.exception' },
      },
    ]);
  });

  it('goes on with smaller blocks where the device limits them', async () => {
    const { bench, job } = await scan(device({ present: () => true, largest: 32 }), { quantity: 125 });
    expect(await bench.ended(job)).toMatchObject({ found: 125, requests: 7 });
  });

  it('leaves a function that the device has not after one request', async () => {
    const { bench, job, rows } = await scan(device({ present: () => true, functions: [1, 3] }), {
      func_codes: [4, 3, 1, 3],
      quantity: 200,
    });
    const done = await bench.ended(job);
    expect(done.func_codes).toEqual([3, 4, 1]);
    expect(done.findings.map((range) => [range.func_code, range.outcome, range.quantity])).toEqual([
      [3, 'values', 200],
      [4, 'refused', 200],
      [1, 'values', 200],
    ]);
    expect(done).toMatchObject({ current: 600, total: 600, found: 400, requests: 4 });
    expect(rows(2, 300)).toMatchObject({ total: 400, items: { length: 100 } });
    expect((rows() as Rows).items.at(-1)).toEqual({ func_code: 1, address: 199, point_address: 200, hex: '1', value: 1 });
  });

  it('marks what stays without an answer, and gives up when nothing is answered any more', async () => {
    const answer = device({ present: () => true });
    const { bench, job } = await scan((peer, bytes, clock) => (bytes[9] === 10 ? undefined : answer(peer, bytes, clock)), {
      quantity: 30,
      block: 10,
    });
    expect((await bench.ended(job)).findings.map((range) => range.outcome)).toEqual(['values', 'silent', 'values']);
    const { bench: other, job: silent } = await scan(() => undefined, { quantity: 1000, block: 10 });
    expect(await other.ended(silent)).toMatchObject({
      state: 'failed',
      requests: 5,
      last_error: expect.stringContaining('5 requests in a row'),
    });
  });

  it('lets a single read through after one exchange', async () => {
    const { bench, channel, job } = await scan(slow, { quantity: 5000, block: 10 });
    await bench.clock.advance(120);
    const read = channel.diagnose(async (connection, ctx) => connection.diagnostics?.probe(1, ctx), new AbortController().signal);
    await bench.clock.advance(110);
    expect(await read).toEqual({ kind: 'value', detail: null });
    expect(bench.status(job.id).state).toBe('running');
    const closed = bench.board.close();
    await bench.clock.advance(100);
    await closed;
  });

  it('fails when its channel is stopped', async () => {
    const { bench, channel, job } = await scan(() => undefined, { quantity: 5000 });
    await bench.clock.advance(10);
    const stopping = channel.stop();
    await bench.clock.advance(1000);
    await stopping;
    expect(bench.status(job.id)).toMatchObject({ state: 'failed' });
  });

  it.each([0, 60, 250])('a cancel after %i ms keeps the values', async (ms) => {
    const { bench, job } = await scan(slow, {
      quantity: 5000,
      block: 10,
    });
    await bench.clock.advance(ms);
    const answer = bench.board.cancel(job.id);
    await bench.clock.advance(300);
    const cancelled = (await answer) as ScanJob;
    expect(cancelled.state).toBe('cancelled');
    expect(cancelled.found).toBe(cancelled.current);
  });
});

describe('its file', () => {
  it('has one line an address with the readings of the pair that begins there', async () => {
    const { bench, job } = await scan(device({ present: (address) => address === 0 || address === 1 || address === 5 }), { quantity: 6 });
    await bench.ended(job);
    const file = bench.handlers.scanCsv({ job_id: job.id }, context) as { bytes: Uint8Array; name: string };
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(file.bytes);
    expect(text.split('\r\n')).toEqual([
      '\uFEFFfunction,address,address_hex,hex,uint16,int16,uint32_ABCD,uint32_CDAB,float32_ABCD,float32_CDAB,binary',
      '3,0,0x0000,0000,0,0,7,458752,9.809089e-45,6.428485e-40,0000000000000000',
      '3,1,0x0001,0007,7,7,,,,,0000000000000111',
      '3,5,0x0005,0023,35,35,,,,,0000000000100011',
      '',
    ]);
    expect(file.name).toBe('Channel 1 slave 1.csv');
  });
});

describe('refusals', () => {
  it('of stopped channels, unknown functions and ranges beyond the end', async () => {
    const bench = new JobBench([modbusTcpDriver]);
    const channel = bench.client(9);
    const start = (request: object) => () => bench.start('startScan', ScanBody.parse({ channel_id: channel.id, ...request }));
    expect(start({})).toThrow('start it first');
    expect(start({ func_codes: [6] })).toThrow('cannot be scanned');
    expect(start({ start: 65_000, quantity: 1000 })).toThrow('addresses end at 65535');
  });
});

it('whatever is there is found, with no request over an address twice when nothing is refused', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.integer({ min: 0, max: 299 }), { maxLength: 40 }),
      fc.integer({ min: 1, max: 125 }),
      async (holes, block) => {
        const missing = new Set(holes);
        const { bench, job, rows } = await scan(device({ present: (address) => !missing.has(address) }), { quantity: 300, block });
        const done = await bench.ended(job, 500);
        expect(done.found).toBe(300 - missing.size);
        expect((rows() as Rows).items.map((row) => row.address)).toEqual(
          Array.from({ length: 300 }, (_, at) => at).filter((at) => !missing.has(at)),
        );
        expect(done.findings.reduce((sum, range) => sum + range.quantity, 0)).toBe(300);
        if (missing.size === 0) expect(done.requests).toBe(Math.ceil(300 / block));
      },
    ),
    { numRuns: 40 },
  );
});
