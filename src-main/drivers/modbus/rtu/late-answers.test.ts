import { describe, expect, it } from 'vitest';
import { type ManualClock, settle } from '../../../platform/manual-clock.ts';
import { TestHealth } from '../../testing/sinks.ts';
import { encodeRead, encodeRequest } from '../codec/request.ts';
import type { TestLine } from '../testing/line.ts';
import { octets } from '../vectors/load.ts';
import { encodeRtu } from './framing.ts';
import { answer, failure, GAP_MS, OCTET_MS, REQUEST_MS, read, setUp, TIMEOUT_MS, values, write } from './testing/session-bench.ts';
import { socketTiming } from './timing.ts';

const FULL_MS = REQUEST_MS + GAP_MS + TIMEOUT_MS;
const setpoint = (value: number) => write(encodeRequest({ functionCode: 16, start: 5, quantity: 1, octets: Uint8Array.of(0, value) }));

/** A read of one register goes before the question of two: its answer cannot be mistaken. */
const READ_FIRST = encodeRtu(1, encodeRead(3, 200, 1));
/** The late answer, that to the read of one register, and behind it that to the question. */
async function answerAll(clock: ManualClock, line: TestLine): Promise<void> {
  line.receive(answer(1, 100, 101));
  await clock.advance(5);
  line.receive(answer(1, 200));
  await clock.advance(20);
  line.receive(answer(1, 200, 201));
  await settle();
}

describe('an answer that comes late', () => {
  it.each(['was not answered in time', 'was under way'])(
    'to a request of the connection before, which %s, is not taken for the next one',
    async (how) => {
      const memory = new Map();
      const { clock, ...before } = setUp({ memory });
      const one = before.run(read(100, 2));
      await clock.advance(how === 'was under way' ? GAP_MS + REQUEST_MS + 1 : FULL_MS + 1);
      before.session.close();
      await settle();
      expect(one.end).toMatchObject({ kind: 'failed', isSent: true });
      // the same line, opened again at once: a longer timeout was set, say
      const { line, run } = setUp({ memory, clock });
      const two = run(read(200, 2));
      await clock.advance(15);
      expect(line.sent).toEqual([READ_FIRST]);
      await answerAll(clock, line);
      expect(values(two.end)).toEqual([0, 200, 0, 201]);
    },
  );

  it('while nothing is asked is logged as late with its request, and counted', async () => {
    const { clock, line, frames, health, run } = setUp();
    const one = run(read(100, 2));
    await clock.advance(FULL_MS + 1);
    expect(one.end).toMatchObject(failure('TIMEOUT_RESPONSE'));
    line.receive(answer(1, 100, 101));
    expect(frames.of('late')).toMatchObject([{ link: 1, text: expect.stringContaining('ended without it') }]);
    expect(health).toMatchObject({ lates: 1, responses: 0 });
    // the debt is paid: the next request needs nothing in front of it
    run(read(200, 2));
    await clock.advance(20);
    expect(line.sent.map((bytes) => bytes[5])).toEqual([2, 2]);
  });

  it('is not taken for the next one of another length, which is then taken', async () => {
    const { clock, line, frames, run } = setUp();
    run(read(100, 2));
    await clock.advance(FULL_MS + 1);
    const two = run(read(200, 3));
    await clock.advance(15);
    line.receive(answer(1, 100, 101));
    await clock.advance(15);
    expect(two.end).toBeUndefined();
    line.receive(answer(1, 200, 201, 202));
    await settle();
    expect(values(two.end)).toEqual([0, 200, 0, 201, 0, 202]);
    expect(frames.of('late')).toHaveLength(1);
  });

  it('is not taken for the next one of another unit', async () => {
    const { clock, line, run } = setUp();
    run(read(100, 2, 1));
    await clock.advance(FULL_MS + 1);
    const two = run(read(100, 2, 2));
    await clock.advance(15);
    line.receive(answer(1, 1, 1));
    line.receive(answer(2, 2, 2));
    await settle();
    expect(values(two.end)).toEqual([0, 2, 0, 2]);
  });

  it('is not taken for the next one of the same length, however late it comes', async () => {
    for (const lateness of [1, TIMEOUT_MS, 5 * TIMEOUT_MS]) {
      const { clock, line, frames, run } = setUp();
      run(read(100, 2));
      await clock.advance(FULL_MS + lateness);
      const two = run(read(200, 2));
      await clock.advance(15);
      expect(line.sent.at(-1)).toEqual(READ_FIRST);
      expect(frames.of('tx').at(-1)?.text).toContain('Read first');
      await answerAll(clock, line);
      expect(values(two.end)).toEqual([0, 200, 0, 201]);
      expect(frames.of('late')).toHaveLength(1);
    }
  });

  it('to the same question is the value of that register; the answer to the repeat stays owed', async () => {
    const { clock, line, frames, run } = setUp();
    const one = run(read(100, 2), { retries: 1 });
    await clock.advance(FULL_MS + 20);
    expect(line.sent.map((bytes) => [bytes[3], bytes[5]])).toEqual([
      [100, 2],
      [100, 2],
    ]);
    line.receive(answer(1, 1, 1));
    await settle();
    expect(values(one.end)).toEqual([0, 1, 0, 1]);
    // the second answer is not that of another register of the same length, though nothing else is without one
    const two = run(read(200, 2));
    await clock.advance(40);
    expect(line.sent.at(-1)?.[5]).toBe(1);
    line.receive(answer(1, 2, 2));
    await clock.advance(1);
    line.receive(answer(1, 200));
    await clock.advance(40);
    line.receive(answer(1, 200, 201));
    await settle();
    expect(values(two.end)).toEqual([0, 200, 0, 201]);
    expect(frames.of('late')).toMatchObject([{ link: 3 }]);
  });

  it('of before a command is no answer to a question behind it', async () => {
    const { clock, line, run } = setUp();
    run(read(100, 1));
    await clock.advance(FULL_MS + 20);
    const command = run(write(encodeRequest({ functionCode: 6, address: 100, value: 7 })));
    await clock.advance(FULL_MS + 20);
    expect(command.end).toMatchObject({ ...failure('TIMEOUT_RESPONSE'), isSent: true });
    const back = run(read(100, 1));
    await clock.advance(15);
    line.receive(answer(1, 3));
    await clock.advance(10);
    expect(back.end).toBeUndefined();
    line.receive(answer(1, 7));
    await settle();
    expect(values(back.end)).toEqual([0, 7]);
  });

  it('held back until the next request is seen, and no other answer behind it, gives no value', async () => {
    const { clock, line, run } = setUp();
    run(read(100, 2));
    await clock.advance(FULL_MS + 1);
    const two = run(read(200, 2));
    await clock.advance(15);
    line.receive(answer(1, 100, 101));
    await clock.advance(FULL_MS);
    expect(two.end).toMatchObject(failure('TIMEOUT_RESPONSE', /came late/));
  });

  it('of a single register, for which no shorter read exists, is passed over for the second one that comes', async () => {
    const { clock, line, frames, run } = setUp();
    run(read(100, 1));
    await clock.advance(FULL_MS + 1);
    const two = run(read(200, 1));
    await clock.advance(15);
    line.receive(answer(1, 100));
    await clock.advance(20);
    expect(two.end).toBeUndefined();
    line.receive(answer(1, 200));
    await settle();
    expect(values(two.end)).toEqual([0, 200]);
    expect(frames.of('late')).toMatchObject([{ link: 1 }]);
  });

  it.each([
    ['echoes it', (token: Uint8Array) => token],
    ['does not know it', () => encodeRtu(1, octets('88 01'))],
  ])('of a single register and nothing behind it: a loopback tells, whether the slave %s', async (_what, tell) => {
    const { clock, line, frames, run } = setUp();
    run(read(100, 1));
    await clock.advance(FULL_MS + 1);
    const two = run(read(200, 1));
    await clock.advance(15);
    line.receive(answer(1, 100));
    await clock.advance(100);
    expect(line.sent.map((bytes) => bytes[1])).toEqual([3, 3, 8]);
    expect(frames.of('tx').at(-1)?.text).toContain('loopback');
    line.receive(tell(line.sent.at(-1) ?? new Uint8Array(0)));
    await clock.advance(20);
    expect(line.sent.at(-1)).toEqual(encodeRtu(1, encodeRead(3, 200, 1)));
    line.receive(answer(1, 200));
    await settle();
    expect(values(two.end)).toEqual([0, 200]);
    expect(frames.of('late')).toMatchObject([{ text: expect.stringContaining('the octets do not tell') }]);
    // nothing is owed any more
    const three = run(read(201, 1));
    await clock.advance(GAP_MS + REQUEST_MS + 5);
    line.receive(answer(1, 201));
    await settle();
    expect(values(three.end)).toEqual([0, 201]);
  });

  it('of a single register, at a slave that reads on in a loopback it does not know: the question again is heard', async () => {
    for (let start = 0; start < 256; start++) {
      const { clock, line, run } = setUp();
      const told: number[] = [];
      // such a slave takes four octets for a frame, and waits for an answer where they name another slave
      let passesOver = false;
      const hear = (bytes: Uint8Array) => {
        for (let at = 0; at < bytes.length; at += bytes[1] === 8 ? 4 : 8) {
          const functionCode = bytes[at + 1] ?? 0;
          if (bytes[1] === 8) told.push(functionCode);
          if (passesOver) passesOver = false;
          else if (bytes[at] !== 1) passesOver = true;
          else if (functionCode === 3) clock.after(REQUEST_MS + 10, () => line.receive(answer(1, bytes[at + 3] ?? 0)));
        }
      };
      clock.sleep(start, 'runs');
      run(read(100, 1));
      await clock.advance(FULL_MS + 1);
      const next = run(read(200, 1), { retries: 0 });
      await clock.advance(15);
      line.onWrite = hear;
      line.receive(answer(1, 100));
      await clock.advance(FULL_MS);
      expect(values(next.end)).toEqual([0, 200]);
      // no function a slave knows stands where it reads on
      expect(told).toEqual([8, expect.any(Number)]);
      expect(told[1]).toBeGreaterThanOrEqual(0x20);
    }
  });

  it('of a single register, at a slave without loopbacks: the question again, and its answer is taken', async () => {
    const { clock, line, notices, run } = setUp();
    line.onWrite = (bytes) => {
      if (bytes[1] === 3) clock.after(REQUEST_MS + 10, () => line.receive(answer(1, bytes[3] ?? 0)));
    };
    // the line is seen to carry each answer once
    for (let start = 100; start < 140; start++) {
      run(read(start, 1));
      await clock.advance(100);
    }
    for (let start = 10; start < 20; start += 2) {
      const silent = line.onWrite;
      line.onWrite = () => undefined;
      run(read(start, 1));
      await clock.advance(FULL_MS + 30);
      line.onWrite = silent;
      let end: unknown;
      for (const since = clock.monotonicMs(); clock.monotonicMs() - since < 3000 && !Array.isArray(end); ) {
        const asked = run(read(start + 1, 1));
        await clock.advance(500);
        end = values(asked.end);
        while (end === undefined) {
          await clock.advance(50);
          end = values(asked.end);
        }
      }
      expect(end).toEqual([0, start + 1]);
    }
    // it is asked for a loopback twice on this connection, and no more
    expect(line.sent.filter((bytes) => bytes[1] === 8)).toHaveLength(2);
    expect(notices).toEqual([expect.stringContaining('does not answer function 8')]);
  });

  it('of a single register, where the channel wants no telling requests: only the question again', async () => {
    const { clock, line, run } = setUp({ tellingRequests: false });
    run(read(100, 1));
    await clock.advance(FULL_MS + 1);
    const two = run(read(200, 1));
    await clock.advance(15);
    line.receive(answer(1, 100));
    await clock.advance(100);
    expect(line.sent.map((bytes) => bytes[3])).toEqual([100, 200, 200]);
    line.receive(answer(1, 200));
    await settle();
    expect(values(two.end)).toEqual([0, 200]);
  });

  it('of a single register is not asked for again after a stop', async () => {
    const { clock, line, run } = setUp();
    run(read(100, 1));
    await clock.advance(FULL_MS + 1);
    const two = run(read(200, 1), { isStopping: () => true });
    await clock.advance(15);
    line.receive(answer(1, 100));
    await clock.advance(100);
    expect(two.end).toMatchObject(failure('PROTOCOL_MISMATCH', /fits this request as well as an earlier one/));
    expect(line.sent).toHaveLength(2);
  });

  it('that a converter repeats is not taken because it came twice', async () => {
    const { clock, line, run } = setUp();
    run(read(100, 1));
    await clock.advance(FULL_MS + 1);
    const two = run(read(200, 1));
    await clock.advance(15);
    line.receive(Uint8Array.from([...answer(1, 100), ...answer(1, 100)]));
    await clock.advance(40);
    expect(two.end).toBeUndefined();
  });

  it('of a single register does not delay the next request any more once it is there', async () => {
    const { clock, line, run, sentAt } = setUp();
    run(read(100, 1));
    await clock.advance(FULL_MS + 1);
    line.receive(answer(1, 100));
    await settle();
    run(read(200, 1));
    await clock.advance(25);
    expect(sentAt).toHaveLength(2);
  });

  it('with an exception does not make the next request refused', async () => {
    const { clock, line, frames, run } = setUp();
    run(read(100, 2));
    await clock.advance(FULL_MS + 1);
    const two = run(read(200, 3));
    await clock.advance(15);
    line.receive(encodeRtu(1, octets('83 02')));
    await clock.advance(20);
    expect(two.end).toBeUndefined();
    line.receive(answer(1, 1, 2, 3));
    await settle();
    expect(values(two.end)).toEqual([0, 1, 0, 2, 0, 3]);
    expect(frames.of('late')).toHaveLength(1);
  });

  it('that does not come lets a refusal through, when it is refused again', async () => {
    const { clock, line, run } = setUp();
    run(read(100, 2));
    await clock.advance(FULL_MS + 1);
    const two = run(read(200, 3));
    await clock.advance(15);
    line.receive(encodeRtu(1, octets('83 02')));
    await clock.advance(90);
    // a read of two registers would look like the answer that is owed
    expect(line.sent.map((bytes) => bytes[5])).toEqual([2, 3, 2]);
    line.receive(answer(1, 5, 5));
    await clock.advance(20);
    line.receive(encodeRtu(1, octets('83 02')));
    await clock.advance(100);
    line.receive(encodeRtu(1, octets('83 02')));
    await clock.advance(100);
    expect(two.end).toEqual({ kind: 'answer', pdu: octets('83 02') });
  });

  it.each([
    ['one register', (value: number) => write(encodeRequest({ functionCode: 6, address: 5, value }))],
    ['several registers', setpoint],
  ])('confirms no other write of %s: a read of what is written shows first that it does not come any more', async (_what, make) => {
    const { clock, line, frames, run } = setUp();
    const one = run(make(1));
    await clock.advance(FULL_MS + 10);
    expect(one.end).toMatchObject({ ...failure('TIMEOUT_RESPONSE'), isSent: true });
    const two = run(make(2));
    await clock.advance(15);
    expect(line.sent.at(-1)).toEqual(encodeRtu(1, encodeRead(3, 5, 1)));
    line.receive(encodeRtu(1, make(1).pdu.subarray(0, 5)));
    line.receive(answer(1, 1));
    // where the confirmations are alike, that of the first may come twice
    for (let waited = 0; waited < 2100 && line.sent.length < 3; waited += 50) await clock.advance(50);
    await clock.advance(GAP_MS + REQUEST_MS + 5);
    line.receive(encodeRtu(1, make(2).pdu.subarray(0, 5)));
    await settle();
    expect(two.end?.kind).toBe('answer');
    expect(frames.of('late')).toMatchObject([{ link: 1 }]);
  });

  it('keeps a write back until the line was quiet, and leaves open whose a confirmation is that comes then', async () => {
    const { clock, line, frames, run } = setUp();
    run(setpoint(1));
    await clock.advance(FULL_MS + 10);
    const two = run(setpoint(2));
    await clock.advance(FULL_MS + 5);
    expect(two.end).toBeUndefined();
    await clock.advance(1900);
    expect(line.sent.map((bytes) => bytes[1])).toEqual([16, 3]);
    await clock.advance(200);
    expect(line.sent.map((bytes) => bytes[1])).toEqual([16, 3, 16]);
    expect(frames.of('note').at(-1)?.text).toContain('quiet time');
    line.receive(encodeRtu(1, setpoint(1).pdu.subarray(0, 5)));
    await clock.advance(2 * TIMEOUT_MS);
    expect(two.end).toMatchObject({ ...failure('TIMEOUT_RESPONSE', /fits this request as well as an earlier one/), isSent: true });
    expect(line.sent).toHaveLength(3);
  });

  it('refuses no later write either', async () => {
    const { clock, line, run } = setUp({ tellingRequests: false });
    run(setpoint(1));
    await clock.advance(FULL_MS + 10);
    const two = run(setpoint(2));
    await clock.advance(2050);
    line.receive(encodeRtu(1, octets('90 04')));
    await clock.advance(2 * TIMEOUT_MS);
    expect(two.end).toMatchObject(failure('TIMEOUT_RESPONSE', /fits this request as well as an earlier one/));
  });

  it('of a dead slave is given up after ten timeouts', async () => {
    const { clock, line, run } = setUp();
    run(read(100, 2));
    await clock.advance(10_001);
    run(read(200, 2));
    await clock.advance(20);
    expect(line.sent.map((bytes) => bytes[5])).toEqual([2, 2]);
  });

  it('is handled the same over TCP', async () => {
    const { clock, line, run } = setUp({ timing: socketTiming(TIMEOUT_MS), echo: 'unknown' });
    run(read(100, 2));
    await clock.advance(TIMEOUT_MS + 1);
    const two = run(read(200, 2));
    await settle();
    line.receive(answer(1, 100, 101));
    line.receive(answer(1, 200));
    await settle();
    line.receive(answer(1, 200, 201));
    await settle();
    expect(values(two.end)).toEqual([0, 200, 0, 201]);
  });

  it('sends no shorter read and no repeat after a stop', async () => {
    const { clock, line, run } = setUp();
    run(read(100, 2));
    await clock.advance(FULL_MS + 1);
    let isStopping = false;
    const two = run(read(200, 2), { isStopping: () => isStopping });
    await clock.advance(15);
    isStopping = true;
    line.receive(answer(1, 200));
    await clock.advance(100);
    expect(two.end).toMatchObject({ ...failure('CANCELLED'), isSent: false });
    expect(line.sent).toHaveLength(2);
  });
});

describe('two slaves at one address', () => {
  it('are told when a second answer comes behind the first', async () => {
    const { clock, line, frames, notices, run } = setUp();
    const one = run(read(0, 1, 5));
    await clock.advance(20);
    line.receive(answer(5, 1));
    await clock.advance(2);
    line.receive(answer(5, 2));
    await settle();
    expect(values(one.end)).toEqual([0, 1]);
    expect(frames.of('late')).toMatchObject([{ link: 1, text: expect.stringContaining('Two devices may have this address') }]);
    expect(notices).toEqual([expect.stringContaining('Two answers came to one request to slave 5')]);
  });

  it('the second answer is not taken for the next one when it comes before that request has left the line', async () => {
    const { clock, line, notices, run, warmUp } = setUp();
    await warmUp();
    run(read(100, 1));
    await clock.advance(GAP_MS + REQUEST_MS + 5);
    line.receive(answer(1, 100));
    await settle();
    const two = run(read(200, 1));
    await clock.advance(GAP_MS + 2);
    line.receive(answer(1, 999));
    await clock.advance(REQUEST_MS + 5);
    line.receive(answer(1, 200));
    await clock.advance(100);
    expect(values(two.end)).toEqual([0, 200]);
    expect(notices).toHaveLength(1);
  });
});

describe('frames of others', () => {
  it('another master is told, and its requests are no answers', async () => {
    const { clock, line, notices, run } = setUp();
    const one = run(read(0, 1));
    await clock.advance(15);
    line.receive(encodeRtu(7, encodeRead(3, 0, 10)));
    line.receive(answer(7, ...Array.from({ length: 10 }, () => 7)));
    line.receive(answer(1, 3));
    await settle();
    expect(values(one.end)).toEqual([0, 3]);
    expect(notices).toEqual([expect.stringContaining('Another master is on this line')]);
  });

  it('a wrong byte count of the right unit fails the exchange as malformed, not as silence', async () => {
    const { clock, line, run } = setUp();
    const one = run(read(0, 2));
    await clock.advance(15);
    line.receive(answer(1, 1, 2, 3));
    await clock.advance(100);
    expect(one.end).toMatchObject(failure('PROTOCOL_MALFORMED', /byte count 6/));
  });

  it('an answer of another unit is told when the time has run out', async () => {
    const { clock, line, run } = setUp();
    const one = run(read(0, 2, 3));
    await clock.advance(15);
    line.receive(answer(4, 1, 2));
    await clock.advance(FULL_MS);
    expect(one.end).toMatchObject(failure('TIMEOUT_RESPONSE', /Slave 4 answered, slave 3 was asked/));
  });
});

describe('a port without a true baud rate', () => {
  it('answers before the request can have left, and is taken at once from the first exchange on', async () => {
    const { clock, line, run } = setUp();
    for (const value of [1, 2, 3]) {
      const one = run(read(value, 1));
      await clock.advance(GAP_MS + 1);
      line.receive(answer(1, value));
      await settle();
      expect(values(one.end)).toEqual([0, value]);
    }
  });

  it('is found out later as well: one answer is held for a moment, then all are taken at once', async () => {
    const { clock, line, run, warmUp } = setUp();
    await warmUp();
    const one = run(read(0, 1));
    await clock.advance(1);
    line.receive(answer(1, 1));
    await clock.advance(100);
    expect(values(one.end)).toEqual([0, 1]);
    const two = run(read(0, 1));
    await clock.advance(1);
    line.receive(answer(1, 2));
    await settle();
    expect(values(two.end)).toEqual([0, 2]);
  });

  it('is found out although its first answers were slow, at the cost of one timeout', async () => {
    const { clock, line, run, warmUp } = setUp();
    // four answers that began behind their requests: it seems to keep its time
    await warmUp();
    const ends = [];
    for (let count = 0; count < 3; count++) {
      const one = run(read(93, 3));
      await clock.advance(GAP_MS + 1);
      line.receive(answer(1, 3, 0, 0));
      while (!one.end) await clock.advance(5);
      ends.push(one.end.kind);
    }
    expect(ends).toEqual(['failed', 'answer', 'answer']);
  });
});

describe('an answer with the octets of the one before', () => {
  it('is held for a moment, which is no time of the device: the next one waits no longer', async () => {
    const slave = 10;
    const health = new TestHealth();
    const { clock, line, run } = setUp({ health, slowestMs: () => Math.max(slave, ...health.latencies) });
    const waits: number[] = [];
    for (let address = 0; address < 40; address++) {
      const one = run(read(100 + address, 1));
      await clock.advance(GAP_MS + REQUEST_MS + slave);
      line.receive(answer(1, 7));
      await settle();
      const since = clock.monotonicMs();
      while (!one.end) await clock.advance(1);
      waits.push(clock.monotonicMs() - since);
      expect(values(one.end)).toEqual([0, 7]);
    }
    expect(Math.max(...health.latencies)).toBeLessThanOrEqual(REQUEST_MS + slave + GAP_MS + 1);
    // hardly known, then known
    expect(Math.max(...waits.slice(1, 16))).toBeGreaterThan(Math.max(...waits.slice(17)));
    expect(Math.max(...waits.slice(17))).toBeLessThan(2 * (REQUEST_MS + slave));
  });

  it('gives way to the answer of a device that takes a little longer than ever: it was a copy', async () => {
    const slowest = 40;
    const { clock, line, run } = setUp({ slowestMs: () => slowest });
    for (let address = 0; address < 20; address++) {
      const one = run(read(100 + address, 1));
      await clock.advance(GAP_MS + REQUEST_MS + slowest);
      line.receive(answer(1, 1000 + address));
      await settle();
      expect(one.end?.kind).toBe('answer');
    }
    const two = run(read(200, 1));
    await clock.advance(GAP_MS + REQUEST_MS + 5);
    line.receive(answer(1, 1019));
    await clock.advance(1.1 * slowest - 5);
    expect(two.end).toBeUndefined();
    line.receive(answer(1, 200));
    await settle();
    expect(values(two.end)).toEqual([0, 200]);
  });
});

describe('a device whose answers nothing tells apart', () => {
  it('is left alone until nothing of it came for 1.4 timeouts', async () => {
    const timeoutMs = 2000;
    const { clock, line, run, sentAt } = setUp({ timeoutMs, tellingRequests: false });
    for (let address = 0; address < 5; address++) {
      const silent = run(read(100 + address, 1));
      while (!silent.end) await clock.advance(10);
    }
    const asked = run(read(200, 1));
    for (let value = 1; !asked.end; value++) {
      await clock.advance(GAP_MS + REQUEST_MS + 5);
      line.receive(answer(1, value));
      while (!asked.end && sentAt.length < 6 + value) await clock.advance(1);
    }
    expect(asked.end).toMatchObject(failure('PROTOCOL_MISMATCH'));
    const sent = sentAt.length;
    const heardAt = clock.monotonicMs();
    await clock.advance(1.3 * timeoutMs);
    const early = run(read(200, 1));
    await settle();
    expect(early.end).toMatchObject(failure('PROTOCOL_MISMATCH', /left alone/));
    expect(sentAt).toHaveLength(sent);
    await clock.advance(heardAt + 1.4 * timeoutMs - clock.monotonicMs());
    run(read(200, 1));
    await clock.advance(GAP_MS);
    expect(sentAt).toHaveLength(sent + 1);
  });
});

/** A slave with a number of its own in each register, that answers functions 3 and 8; `isHeard` false: it says nothing, `isWhole` false: half. */
function pollSlave({ clock, line, run }: ReturnType<typeof setUp>) {
  const slave = { isHeard: true, isWhole: true };
  line.onWrite = (request) => {
    const { isHeard, isWhole } = slave;
    const bytes = request[1] === 8 ? Uint8Array.from(request) : answer(1, 1000 + (request[3] ?? 0));
    if (isHeard) clock.after(request.length * OCTET_MS + GAP_MS + 5, () => line.receive(isWhole ? bytes : bytes.subarray(0, 4)));
  };
  /** Polls single registers one after the other for so long, or until one is good; answers how long that took, null where none was. */
  const poll = async (ms: number, untilGood: boolean) => {
    const since = clock.monotonicMs();
    for (let address = 0; clock.monotonicMs() < since + ms; address = (address + 1) % 10) {
      const one = run(read(address, 1));
      while (!one.end) await clock.advance(1);
      if (one.end.kind === 'failed') continue;
      expect(values(one.end)).toEqual([(1000 + address) >> 8, (1000 + address) & 255]);
      if (untilGood) return clock.monotonicMs() - since;
    }
    return null;
  };
  return { slave, poll };
}

describe.each([
  ['a serial line', {}],
  ['RTU over TCP', { timing: socketTiming(TIMEOUT_MS) }],
] as const)('a slave of single registers that is polled all the time, on %s', (_, changes) => {
  it('is good within 3 s again after it was silent for 4 s', async () => {
    const { slave, poll } = pollSlave(setUp(changes));
    expect(await poll(1000, true)).not.toBeNull();
    slave.isHeard = false;
    await poll(4000, false);
    slave.isHeard = true;
    expect(await poll(3000, true)).not.toBeNull();
  });

  it('is good within 3 s again after two half frames', async () => {
    const bench = setUp(changes);
    const { slave, poll } = pollSlave(bench);
    expect(await poll(1000, true)).not.toBeNull();
    slave.isWhole = false;
    const sent = bench.line.sent.length;
    while (bench.line.sent.length < sent + 2) await poll(1, false);
    slave.isWhole = true;
    expect(await poll(3000, true)).not.toBeNull();
  });
});
