import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { ManualClock, settle } from '../../../platform/manual-clock.ts';
import type { ExchangeContext } from '../../spi/index.ts';
import { exchangeContext, TestFrames, TestHealth } from '../../testing/sinks.ts';
import { encodeRead } from '../codec/request.ts';
import { readAnswerData } from '../codec/response.ts';
import { TestLine } from '../testing/line.ts';
import { octets } from '../vectors/load.ts';
import type { ExchangeEnd } from './exchange-session.ts';
import { mbapFraming } from './mbap.ts';
import { ModbusSession } from './session.ts';
import type { SessionRequest } from './session-check.ts';

const TIMEOUT_MS = 1000;

function setUp(requestGapMs = 0) {
  const clock = new ManualClock();
  const line = new TestLine();
  const frames = new TestFrames();
  const health = new TestHealth();
  const losses: AppError[] = [];
  const onLost = (error: AppError) => losses.push(error);
  const session = new ModbusSession({ clock, framing: mbapFraming, line, frames, health, timeoutMs: TIMEOUT_MS, requestGapMs, onLost });
  line.start({ onData: (chunk) => session.receive(chunk), onClosed: (cause) => session.closed(cause) });
  /** Starts a read of one register of unit 1; `end` is set once it is over. */
  const read = (context: Partial<ExchangeContext> = {}) => {
    const started: { end: ExchangeEnd | undefined } = { end: undefined };
    void session.exchange(readOne, exchangeContext(context)).then((end) => {
      started.end = end;
    });
    return started;
  };
  return { clock, line, frames, health, losses, session, read };
}

const readOne: SessionRequest = {
  unitId: 1,
  pdu: encodeRead(3, 0, 1),
  check: (answer) => {
    readAnswerData(answer, 3, 1);
  },
};

const answer = (transaction: string) => `${transaction} 00 00 00 05 01 03 02 00 2A`;
const failure = (code: string, message?: RegExp) => ({
  kind: 'failed',
  error: expect.objectContaining(message ? { code, message: expect.stringMatching(message) } : { code }),
});

describe('Modbus session', () => {
  it('sends the request and gives the answer; log entries are linked, health is counted', async () => {
    const { clock, line, frames, health, session, read } = setUp();
    const one = read();
    await clock.advance(7);
    expect(line.sent).toEqual([octets('00 01 00 00 00 06 01 03 00 00 00 01')]);
    line.receive(answer('00 01'));
    await settle();
    expect(one.end).toEqual({ kind: 'answer', pdu: octets('03 02 00 2A') });
    expect(frames.all.map(({ kind, link }) => ({ kind, link }))).toEqual([
      { kind: 'tx', link: undefined },
      { kind: 'rx', link: 1 },
    ]);
    expect(health).toMatchObject({ requests: 1, responses: 1, timeouts: 0, refusals: 0, faults: 0, latencies: [7] });
    session.close();
    expect(clock.pending).toBe(0);
  });

  it('gives an exception answer as a value and counts the refusal', async () => {
    const { line, health, read } = setUp();
    const one = read();
    await settle();
    line.receive('00 01 00 00 00 03 01 83 02');
    await settle();
    expect(one.end).toEqual({ kind: 'answer', pdu: octets('83 02') });
    expect(health).toMatchObject({ responses: 1, refusals: 1, faults: 0 });
  });

  it('puts an answer together that comes octet by octet', async () => {
    const { line, read } = setUp();
    const one = read();
    await settle();
    for (const octet of octets(answer('00 01'))) line.receive(Uint8Array.of(octet));
    await settle();
    expect(one.end).toMatchObject({ kind: 'answer' });
  });

  it('numbers its requests modulo 65536', async () => {
    const { line, session } = setUp();
    line.onWrite = (bytes) => line.receive(Uint8Array.of(bytes[0] ?? 0, bytes[1] ?? 0, 0, 0, 0, 5, 1, 3, 2, 0, 1));
    for (let count = 0; count < 65_537; count++) {
      expect((await session.exchange(readOne, exchangeContext())).kind).toBe('answer');
      if (count > 2 && count < 65_532) line.sent.length = 0;
    }
    expect(line.sent.slice(-3).map((bytes) => [bytes[0], bytes[1]])).toEqual([
      [0xff, 0xff],
      [0, 0],
      [0, 1],
    ]);
  });

  it('carries one exchange at a time', async () => {
    const { session, read } = setUp();
    read();
    await expect(session.exchange(readOne, exchangeContext())).rejects.toMatchObject({ code: 'INTERNAL' });
  });
});

describe('Modbus session when the device is silent', () => {
  it('fails with TIMEOUT_RESPONSE when its time has run out, not before', async () => {
    const { clock, health, read } = setUp();
    const one = read();
    await clock.advance(TIMEOUT_MS - 1);
    expect(one.end).toBeUndefined();
    await clock.advance(1);
    expect(one.end).toMatchObject({ ...failure('TIMEOUT_RESPONSE', /^Slave 1 did not answer function 3 within 1000 ms\.$/), isSent: true });
    expect(health).toMatchObject({ requests: 1, timeouts: 1 });
  });

  it('repeats a read as often as allowed, with a new transaction id each time', async () => {
    const { clock, line, health, read } = setUp();
    const one = read({ retries: 2 });
    await clock.advance(3 * TIMEOUT_MS);
    expect(line.sent.map((bytes) => bytes[1])).toEqual([1, 2, 3]);
    expect(one.end).toMatchObject(failure('TIMEOUT_RESPONSE'));
    expect(health).toMatchObject({ requests: 3, timeouts: 3 });
  });

  it('takes the answer to a repeat', async () => {
    const { clock, line, read } = setUp();
    const one = read({ retries: 1 });
    await clock.advance(TIMEOUT_MS);
    line.receive(answer('00 02'));
    await settle();
    expect(one.end).toMatchObject({ kind: 'answer' });
  });

  it('does not repeat once a stop was requested', async () => {
    const { clock, line, read } = setUp();
    const one = read({ retries: 5, isStopping: () => true });
    await clock.advance(TIMEOUT_MS);
    expect(one.end).toMatchObject(failure('TIMEOUT_RESPONSE'));
    expect(line.sent).toHaveLength(1);
  });

  it('keeps the timeout as result when the stop comes in the pause before the repeat', async () => {
    const { clock, line, read } = setUp(500);
    const stop = new AbortController();
    const one = read({ retries: 1, signal: stop.signal });
    await clock.advance(TIMEOUT_MS + 100);
    stop.abort();
    await settle();
    expect(one.end).toMatchObject(failure('TIMEOUT_RESPONSE'));
    expect(line.sent).toHaveLength(1);
  });
});

describe('Modbus session, answers that do not fit', () => {
  it('late answer: logged with its request, counted, never used; the exchange under way goes on', async () => {
    const { clock, line, frames, health, read } = setUp();
    read();
    await clock.advance(TIMEOUT_MS);
    const two = read();
    await settle();
    line.receive('00 01 00 00 00 05 01 03 02 FF FF');
    await settle();
    expect(two.end).toBeUndefined();
    expect(frames.of('late')).toMatchObject([{ link: 1, text: 'Answer to transaction 1 after its request had ended; not used.' }]);
    expect(health).toMatchObject({ lates: 1, faults: 0 });
    line.receive(answer('00 02'));
    await settle();
    expect(two.end).toEqual({ kind: 'answer', pdu: octets('03 02 00 2A') });
  });

  it('late answer while nothing is under way is logged and counted', async () => {
    const { clock, line, frames, health, read } = setUp();
    read();
    await clock.advance(TIMEOUT_MS);
    line.receive(answer('00 01'));
    expect(frames.of('late')).toHaveLength(1);
    expect(health.lates).toBe(1);
  });

  it('second answer to the same request is late as well', async () => {
    const { line, health, frames, read } = setUp();
    read();
    await settle();
    line.receive(octets(`${answer('00 01')} ${answer('00 01')}`));
    expect(health).toMatchObject({ responses: 1, lates: 1 });
    expect(frames.of('late')).toHaveLength(1);
  });

  it('wrong transaction id: logged and counted, waiting goes on, the timeout says what came', async () => {
    const { clock, line, frames, health, read } = setUp();
    const one = read();
    await settle();
    line.receive(answer('77 77'));
    await clock.advance(TIMEOUT_MS);
    expect(one.end).toMatchObject(failure('TIMEOUT_RESPONSE', /transaction id 30583 came that was never sent, 1 is awaited/));
    expect(frames.of('late')).toHaveLength(1);
    expect(health).toMatchObject({ faults: 1, lates: 0, timeouts: 1 });
  });

  it.each([
    ['wrong unit id', '00 01 00 00 00 05 02 03 02 00 2A', 'PROTOCOL_MISMATCH', /Slave 2 answered, slave 1 was asked/],
    ['wrong function', '00 01 00 00 00 05 01 04 02 00 2A', 'PROTOCOL_MISMATCH', /carries function 4, function 3 was asked/],
    ['exception of another function', '00 01 00 00 00 03 01 84 02', 'PROTOCOL_MISMATCH', /function 132, function 3/],
    ['wrong byte count', '00 01 00 00 00 05 01 03 04 00 2A', 'PROTOCOL_MALFORMED', /byte count 4/],
    ['fewer registers than asked', '00 01 00 00 00 03 01 03 00', 'PROTOCOL_MALFORMED', /byte count 0/],
    ['exception answer with surplus octets', '00 01 00 00 00 04 01 83 02 00', 'PROTOCOL_MALFORMED', /3 octets, 2 with a code/],
  ])('%s: a counted, logged failure of that one exchange', async (_name, hex, code, message) => {
    const { line, frames, health, read } = setUp();
    const one = read();
    await settle();
    line.receive(hex);
    await settle();
    expect(one.end).toMatchObject({ ...failure(code, message), isSent: true });
    expect(frames.of('rx')).toMatchObject([{ link: 1, text: expect.stringMatching(message) }]);
    expect(health).toMatchObject({ faults: 1, responses: 0, timeouts: 0 });
    const two = read();
    await settle();
    line.receive(answer('00 02'));
    await settle();
    expect(two.end).toMatchObject({ kind: 'answer' });
    expect(line.isClosed).toBe(false);
  });
});

describe('Modbus session, broken streams', () => {
  it('half a frame, then silence: that exchange fails, its octets are logged, the next one succeeds', async () => {
    const { clock, line, frames, health, read } = setUp();
    const one = read();
    await settle();
    line.receive('00 01 00 00 00 05 01 03');
    await clock.advance(TIMEOUT_MS);
    expect(one.end).toMatchObject(failure('TIMEOUT_RESPONSE', /8 octets of an unfinished frame came/));
    expect(frames.of('noise')).toMatchObject([{ link: 1, bytes: octets('00 01 00 00 00 05 01 03') }]);
    expect(health).toMatchObject({ timeouts: 1, faults: 1 });
    const two = read();
    await settle();
    line.receive(answer('00 02'));
    await settle();
    expect(two.end).toMatchObject({ kind: 'answer' });
    expect(line.isClosed).toBe(false);
  });

  it('half a frame whose rest comes during the next exchange: noise, and the next one succeeds', async () => {
    const { clock, line, frames, read } = setUp();
    read();
    await settle();
    line.receive('00 01 00 00 00 05 01 03');
    await clock.advance(TIMEOUT_MS);
    const two = read();
    await settle();
    line.receive(`02 00 2A ${answer('00 02')}`);
    await settle();
    expect(two.end).toMatchObject({ kind: 'answer' });
    expect(frames.of('noise')).toHaveLength(2);
  });

  it.each([
    ['wrong length', '00 01 00 00 FF FF 01 03 02 00 2A', /length is 65535/],
    ['length too short for a PDU', '00 01 00 00 00 01 01', /length is 1/],
    ['protocol id that is not Modbus', '00 01 00 05 00 05 01 03 02 00 2A', /protocol id is 5/],
  ])('%s: fails at once, and the line is closed to be opened anew', async (_name, hex, message) => {
    const { line, frames, health, losses, read } = setUp();
    const one = read();
    await settle();
    line.receive(hex);
    await settle();
    expect(one.end).toMatchObject({ ...failure('FRAME_LENGTH', message), isSent: true });
    expect(frames.of('noise')).toMatchObject([{ link: 1, bytes: octets(hex) }]);
    expect(health.faults).toBe(1);
    expect(line.isClosed).toBe(true);
    expect(losses).toMatchObject([{ code: 'FRAME_LENGTH' }]);
  });

  it('pipelined garbage behind a good answer: the answer counts, then the line is closed', async () => {
    const { line, losses, read } = setUp();
    const one = read();
    await settle();
    line.receive(`${answer('00 01')} DE AD BE EF DE AD BE EF`);
    await settle();
    expect(one.end).toMatchObject({ kind: 'answer' });
    expect(losses).toHaveLength(1);
    const two = read();
    await settle();
    expect(two.end).toMatchObject({ ...failure('TRANSPORT_NOT_CONNECTED'), isSent: false });
  });

  it('reset in the middle of an answer: fails at once with TRANSPORT_LOST, without waiting for the timeout', async () => {
    const { clock, line, frames, read } = setUp();
    const one = read({ retries: 3 });
    await settle();
    line.receive('00 01 00 00 00 05 01');
    line.end({ kind: 'failed', error: new AppError('TRANSPORT_LOST', quoted('Connection reset.')) });
    await settle();
    expect(one.end).toMatchObject({ ...failure('TRANSPORT_LOST'), isSent: true });
    expect(frames.of('noise')).toHaveLength(1);
    expect(line.sent).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  it('close by the device in the middle: fails at once with TRANSPORT_LOST', async () => {
    const { line, read } = setUp();
    const one = read();
    await settle();
    line.end({ kind: 'peer' });
    await settle();
    expect(one.end).toMatchObject(failure('TRANSPORT_LOST', /The device closed the connection/));
  });

  it('a request that cannot be written is not sent', async () => {
    const { line, frames, read } = setUp();
    line.writeError = new AppError('TRANSPORT_NOT_CONNECTED', quoted('No connection.'));
    const one = read();
    await settle();
    expect(one.end).toMatchObject({ ...failure('TRANSPORT_NOT_CONNECTED'), isSent: false });
    expect(frames.of('note')).toMatchObject([{ link: 1, text: 'Not sent: No connection.' }]);
  });

  it('a line that breaks while the request is written may have carried it', async () => {
    const { line, read } = setUp();
    line.writeError = new AppError('TRANSPORT_LOST', quoted('Broken pipe.'));
    const one = read();
    await settle();
    expect(one.end).toMatchObject({ ...failure('TRANSPORT_LOST'), isSent: true });
  });
});

describe('Modbus session, stop and pauses', () => {
  it('an exchange under way is not ended by the signal, only by answer or timeout', async () => {
    const { clock, read } = setUp();
    const stop = new AbortController();
    const one = read({ signal: stop.signal });
    await settle();
    stop.abort();
    await clock.advance(TIMEOUT_MS - 1);
    expect(one.end).toBeUndefined();
    await clock.advance(1);
    expect(one.end).toMatchObject(failure('TIMEOUT_RESPONSE'));
  });

  it('nothing is sent once the signal is aborted', async () => {
    const { line, read } = setUp();
    const one = read({ signal: AbortSignal.abort() });
    await settle();
    expect(one.end).toMatchObject({ ...failure('CANCELLED'), isSent: false });
    expect(line.sent).toHaveLength(0);
  });

  it('keeps the pause between the end of an exchange and the next request', async () => {
    const { clock, line, read } = setUp(50);
    read();
    await settle();
    line.receive(answer('00 01'));
    await settle();
    read();
    await clock.advance(49);
    expect(line.sent).toHaveLength(1);
    await clock.advance(1);
    expect(line.sent).toHaveLength(2);
  });

  it('the end of the line ends the pause at once', async () => {
    const { line, clock, read } = setUp(50);
    read();
    await settle();
    line.receive(answer('00 01'));
    await settle();
    const two = read();
    line.end();
    await settle();
    expect(two.end).toMatchObject({ ...failure('TRANSPORT_NOT_CONNECTED'), isSent: false });
    expect(clock.pending).toBe(0);
  });

  it('close ends an exchange under way and is idempotent', async () => {
    const { session, read } = setUp();
    const one = read();
    await settle();
    session.close();
    session.close();
    await settle();
    expect(one.end).toMatchObject(failure('TRANSPORT_LOST'));
  });
});
