import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ManualClock, settle } from '../../../platform/manual-clock.ts';
import { u16 } from '../../../protocol-kit/bytes.ts';
import { exchangeContext, TestFrames, TestHealth } from '../../testing/sinks.ts';
import { encodeRead } from '../codec/request.ts';
import { exceptionOf, readAnswerData } from '../codec/response.ts';
import { TestLine } from '../testing/line.ts';
import type { ExchangeEnd } from './exchange-session.ts';
import { encodeMbap, mbapFraming } from './mbap.ts';
import { ModbusSession } from './session.ts';

const TIMEOUT_MS = 100;
const WINDOW = 8;
const REGISTERS = 20;
/** Where those octets of a tricky answer stand: behind the header, function, byte count and first register. */
const TRICKY_AT = 11;

/** What a device does with one of several requests: its answer comes after so many milliseconds, never, twice, as an exception or from another unit. */
const ACTS = ['prompt', 'slow', 'late', 'never', 'twice', 'exception', 'unit'] as const;
type Act = (typeof ACTS)[number];
const DELAYS: Readonly<Record<Act, readonly number[]>> = {
  prompt: [5],
  slow: [60],
  late: [700],
  never: [],
  twice: [5, 30],
  exception: [5],
  unit: [5],
};

/** Registers that hold what was asked for: the start address in each, and now and then what looks like the header of an answer. */
function answerTo(frame: Uint8Array, act: Act, isTricky: boolean): Uint8Array {
  const [id, start] = [u16(frame, 0), u16(frame, 8)];
  if (act === 'exception') return encodeMbap(id, 1, Uint8Array.of(0x83, 4));
  const word = (value: number) => [value >> 8, value & 0xff];
  const tricky = [...word(id), 0, 0, 0, 5, 1, 3, 2];
  const registers = Array.from({ length: REGISTERS }, () => word(start)).flat();
  if (isTricky) registers.splice(2, tricky.length, ...tricky);
  return encodeMbap(id, act === 'unit' ? 2 : 1, Uint8Array.from([3, 2 * REGISTERS, ...registers]));
}

const round = fc.record({
  acts: fc.array(fc.constantFrom(...ACTS), { minLength: 1, maxLength: WINDOW }),
  isTricky: fc.boolean(),
  /** Octets of the chunks in which answers arrive; 0: as they are sent. */
  chunk: fc.constantFrom(0, 0, 1, 7, 20, 1460),
  retries: fc.constantFrom(0, 0, 1),
});

describe('a session with several requests outstanding', () => {
  it('gives each exchange its own answer, whatever their order, and loses none', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 4 }), async (rounds) => {
        const clock = new ManualClock();
        const line = new TestLine();
        const [frames, health] = [new TestFrames(), new TestHealth()];
        const losses: Error[] = [];
        const session = new ModbusSession({
          clock,
          framing: mbapFraming,
          line,
          frames,
          health,
          timeoutMs: TIMEOUT_MS,
          requestGapMs: 0,
          window: WINDOW,
          onLost: (error) => losses.push(error),
        });
        line.start({ onData: (chunk) => session.receive(chunk), onClosed: (cause) => session.closed(cause) });
        let asked = 0;
        for (const { acts, isTricky, chunk, retries } of rounds) {
          const due: Uint8Array[] = [];
          line.onWrite = (bytes) => {
            const act = acts[(u16(bytes, 8) - 1) % 100] ?? 'never';
            const answer = answerTo(bytes, act, isTricky);
            for (const delay of DELAYS[act]) clock.after(delay, () => due.push(answer));
          };
          const ends: (ExchangeEnd | null)[] = acts.map(() => null);
          const running = acts.map((_, at) => {
            const start = 100 * asked + at + 1;
            const check = (pdu: Uint8Array) => void readAnswerData(pdu, 3, REGISTERS);
            const request = { unitId: 1, pdu: encodeRead(3, start, REGISTERS), check };
            return session.exchange(request, exchangeContext({ retries })).then((end) => {
              ends[at] = end;
            });
          });
          asked += 1;
          for (let turn = 0; turn < 300 && ends.includes(null); turn++) {
            await clock.advance(5);
            deliver(line, due.splice(0), chunk);
            await settle();
          }
          await Promise.all(running);
          for (const [at, end] of ends.entries()) expectOwn(end, acts[at] ?? 'never', 100 * (asked - 1) + at + 1, losses.length > 0);
          if (losses.length > 0) break;
        }
        session.close();
        if (losses.length === 0) expect(frames.of('tx')).toHaveLength(health.requests);
      }),
      { numRuns: 150 },
    );
  });

  it('is not broken by answers that are cut anywhere, in the header of the next one as well', async () => {
    const { session, line, clock } = open();
    const asked: Uint8Array[] = [];
    line.onWrite = (bytes) => asked.push(bytes);
    for (let cut = 1; cut < 120; cut += 2) {
      for (const further of [1, 3, 50]) {
        asked.length = 0;
        const ends = [1, 2, 3].map((at) => read(session, at));
        await settle();
        const stream = Buffer.concat(asked.map((frame) => answerTo(frame, 'prompt', false)));
        const pieces = [0, cut, cut + further, stream.length];
        for (const [at, from] of pieces.slice(0, -1).entries()) line.receive(stream.subarray(from, pieces[at + 1]));
        expect((await Promise.all(ends)).map((end) => end.kind === 'answer' && u16(end.pdu, 2))).toEqual([1, 2, 3]);
      }
    }
    session.close();
    expect(clock.pending).toBe(0);
  });

  it('takes registers that look like the header of an answer for what they are', async () => {
    const { session, line } = open();
    const asked: Uint8Array[] = [];
    line.onWrite = (bytes) => asked.push(bytes);
    const ends = [1, 2].map((at) => read(session, at));
    await settle();
    const tricky = answerTo(asked[0] ?? new Uint8Array(0), 'prompt', true);
    line.receive(tricky.subarray(0, TRICKY_AT));
    line.receive(tricky.subarray(TRICKY_AT));
    line.receive(answerTo(asked[1] ?? new Uint8Array(0), 'prompt', false));
    expect((await Promise.all(ends)).map((end) => end.kind === 'answer' && u16(end.pdu, 2))).toEqual([1, 2]);
  });

  it('does not complete half an answer with the beginning of another one', async () => {
    const { session, line } = open();
    const asked: Uint8Array[] = [];
    line.onWrite = (bytes) => asked.push(bytes);
    const ends = [1, 2].map((at) => read(session, at));
    await settle();
    line.receive(answerTo(asked[0] ?? new Uint8Array(0), 'prompt', false).subarray(0, 20));
    line.receive(answerTo(asked[1] ?? new Uint8Array(0), 'prompt', false));
    expect((await Promise.all(ends)).map((end) => end.kind === 'failed' && end.error.code)).toEqual(['FRAME_LENGTH', 'FRAME_LENGTH']);
  });

  it('keeps the beginning of an answer that is still in its time when another request runs out', async () => {
    const { session, line, clock } = open();
    const asked: Uint8Array[] = [];
    line.onWrite = (bytes) => asked.push(bytes);
    const one = read(session, 1);
    await clock.advance(60);
    const two = read(session, 2);
    await settle();
    const second = answerTo(asked[1] ?? new Uint8Array(0), 'prompt', false);
    line.receive(second.subarray(0, 12));
    await clock.advance(40);
    expect((await one).kind).toBe('failed');
    line.receive(second.subarray(12));
    expect(await two).toMatchObject({ kind: 'answer' });
  });

  it('waits for what was asked behind an answered request from then on, and not for what was passed over', async () => {
    const { session, line, clock } = open();
    const asked: Uint8Array[] = [];
    line.onWrite = (bytes) => asked.push(bytes);
    const ends: string[] = [];
    for (const at of [1, 2, 3]) void read(session, at).then((end) => ends.push(`${at} ${end.kind}`));
    await settle();
    const answer = (at: number) => line.receive(answerTo(asked[at - 1] ?? new Uint8Array(0), 'prompt', false));
    await clock.advance(90);
    answer(1);
    await clock.advance(90);
    // 2 is still in its time, because 1 was answered before
    expect(ends).toEqual(['1 answer']);
    answer(3);
    await clock.advance(20);
    // the answer to 3 says nothing for 2, which was asked before
    expect(ends).toEqual(['1 answer', '3 answer', '2 failed']);
  });

  it('takes no more exchanges than its window', async () => {
    const { session } = open();
    for (let at = 0; at < WINDOW; at++) void read(session, at);
    await expect(read(session, 99)).rejects.toMatchObject({ code: 'INTERNAL' });
  });

  it('gives up an unfinished answer for the request that it belongs to alone', async () => {
    const { session, line, clock } = open();
    const asked: Uint8Array[] = [];
    line.onWrite = (bytes) => asked.push(bytes);
    const [one, two] = [read(session, 1), read(session, 2)];
    await settle();
    const second = answerTo(asked[1] ?? new Uint8Array(0), 'prompt', false);
    await clock.advance(50);
    line.receive(second.subarray(0, 12));
    await clock.advance(50);
    expect((await one).kind).toBe('failed');
    // both were sent at once, so the second has run out as well: its beginning is noise now
    expect((await two).kind).toBe('failed');
    line.receive(second.subarray(12));
    const three = read(session, 3);
    await settle();
    line.receive(answerTo(asked[2] ?? new Uint8Array(0), 'prompt', false));
    expect(await three).toMatchObject({ kind: 'answer' });
  });
});

function open() {
  const clock = new ManualClock();
  const line = new TestLine();
  const options = { clock, framing: mbapFraming, line, frames: new TestFrames(), health: new TestHealth(), onLost: () => undefined };
  const session = new ModbusSession({ ...options, timeoutMs: TIMEOUT_MS, requestGapMs: 0, window: WINDOW });
  line.start({ onData: (chunk) => session.receive(chunk), onClosed: (cause) => session.closed(cause) });
  return { clock, line, session };
}

function read(session: ModbusSession, start: number): Promise<ExchangeEnd> {
  const check = (pdu: Uint8Array) => void readAnswerData(pdu, 3, REGISTERS);
  return session.exchange({ unitId: 1, pdu: encodeRead(3, start, REGISTERS), check }, exchangeContext());
}

function deliver(line: TestLine, answers: readonly Uint8Array[], chunk: number): void {
  const octets = Buffer.concat(answers);
  for (let at = 0; at < octets.length; at += chunk || octets.length) line.receive(octets.subarray(at, at + (chunk || octets.length)));
}

/** An exchange has the answer to its own request, or ends without one. A connection that was given up may end any of them. */
function expectOwn(end: ExchangeEnd | null, act: Act, start: number, isLost: boolean): void {
  if (end?.kind === 'answer') {
    if (exceptionOf(end.pdu) !== 0) expect(act).toBe('exception');
    else expect(u16(end.pdu, 2)).toBe(start);
    return;
  }
  expect(end?.kind).toBe('failed');
  if (!isLost) expect(['late', 'never', 'unit', 'slow']).toContain(act);
}
