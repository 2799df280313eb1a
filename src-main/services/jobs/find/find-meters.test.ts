import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FindBody, type FindJob } from '#shared/contract/jobs.ts';
import { encodeAddress } from '../../../drivers/dlt645/codec/address.ts';
import { encodeFrame } from '../../../drivers/dlt645/codec/frame.ts';
import { dlt645Driver } from '../../../drivers/dlt645/driver.ts';
import { JobBench } from '../testing/job-bench.ts';
import { type BusMeter, metersOn } from '../testing/meter-bus.ts';
import { type BusOptions, SerialBus } from '../testing/serial-bus.ts';

interface Line extends Partial<Omit<BusOptions, 'clock'>> {
  readonly meters: readonly BusMeter[];
  readonly isAligned?: boolean;
}

function search({ meters, isAligned, ...options }: Line, request: Partial<FindBody> = {}, baudRate = 2400) {
  let bus: SerialBus | null = null;
  const bench: JobBench = new JobBench([dlt645Driver], (line) => {
    if (!bus) throw new Error('no bus');
    return bus.connector(line);
  });
  const made = new SerialBus({
    clock: bench.clock,
    baudRate,
    format: '8E1',
    respond: metersOn(bench.clock, meters, isAligned),
    ...options,
  });
  bus = made;
  const body = FindBody.parse({ protocol_type: 4, com_port: 'COM3', listen_ms: 100, timeout_ms: 100, ...request });
  const start = () => bench.find(body);
  const ended = async () => {
    const job = await bench.ended(await start(), 500);
    expect([job.state, job.last_error, made.isOpen]).toEqual(['done', null, false]);
    // reads of both editions, nothing else
    const controls = bench.wire.map((octets) => octets[octets.indexOf(0x68) + 8]);
    expect([...new Set(controls)].filter((control) => control !== 0x11 && control !== 0x01)).toEqual([]);
    return job;
  };
  return { bench, bus: made, start, ended };
}

const numbersOf = (job: FindJob) => job.findings.map((device) => device.slave_id).toSorted((a, b) => a - b);
/** Questions to a number without open pairs. */
const wholeNumbers = ({ wire }: JobBench) => wire.filter((octets) => !octets.includes(0xaa)).map((octets) => octets.join());
const codesOf = (job: FindJob) => [...new Set(job.notes.map((note) => note.code))];

describe('every line of meters', () => {
  it('is found whole, whatever the numbers', async () => {
    const meter = fc.record({
      number: fc.oneof(fc.integer({ min: 0, max: 30 }), fc.bigInt(0n, 999_999_999_998n).map(Number)),
      edition: fc.constantFrom(2007 as const, 1997 as const),
      delayMs: fc.constantFrom(20, 20, 35, 90),
    });
    const lines = fc.uniqueArray(meter, { minLength: 1, maxLength: 6, selector: ({ number }) => number });
    await fc.assert(
      fc.asyncProperty(lines, async (meters) => {
        const job = await search({ meters }, { baud_rates: [9600], identify: false }, 9600).ended();
        expect(numbersOf(job)).toEqual(meters.map(({ number }) => number).toSorted((a, b) => a - b));
      }),
      { numRuns: 60 },
    );
  });
});

describe('a search for meters', () => {
  it('finds the only meter of a line with two questions, its settings, its model, and points to begin with', async () => {
    const { bench, bus, ended } = search({ meters: [{ number: 202_611_000_001 }] });
    const job = await ended();
    expect(job.findings).toMatchObject([
      {
        slave_id: 202_611_000_001,
        address: '202611000001',
        how: 'answered',
        line: 'COM3 2400 8E1',
        identity: 'DL/T 645-2007 · LC-SIM',
      },
    ]);
    expect(job.findings[0]?.latency_ms).toBeGreaterThan(0);
    expect(job.channel).toMatchObject({ protocol_type: 4, conn_type: 0, baud_rate: 2400, parity: 'E', name: 'COM3 2400 8E1' });
    expect(job.points.map((point) => [point.code, point.address, point.slave_id])).toContainEqual([
      'M202611000001_EP',
      0x00010000,
      202_611_000_001,
    ]);
    expect([job.notes, job.current === job.total]).toEqual([[], true]);
    expect(bus.opened).toEqual(['2400 8E1']);
    // both editions, the answer once more, the model
    expect(bench.wire.length).toBe(4);
  });

  it('keeps a meter that does not say its model, and says so by the edition alone', async () => {
    let meters: ReturnType<typeof metersOn> | null = null;
    // both editions, and the answer once more; then the model
    const found = search({ meters: [], respond: (heard) => (found.bench.wire.length > 3 ? [] : (meters?.(heard) ?? [])) });
    meters = metersOn(found.bench.clock, [{ number: 202_611_000_001 }]);
    const job = await found.ended();
    expect(job.findings.map(({ slave_id, identity }) => [slave_id, identity])).toEqual([[202_611_000_001, 'DL/T 645-2007']]);
    expect([job.current === job.total, job.notes]).toEqual([true, []]);
  });

  it('narrows a collision pair by pair from the low end until every meter is known, of both editions', async () => {
    const meters: BusMeter[] = [
      { number: 202_611_000_001 },
      { number: 202_611_000_003 },
      // the same low pair, and the same two
      { number: 202_611_005_503 },
      { number: 100_000_005_503 },
      { number: 77, edition: 1997 },
      { number: 78, edition: 1997 },
    ];
    const { bench, ended } = search({ meters }, { identify: false });
    const job = await ended();
    expect(numbersOf(job)).toEqual(meters.map(({ number }) => number).toSorted((a, b) => a - b));
    expect(codesOf(job)).toEqual(['FIND_COLLISION']);
    // a whole number is asked once, and by another question to confirm it
    expect(new Set(wholeNumbers(bench)).size).toBe(wholeNumbers(bench).length);
    expect(job.notes[0]?.text).toContain('AAAAAAAAAAAA came at once on COM3 2400 8E1');
    expect(job.points.filter((point) => point.slave_id === 77)[0]).toMatchObject({ address: 0x9010, protocol: { edition: 1997 } });
    expect(job.findings.find((device) => device.slave_id === 77)?.identity).toBe('DL/T 645-1997');
  });

  it('does not take two answers that look like one for one meter', async () => {
    // the octets of 3 over those of 1 leave the frame of 1 where their checksums allow it
    for (let first = 0; first < 40; first += 2) {
      const meters = [{ number: 4_000 + first }, { number: 4_001 + first }];
      const job = await search({ meters, isAligned: true }).ended();
      expect(numbersOf(job)).toEqual(meters.map(({ number }) => number));
    }
  });

  it('hears slow meters out, and needs no splitting for those that answer one after the other', async () => {
    const meters = [{ number: 5 }, { number: 6, delayMs: 400 }];
    const { ended } = search({ meters }, { timeout_ms: null });
    const job = await ended();
    expect([numbersOf(job), job.notes]).toEqual([[5, 6], []]);
  });

  it('finds the baud rate and parity, and listens with each before it asks', async () => {
    const { bus, ended } = search({ meters: [{ number: 9 }, { number: 10 }], baudRate: 1200, format: '8O1' });
    const job = await ended();
    expect([numbersOf(job), job.channel?.baud_rate, job.channel?.parity]).toEqual([[9, 10], 1200, 'O']);
    expect(bus.opened.slice(0, 9)).toEqual(
      [2400, 9600, 1200].flatMap((rate) => ['8E1', '8N1', '8O1'].map((format) => `${rate} ${format}`)),
    );
  });

  it('finds the number of a meter that answers wildcards with the wildcard', async () => {
    const job = await search({ meters: [{ number: 120_034, edition: 1997, copiesWildcard: true }] }).ended();
    expect(numbersOf(job)).toEqual([120_034]);
    expect(codesOf(job)).toEqual(['FIND_HIDDEN']);
  });

  it.each([
    ['2007', 130],
    ['2007', 180],
    ['2007', 350],
    ['1997', 130],
    ['1997', 350],
  ] as const)('finds meters of %s that answer after %i ms, and in their own edition', async (edition, delayMs) => {
    const meters = [12, 34, 120_034].map((number) => ({ number, edition: Number(edition) as 1997 | 2007, delayMs }));
    for (const some of [meters.slice(0, 1), meters]) {
      const { bench, ended } = search({ meters: some }, { baud_rates: [2400], formats: ['8E1'], identify: false });
      const job = await ended();
      // one that a wildcard has found is not asked by its number as well
      if (some.length === 1) expect(wholeNumbers(bench)).toEqual([]);
      expect(job.findings.map((device) => [device.slave_id, device.identity]).toSorted(([a], [b]) => Number(a) - Number(b))).toEqual(
        some.map(({ number }) => [number, `DL/T 645-${edition}`]),
      );
    }
  });

  it('tells of meters that it cannot tell apart', async () => {
    const meters = [
      { number: 31, mostOpenPairs: 0 },
      { number: 32, mostOpenPairs: 0 },
      { number: 33, mostOpenPairs: 0 },
    ];
    const job = await search({ meters }, { baud_rates: [2400], formats: ['8E1'] }).ended();
    expect(job.notes.map((note) => note.code)).toContain('FIND_UNRESOLVED');
  });

  it.each([true, false])('tells of two meters with one number, aligned %s', async (isAligned) => {
    const meters = [{ number: 5 }, { number: 5, otherEnergy: true }, { number: 8 }];
    const job = await search({ meters, isAligned }, { identify: false }).ended();
    expect(numbersOf(job)).toEqual(isAligned ? [5, 8] : [8]);
    expect(job.notes.find((note) => note.code === 'FIND_TWO')?.text).toBe('Answers to the whole number 000000000005 come in fragments.');
  });

  it('finds nothing on a silent line within the time it foretold', async () => {
    const { bench, bus, ended } = search({ meters: [] });
    const before = bench.clock.monotonicMs();
    const job = await ended();
    expect([job.findings, job.channel, job.points, job.notes]).toEqual([[], null, [], []]);
    expect(bus.opened).toHaveLength(12);
    // both editions with each, and none of them again: nobody was late
    expect(bench.wire).toHaveLength(24);
    expect(bench.clock.monotonicMs() - before).toBeLessThanOrEqual(job.predicted_ms + 1000);
  });

  it('gives a disturbed line up', async () => {
    const { bench, ended } = search(
      { meters: [], respond: () => [{ delayMs: 30, octets: Uint8Array.of(0x12, 0x00, 0xf8, 0x68, 0x80, 0x3e) }] },
      {
        baud_rates: [2400],
        formats: ['8E1'],
      },
    );
    const job = await ended();
    expect([job.findings, codesOf(job).includes('FIND_NOISY')]).toEqual([[], true]);
    expect(bench.wire.length).toBeLessThan(100);
  });

  it('sends nothing where another master asks, and names the meters it hears', async () => {
    const address = encodeAddress('000000000042');
    const data = Uint8Array.of(0, 0, 1, 0);
    const traffic = Uint8Array.from([
      ...encodeFrame({ address, control: 0x11, data }),
      ...encodeFrame({ address, control: 0x91, data: Uint8Array.of(...data, 1, 2, 3, 4) }),
    ]);
    const { bench, ended } = search({ meters: [], traffic }, { listen_ms: 300 });
    const job = await ended();
    expect([job.other_master, numbersOf(job), job.points]).toEqual([true, [42], []]);
    expect(job.findings).toMatchObject([{ how: 'heard', detail: '', identity: '', latency_ms: null, line: 'COM3 2400 8E1' }]);
    expect(bench.wire).toEqual([]);
  });

  it('keeps to what its adapter echoes', async () => {
    const job = await search({ meters: [{ number: 1 }, { number: 2 }], echo: true }).ended();
    expect(numbersOf(job)).toEqual([1, 2]);
  });

  it.each([50, 700, 5000])('ends within a moment when it is cancelled after %i ms, and closes the port', async (ms) => {
    const { bench, bus, start } = search({ meters: [{ number: 1 }, { number: 2 }] });
    const job = await start();
    await bench.clock.advance(ms);
    const answer = bench.board.cancel(job.id);
    await bench.clock.advance(1000);
    expect([(await answer).state, bus.isOpen, bench.clock.pending]).toEqual(['cancelled', false, 0]);
  });
});

describe('a search for meters behind a gateway', () => {
  it('asks over TCP, also when the gateway closes the connection after every answer', async () => {
    const bench = new JobBench([dlt645Driver]);
    const respond = metersOn(bench.clock, [{ number: 11 }, { number: 12 }, { number: 13, edition: 1997 }]);
    const port = await bench.device((peer, bytes, clock) => {
      for (const { delayMs, octets } of respond(bytes)) {
        clock.after(delayMs, () => {
          void peer.write(octets);
          void peer.close();
        });
      }
    });
    const body = FindBody.parse({ protocol_type: 4, ip: '127.0.0.1', port, timeout_ms: 100, identify: false });
    const job = await bench.ended(await bench.find(body), 500);
    expect([job.state, job.last_error, numbersOf(job)]).toEqual(['done', null, [11, 12, 13]]);
    expect(job.channel).toMatchObject({ protocol_type: 4, conn_type: 2, port });
    expect(job.findings[0]).toMatchObject({ line: `127.0.0.1:${port}`, baud_rate: null, format: null });
  });

  it.each([1, 2, 3])('that closes the connection at %i questions one after the other is given up at the third', async (times) => {
    const bench = new JobBench([dlt645Driver]);
    const respond = metersOn(bench.clock, [{ number: 11 }, { number: 12 }]);
    let asked = 0;
    const port = await bench.device((peer, bytes, clock) => {
      if (bytes.length === 0) return;
      asked += 1;
      if (asked > 1 && asked <= 1 + times) void peer.close();
      else for (const { delayMs, octets } of respond(bytes)) clock.after(delayMs, () => void peer.write(octets));
    });
    const body = FindBody.parse({ protocol_type: 4, ip: '127.0.0.1', port, timeout_ms: 100, identify: false });
    const job = await bench.ended(await bench.find(body), 500);
    if (times === 1) expect(numbersOf(job)).toEqual([11, 12]);
    if (times < 3) expect([job.state, job.last_error]).toEqual(['done', null]);
    else expect([job.state, asked, job.last_error]).toEqual(['failed', 4, expect.stringContaining(`127.0.0.1:${port}`)]);
  });
});
