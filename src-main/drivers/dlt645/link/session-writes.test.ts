import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../platform/manual-clock.ts';
import { exchangeContext, TestFrames, TestHealth } from '../../testing/sinks.ts';
import { credentialsFor } from '../client/credentials.ts';
import { freezeRequest, relayRequest, targetOfAddress, writeAddressRequest } from '../client/write-requests.ts';
import { BROADCAST } from '../codec/address.ts';
import { encodeFrame } from '../codec/frame.ts';
import { type MeterRequest, readRequest } from '../meter-request.ts';
import { finish, TestLine, testSettings } from '../testing/bench.ts';
import { lineTiming } from './line-time.ts';
import { type ExchangeEnd, MeterSession } from './session.ts';

const METER = '000012345678';
const meter = targetOfAddress(METER, 2007);
const credentials = credentialsFor({ password_02: '918273', operator_code: '64738291' }, { edition: 2007, needed: 2, level: undefined });
const trip = relayRequest(meter, 'trip', '260305144000', credentials);
const answerTo = ({ control, address }: MeterRequest) => encodeFrame({ address, control: control | 0x80, data: new Uint8Array(0) });

function setUp(reads: readonly MeterRequest[] = []) {
  const clock = new ManualClock();
  const line = new TestLine(clock);
  const frames = new TestFrames();
  const health = new TestHealth();
  const timing = lineTiming(testSettings);
  const session = new MeterSession({
    clock,
    line,
    frames,
    health,
    timing,
    timeoutMs: 500,
    preambles: 0,
    notice: () => {},
    tellingRequests: true,
    readsOf: () => reads,
    slowestMs: () => 30,
  });
  line.start({ onData: (chunk) => session.receive(chunk), onClosed: (cause) => session.closed(cause) });
  const exchange = async (request: MeterRequest, during: () => Promise<void> | void) => {
    const started: { end: ExchangeEnd | undefined } = { end: undefined };
    void session.exchange(request, exchangeContext()).then((end) => {
      started.end = end;
    });
    await clock.advance(0);
    await during();
    await clock.advance(1000);
    return started.end;
  };
  return { clock, line, frames, health, session, exchange };
}

describe('an echo of a protected request', () => {
  it('that lost its beginning is told without its octets, however it comes', async () => {
    for (let split = 9; split < 20; split++) {
      const { line, frames, exchange } = setUp();
      const end = await exchange(trip, () => {
        const echo = line.sent[0]?.bytes ?? new Uint8Array(0);
        line.receive(echo.subarray(3, split));
        line.receive(echo.subarray(split));
        line.receive(answerTo(trip));
      });
      expect(end?.kind).toBe('answer');
      expect(frames.of('noise')).toEqual([]);
      expect(frames.of('note').map(({ text }) => text)).toContainEqual(expect.stringMatching(/octets of the request came back; not shown/));
    }
  });

  it('that is whole is a request, which is explained with its password hidden', async () => {
    const { line, frames, exchange } = setUp();
    await exchange(trip, () => {
      line.receive(line.sent[0]?.bytes ?? new Uint8Array(0));
      line.receive(answerTo(trip));
    });
    expect(frames.of('note').map(({ text }) => text)).toEqual([expect.stringMatching(/^A request: the adapter echoes/)]);
  });
});

describe('the confirmation of a relay command', () => {
  const close = relayRequest(meter, 'close', '260305144000', credentials);
  const refusal = encodeFrame({ address: trip.address, control: 0xdc, data: Uint8Array.of(1) });

  it('that comes late does not confirm the next one: that waits for a quiet line, and its outcome stays open', async () => {
    const { clock, line, session } = setUp();
    void session.exchange(trip, exchangeContext());
    await clock.advance(800);
    const started: { end: ExchangeEnd | undefined } = { end: undefined };
    void session.exchange(close, exchangeContext()).then((end) => {
      started.end = end;
    });
    await clock.advance(1500);
    expect(line.sent).toHaveLength(1);
    await clock.advance(650);
    expect(line.sent).toHaveLength(2);
    line.receive(answerTo(trip));
    await clock.advance(2000);
    expect(started.end).toMatchObject({ kind: 'failed', isSent: true, error: { code: 'TIMEOUT_RESPONSE' } });
    expect(line.sent).toHaveLength(2);
  });

  it.each([
    ['confirmation', answerTo(close), 0x9c],
    ['refusal', refusal, 0xdc],
  ])('that came while the line was kept quiet leaves the next its own %s', async (_what, own, control) => {
    const { clock, line, session } = setUp();
    void session.exchange(trip, exchangeContext());
    await clock.advance(800);
    const started: { end: ExchangeEnd | undefined } = { end: undefined };
    void session.exchange(close, exchangeContext()).then((end) => {
      started.end = end;
    });
    await clock.advance(300);
    line.receive(answerTo(trip));
    for (let waited = 0; waited < 4000 && line.sent.length < 2; waited += 10) await clock.advance(10);
    await clock.advance(200);
    line.receive(own);
    await clock.advance(1000);
    expect(started.end).toMatchObject({ kind: 'answer', frame: { control } });
  });

  it('is told from that of the one before by a read of the meter', async () => {
    const { clock, line, session } = setUp([readRequest(meter, 0x02010100)]);
    void session.exchange(trip, exchangeContext());
    await clock.advance(800);
    const started: { end: ExchangeEnd | undefined } = { end: undefined };
    void session.exchange(close, exchangeContext()).then((end) => {
      started.end = end;
    });
    await clock.advance(200);
    expect(line.sent[1]?.bytes[8]).toBe(0x11);
    line.receive(answerTo(trip));
    line.receive(encodeFrame({ address: trip.address, control: 0x91, data: Uint8Array.of(0x00, 0x01, 0x01, 0x02, 0x05, 0x22) }));
    // a copy of the confirmation may follow it: the command waits until that has passed
    await clock.advance(2_500);
    expect(line.sent).toHaveLength(3);
    line.receive(refusal);
    await clock.advance(0);
    expect(started.end).toMatchObject({ kind: 'answer', frame: { control: 0xdc } });
  });
});

describe('a broadcast', () => {
  const now = freezeRequest(BROADCAST, '99999999');

  it('has gone when it was handed over, and the line is silent before the next request', async () => {
    const { clock, line, session, health } = setUp();
    expect(await finish(clock, session.broadcast(now, new AbortController().signal))).toEqual({ value: null });
    const sentAt = line.sent[0]?.at ?? 0;
    await finish(clock, session.exchange(trip, exchangeContext()));
    expect((line.sent[1]?.at ?? 0) - sentAt).toBeGreaterThanOrEqual((16 * 11_000) / 2400 + 20);
    expect(health.requests).toBe(2);
  });

  it('is not sent after a stop, nor on a line that has ended', async () => {
    const { clock, line, session } = setUp();
    const stopped = await finish(clock, session.broadcast(now, AbortSignal.abort()));
    expect(stopped).toMatchObject({ value: { isSent: false, error: { code: 'CANCELLED' } } });
    line.end();
    const ended = await finish(clock, session.broadcast(now, new AbortController().signal));
    expect(ended).toMatchObject({ value: { isSent: false, error: { code: 'TRANSPORT_NOT_CONNECTED' } } });
    expect(line.sent).toEqual([]);
  });

  it('may have left when the line fails meanwhile', async () => {
    const { clock, line, session } = setUp();
    line.onWrite = () => {
      throw new Error('pulled');
    };
    const lost = await finish(clock, session.broadcast(now, new AbortController().signal));
    expect(lost).toMatchObject({ value: { isSent: true } });
  });
});

describe('a meter that gets another number', () => {
  it.each(['000087654321', METER])('may answer as %s', async (answering) => {
    const { line, exchange } = setUp();
    const change = writeAddressRequest(METER, '000087654321', 2007);
    const end = await exchange(change, () => line.receive(answerTo({ ...change, address: targetOctets(answering) })));
    expect(end?.kind).toBe('answer');
  });

  it('is not a third one', async () => {
    const { line, exchange } = setUp();
    const change = writeAddressRequest(METER, '000087654321', 2007);
    const end = await exchange(change, () => line.receive(answerTo({ ...change, address: targetOctets('000000000001') })));
    expect(end?.kind).toBe('failed');
  });
});

function targetOctets(address: string): Uint8Array {
  return freezeRequest(address, '99999999').address;
}
