import { describe, expect, it } from 'vitest';
import { ManualClock, settle } from '../../../platform/manual-clock.ts';
import { hexText } from '../../../protocol-kit/bytes.ts';
import type { ExchangeContext } from '../../spi/index.ts';
import { exchangeContext, TestFrames, TestHealth } from '../../testing/sinks.ts';
import { encodeAddress } from '../codec/address.ts';
import { encodeFrame } from '../codec/frame.ts';
import { encodeDi } from '../dictionary/dictionary.ts';
import { readNextRequest, readRequest } from '../meter-request.ts';
import { TestLine, testSettings } from '../testing/bench.ts';
import { allVectors, octets } from '../vectors/load.ts';
import { lineTiming } from './line-time.ts';
import { type ExchangeEnd, MeterSession } from './session.ts';

/** 2400 8E1: an octet takes 4.5833 ms; a read has 16 octets and 4 preambles. */
const OCTET_MS = 11_000 / 2400;
const REQUEST_MS = 20 * OCTET_MS;
const TIMEOUT_MS = 500;
const METER = { slaveId: 12_345_678, address: '000012345678', edition: 2007 } as const;
const VOLTAGE = 0x02010100;

function answer(di: number, value: readonly number[], address: string = METER.address, control = 0x91): Uint8Array {
  return encodeFrame({ address: encodeAddress(address), control, data: Uint8Array.of(...encodeDi(di, 2007), ...value) });
}

function setUp() {
  const clock = new ManualClock();
  const line = new TestLine(clock);
  const frames = new TestFrames();
  const health = new TestHealth();
  const session = new MeterSession({
    clock,
    line,
    frames,
    health,
    timing: lineTiming(testSettings),
    timeoutMs: TIMEOUT_MS,
    preambles: 4,
    notice: () => {},
    tellingRequests: true,
    readsOf: () => [],
    slowestMs: () => 30,
  });
  line.start({ onData: (chunk) => session.receive(chunk), onClosed: (cause) => session.closed(cause) });
  const run = (request = readRequest(METER, VOLTAGE), context: Partial<ExchangeContext> = {}) => {
    const started: { end: ExchangeEnd | undefined } = { end: undefined };
    void session.exchange(request, exchangeContext(context)).then((end) => {
      started.end = end;
    });
    return started;
  };
  return { clock, line, frames, health, session, run };
}

const taken = (end: ExchangeEnd | undefined) => (end?.kind === 'answer' ? hexText(end.frame.data.subarray(4)) : end?.error.code);

describe('an exchange', () => {
  it('sends the request with its preambles and takes the answer', async () => {
    const { clock, line, frames, health, run } = setUp();
    const one = run();
    await clock.advance(0);
    expect(hexText(line.sent[0]?.bytes ?? new Uint8Array(0))).toBe('FE FE FE FE 68 78 56 34 12 00 00 68 11 04 33 34 34 35 C9 16');
    await clock.advance(REQUEST_MS + 30);
    line.receive(answer(VOLTAGE, [0x05, 0x22]));
    await settle();
    expect(taken(one.end)).toBe('05 22');
    expect(frames.of('rx')[0]?.link).toBe(1);
    expect(health.exchanges[0]).toMatchObject({ slaveId: 12_345_678, functionCode: 0x11, txOctets: 20, rxOctets: 18 });
  });

  it('keeps 20 ms of silence in front of the next request, and hardly more', async () => {
    const { clock, line, run } = setUp();
    run();
    await clock.advance(REQUEST_MS + 30);
    line.receive(answer(VOLTAGE, [0x05, 0x22]));
    const at = clock.monotonicMs();
    await settle();
    run();
    await clock.advance(19.9);
    expect(line.sent).toHaveLength(1);
    await clock.advance(0.2);
    expect(line.sent).toHaveLength(2);
    expect((line.sent[1]?.at ?? 0) - at).toBeLessThanOrEqual(20.1);
  });

  it('waits for the first octet behind the request, and for the rest of an answer that has begun', async () => {
    const { clock, line, run } = setUp();
    const one = run();
    const bytes = answer(VOLTAGE, [0x05, 0x22]);
    await clock.advance(REQUEST_MS + TIMEOUT_MS - 1);
    line.receive(bytes.subarray(0, 9));
    await clock.advance(450);
    expect(one.end).toBeUndefined();
    line.receive(bytes.subarray(9));
    await settle();
    expect(taken(one.end)).toBe('05 22');
  });

  it('gives an answer up that breaks off for longer than 500 ms', async () => {
    const { clock, line, run } = setUp();
    const one = run();
    await clock.advance(REQUEST_MS + 10);
    line.receive(answer(VOLTAGE, [0x05, 0x22]).subarray(0, 14));
    await clock.advance(TIMEOUT_MS + 600);
    expect(taken(one.end)).toBe('FRAME_NOISE');
  });

  it('finds the answer behind a false start when the line is silent', async () => {
    const { clock, line, run } = setUp();
    const one = run();
    await clock.advance(REQUEST_MS + 10);
    line.receive(Uint8Array.of(...octets('6811223344556668 11 C0'), ...answer(VOLTAGE, [0x05, 0x22])));
    await clock.advance(TIMEOUT_MS + 600);
    expect(taken(one.end)).toBe('05 22');
  });

  it('times out, repeats as often as it may, and not when a stop is requested', async () => {
    const { clock, line, health, run } = setUp();
    const one = run(undefined, { retries: 2 });
    await clock.advance(3 * (REQUEST_MS + TIMEOUT_MS + 21));
    expect(taken(one.end)).toBe('TIMEOUT_RESPONSE');
    expect(line.sent).toHaveLength(3);
    expect(health.timeouts).toBe(3);
    const two = run(undefined, { retries: 2, isStopping: () => true });
    await clock.advance(2 * (REQUEST_MS + TIMEOUT_MS + 21));
    expect(taken(two.end)).toBe('TIMEOUT_RESPONSE');
    expect(line.sent).toHaveLength(4);
  });

  it('does not repeat a refusal', async () => {
    const { clock, line, health, run } = setUp();
    const one = run(undefined, { retries: 3 });
    await clock.advance(REQUEST_MS + 30);
    line.receive(encodeFrame({ address: encodeAddress(METER.address), control: 0xd1, data: Uint8Array.of(2) }));
    await settle();
    expect(one.end?.kind === 'answer' && one.end.frame.control).toBe(0xd1);
    expect(health.refusals).toBe(1);
    expect(line.sent).toHaveLength(1);
  });
});

describe('frames that are not the answer', () => {
  it.each([
    ['of another meter', answer(VOLTAGE, [0x00, 0x99], '000012345679')],
    ['to another identifier', answer(0x02020100, [0x00, 0x99, 0x00])],
    ['to another function', answer(VOLTAGE, [0x00, 0x99], METER.address, 0x94)],
    ['that are the request come back', encodeFrame(readRequest(METER, VOLTAGE), 4)],
  ])('%s are left out', async (_, stray) => {
    const { clock, line, run } = setUp();
    const one = run();
    await clock.advance(REQUEST_MS + 10);
    line.receive(stray);
    await settle();
    expect(one.end).toBeUndefined();
    line.receive(answer(VOLTAGE, [0x05, 0x22]));
    await settle();
    expect(taken(one.end)).toBe('05 22');
  });

  it('is not a late answer to the same identifier, whose value it is; the one behind it is logged as late', async () => {
    const { clock, line, health, frames, run } = setUp();
    run();
    await clock.advance(REQUEST_MS + TIMEOUT_MS + 1);
    const two = run();
    await clock.advance(130);
    line.receive(answer(VOLTAGE, [0x11, 0x22]));
    await settle();
    expect(taken(two.end)).toBe('11 22');
    line.receive(answer(VOLTAGE, [0x05, 0x22]));
    await settle();
    expect(health.lates).toBe(1);
    expect(frames.of('late')[0]?.link).toBe(3);
  });

  it('is the follow-up frame of the 1997 edition before, once more', async () => {
    const { clock, line, frames, run } = setUp();
    const old = { ...METER, edition: 1997 } as const;
    const part = (octet: number, control = 0xa2) =>
      encodeFrame({ address: encodeAddress(METER.address), control, data: Uint8Array.of(0x10, 0x90, octet) });
    const first = run(readNextRequest(old, 0x9010, 1));
    await clock.advance(REQUEST_MS + 30);
    line.receive(part(1));
    await settle();
    expect(first.end?.kind).toBe('answer');
    const second = run(readNextRequest(old, 0x9010, 2));
    await clock.advance(REQUEST_MS + 25);
    line.receive(part(1));
    await clock.advance(80);
    expect(second.end).toBeUndefined();
    line.receive(part(2, 0x82));
    await settle();
    expect(second.end?.kind === 'answer' && second.end.frame.data[2]).toBe(2);
    expect(frames.of('late')).toMatchObject([{ text: expect.stringContaining('once more') }]);
  });

  it('is a follow-up frame with another number', async () => {
    const { clock, line, run } = setUp();
    const one = run(readNextRequest(METER, VOLTAGE, 2));
    await clock.advance(REQUEST_MS + 30);
    line.receive(answer(VOLTAGE, [0x11, 1], METER.address, 0x92));
    await settle();
    expect(one.end).toBeUndefined();
    line.receive(answer(VOLTAGE, [0x22, 2], METER.address, 0x92));
    await settle();
    expect(taken(one.end)).toBe('22 02');
  });

  it('fails with the end of the line, and never sends again', async () => {
    const { clock, line, run } = setUp();
    const one = run();
    await clock.advance(1);
    line.end();
    await settle();
    expect(taken(one.end)).toBe('TRANSPORT_LOST');
    const two = run();
    await settle();
    expect(taken(two.end)).toBe('TRANSPORT_NOT_CONNECTED');
    expect(line.sent).toHaveLength(1);
  });
});

/** What the vectors expect of a master: whether the value is taken, and if not, how the exchange ends. */
const OUTCOMES: readonly [RegExp, string][] = [
  [/take 220\.5|accept when|value is usable|L=|error reply|bad value|no value, bad quality|fail at once/, 'answer'],
  [/timeout or frame error|no value; report a collision/, 'FRAME_CHECKSUM'],
];

describe('the vectors of a master', () => {
  const vectors = allVectors.filter((vector) => vector.name.startsWith('mst_') && vector.request_hex !== null);

  it.each(vectors)('$name: $expect.master', async (vector) => {
    const { clock, line, run } = setUp();
    const address = vector.request_hex?.includes('AAAAAAAAAAAA') ? 'AAAAAAAAAAAA' : METER.address;
    const one = run(readRequest({ ...METER, address }, VOLTAGE));
    await clock.advance(REQUEST_MS + 30);
    line.receive(octets(vector.response_hex ?? ''));
    await clock.advance(2000);
    const wanted = OUTCOMES.find(([words]) => words.test(vector.expect?.master ?? ''))?.[1];
    const end = one.end?.kind === 'answer' ? 'answer' : one.end?.error.code;
    if (wanted) expect(end).toBe(wanted);
    else expect(['TIMEOUT_RESPONSE', 'FRAME_NOISE', 'FRAME_CHECKSUM']).toContain(end);
    if (/take 220\.5/.test(vector.expect?.master ?? '')) expect(taken(one.end)).toBe('05 22');
  });
});
