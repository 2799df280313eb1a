import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { ManualClock, settle } from '../../../platform/manual-clock.ts';
import { u16 } from '../../../protocol-kit/bytes.ts';
import type { ExchangeContext } from '../../spi/index.ts';
import { exchangeContext, TestFrames, TestHealth } from '../../testing/sinks.ts';
import { encodeRead } from '../codec/request.ts';
import { readAnswerData } from '../codec/response.ts';
import { TestLine } from '../testing/line.ts';
import { octets } from '../vectors/load.ts';
import { answerDatagrams, requestDatagrams } from './datagram.ts';
import type { ExchangeEnd } from './exchange-session.ts';
import { encodeMbap } from './mbap.ts';
import { ModbusSession } from './session.ts';

const TIMEOUT_MS = 1000;

function setUp(window = 1) {
  const clock = new ManualClock();
  const line = new TestLine();
  const frames = new TestFrames();
  const health = new TestHealth();
  const losses: AppError[] = [];
  const onLost = (error: AppError) => losses.push(error);
  const options = { clock, line, frames, health, timeoutMs: TIMEOUT_MS, requestGapMs: 0, window, onLost };
  const session = new ModbusSession({ ...options, framing: answerDatagrams });
  line.start({
    onData: (datagram) => session.receive(datagram),
    onClosed: (cause) => session.closed(cause),
    onTrouble: (error) => session.troubled(error),
  });
  const ask = (pdu: Uint8Array, check: (answer: Uint8Array) => void, context: Partial<ExchangeContext> = {}) => {
    const started: { end: ExchangeEnd | undefined } = { end: undefined };
    void session.exchange({ unitId: 1, pdu, check }, exchangeContext(context)).then((end) => {
      started.end = end;
    });
    return started;
  };
  const read = (context: Partial<ExchangeContext> = {}) => ask(encodeRead(3, 0, 1), (answer) => void readAnswerData(answer, 3, 1), context);
  const write = () => ask(octets('05 00 00 FF 00'), () => undefined);
  return { clock, line, frames, health, losses, session, read, write };
}

const answer = (transaction: string, value = '00 2A') => `${transaction} 00 00 00 05 01 03 02 ${value}`;

describe('Modbus in datagrams', () => {
  it('takes an answer from one datagram, and puts nothing together', async () => {
    const { clock, line, frames, health, losses, read } = setUp();
    const one = read();
    await settle();
    line.receive('00 01 00 00 00 05 01 03');
    line.receive('02 00 2A');
    await clock.advance(TIMEOUT_MS);
    expect(one.end).toMatchObject({ kind: 'failed', isSent: true, error: { code: 'TIMEOUT_RESPONSE' } });
    expect(frames.of('noise')).toHaveLength(2);
    expect(health).toMatchObject({ faults: 2, timeouts: 1, responses: 0 });
    expect(losses).toEqual([]);
    expect(line.isClosed).toBe(false);
    const two = read();
    await settle();
    line.receive(answer('00 02'));
    await settle();
    expect(two.end).toEqual({ kind: 'answer', pdu: octets('03 02 00 2A') });
  });

  it.each([
    ['another protocol', '00 01 00 07 00 05 01 03 02 00 2A', /protocol id is 7/],
    ['a length that is too short', '00 01 00 00 00 04 01 03 02 00 2A', /length is 4, and 5 octets/],
    ['a length that is too long', '00 01 00 00 00 06 01 03 02 00 2A', /length is 6, and 5 octets/],
    ['two frames', `${answer('00 01')} ${answer('00 01')}`, /length is 5, and 16 octets/],
    ['RTU', '01 03 02 00 2A 39 9B', /7 octets is too short/],
    ['nothing', '', /0 octets is too short/],
  ])('drops a datagram with %s, says so in the timeout, and goes on', async (_, datagram, said) => {
    const { clock, line, losses, read } = setUp();
    const one = read({ retries: 1 });
    await settle();
    line.receive(datagram === '' ? new Uint8Array(0) : datagram);
    await clock.advance(TIMEOUT_MS);
    line.receive(datagram === '' ? new Uint8Array(0) : datagram);
    await clock.advance(TIMEOUT_MS);
    expect(one.end).toMatchObject({ error: { code: 'TIMEOUT_RESPONSE', message: expect.stringMatching(said) } });
    expect([losses, line.isClosed, line.sent.length]).toEqual([[], false, 2]);
  });

  it('repeats a lost request under another id, and does not take a late answer to the first', async () => {
    const { clock, line, frames, health, read } = setUp();
    const one = read({ retries: 1 });
    await clock.advance(TIMEOUT_MS);
    expect(line.sent.map((bytes) => u16(bytes, 0))).toEqual([1, 2]);
    line.receive(answer('00 01', '11 11'));
    await settle();
    expect(one.end).toBeUndefined();
    line.receive(answer('00 02'));
    await settle();
    expect(one.end).toEqual({ kind: 'answer', pdu: octets('03 02 00 2A') });
    expect(frames.of('late')).toHaveLength(1);
    expect(health.lates).toBe(1);
  });

  it('confirms a command once: a copy is neither its second answer nor that of the next command', async () => {
    const { clock, line, frames, health, write } = setUp();
    const confirmed = '00 01 00 00 00 06 01 05 00 00 FF 00';
    const one = write();
    await settle();
    line.receive(confirmed);
    line.receive(confirmed);
    await settle();
    expect(one.end).toMatchObject({ kind: 'answer' });
    const two = write();
    await settle();
    line.receive(confirmed);
    await clock.advance(TIMEOUT_MS);
    expect(two.end).toMatchObject({ kind: 'failed', isSent: true, error: { code: 'TIMEOUT_RESPONSE' } });
    expect(line.sent).toHaveLength(2);
    expect(frames.of('late')).toHaveLength(2);
    expect(health).toMatchObject({ responses: 1, lates: 2 });
  });

  it('does not take the answer of another unit or an id that was never sent', async () => {
    const { clock, line, read } = setUp();
    const one = read();
    await settle();
    line.receive('00 01 00 00 00 05 02 03 02 00 2A');
    await settle();
    expect(one.end).toMatchObject({ error: { code: 'PROTOCOL_MISMATCH' } });
    const two = read();
    await settle();
    line.receive(answer('4C 43'));
    await clock.advance(TIMEOUT_MS);
    expect(two.end).toMatchObject({ error: { code: 'TIMEOUT_RESPONSE', message: expect.stringContaining('never sent') } });
  });

  it('says in the timeout that nothing takes its datagrams, and still takes an answer', async () => {
    const { clock, line, frames, losses, read } = setUp();
    const refused = new AppError('TRANSPORT_REFUSED', quoted('nothing listens'));
    const one = read();
    await settle();
    line.trouble(refused);
    await clock.advance(TIMEOUT_MS - 1);
    expect(one.end).toBeUndefined();
    await clock.advance(1);
    expect(one.end).toMatchObject({ error: { code: 'TIMEOUT_RESPONSE', message: expect.stringContaining('nothing listens') } });
    expect(frames.of('note')).toMatchObject([{ link: 1, text: 'nothing listens' }]);
    const two = read();
    await settle();
    line.trouble(refused);
    line.receive(answer('00 02'));
    await settle();
    expect(two.end).toMatchObject({ kind: 'answer' });
    expect([losses, line.isClosed]).toEqual([[], false]);
  });

  it('takes answers in any order where several requests are outstanding', async () => {
    const { line, read } = setUp(3);
    const all = [read(), read(), read()];
    await settle();
    const ids = line.sent.map((bytes) => u16(bytes, 0));
    for (const at of [2, 0, 1]) line.receive(encodeMbap(ids[at] ?? 0, 1, octets(`03 02 00 0${at}`)));
    await settle();
    expect(all.map(({ end }) => end)).toEqual([0, 1, 2].map((at) => ({ kind: 'answer', pdu: octets(`03 02 00 0${at}`) })));
  });
});

const anyDatagram = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc
    .tuple(fc.integer({ min: 0, max: 3 }), fc.constantFrom(0, 0, 0, 1), fc.integer({ min: 0, max: 300 }), fc.uint8Array({ maxLength: 300 }))
    .map(([id, protocol, length, rest]) => Uint8Array.from([0, id, protocol, 0, length >> 8, length & 0xff, ...rest])),
  fc
    .tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 2 }), fc.uint8Array({ minLength: 1, maxLength: 253 }))
    .map(([id, unit, pdu]) => Uint8Array.from(encodeMbap(id, unit, pdu))),
);

describe('any datagrams', () => {
  it('are one frame each, whole, or one fault that ends nothing', () => {
    const [answers, requests] = [answerDatagrams.framer(), requestDatagrams.framer()];
    fc.assert(
      fc.property(anyDatagram, (datagram) => {
        const items = answers.push(datagram);
        expect(items).toHaveLength(1);
        const [item] = items;
        const isFrame =
          datagram.length >= 8 && datagram.length <= 260 && u16(datagram, 2) === 0 && u16(datagram, 4) === datagram.length - 6;
        expect(item?.kind).toBe(isFrame ? 'frame' : 'fault');
        expect(item?.bytes).toEqual(datagram);
        if (item?.kind === 'fault') expect(item.isFatal).toBe(false);
        if (item?.kind === 'frame') expect(encodeMbap(item.transactionId ?? -1, item.unitId, item.pdu)).toEqual(Buffer.from(datagram));
        expect(requests.push(datagram)[0]?.kind).toBe(isFrame && (datagram[7] ?? 0) < 0x80 ? 'frame' : 'fault');
      }),
    );
  });

  it('never end a session, and answer a request only by its id, unit and function', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyDatagram, { maxLength: 20 }), async (datagrams) => {
        const { clock, line, losses, read } = setUp();
        const one = read();
        await settle();
        for (const datagram of datagrams) line.receive(datagram);
        await clock.advance(TIMEOUT_MS);
        if (one.end?.kind === 'answer') {
          const { pdu } = one.end;
          expect(datagrams.map((bytes) => Buffer.from(bytes).toString('hex'))).toContain(
            Buffer.from(encodeMbap(1, 1, pdu)).toString('hex'),
          );
        }
        const two = read();
        await settle();
        line.receive(answer('00 02', '12 34'));
        await settle();
        expect(two.end).toEqual({ kind: 'answer', pdu: octets('03 02 12 34') });
        expect([losses, line.isClosed]).toEqual([[], false]);
      }),
    );
  });
});
