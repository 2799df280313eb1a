import { describe, expect, it } from 'vitest';
import { settle } from '../../../platform/manual-clock.ts';
import { encodeRead, encodeRequest } from '../codec/request.ts';
import { encodeRtu } from './framing.ts';
import { answer, failure, GAP_MS, OPENED_MS, REQUEST_MS, read, setUp, TIMEOUT_MS, values, write } from './testing/session-bench.ts';

const coil = encodeRequest({ functionCode: 5, address: 3, on: true });

/** A line that echoes everything, with a device that answers or not. */
function echoing(answersWith: (request: Uint8Array) => Uint8Array | null, echo: 'unknown' | 'yes' = 'unknown') {
  const made = setUp({ echo });
  made.line.onWrite = (bytes) => {
    made.clock.after(REQUEST_MS, () => made.line.receive(bytes));
    const given = answersWith(bytes);
    if (given) made.clock.after(REQUEST_MS + 10, () => made.line.receive(given));
  };
  return made;
}

describe('the local echo of an adapter', () => {
  it('is dropped in front of an answer, and told once', async () => {
    const { clock, frames, health, notices, run } = echoing(() => answer(1, 8));
    for (let count = 0; count < 3; count++) {
      const one = run(read(0, 1));
      await clock.advance(50);
      expect(values(one.end)).toEqual([0, 8]);
    }
    expect(health).toMatchObject({ responses: 3, faults: 0, lates: 0 });
    expect(frames.of('rx')).toHaveLength(3);
    expect(notices).toEqual([expect.stringContaining('echoes what is sent')]);
  });

  it('is dropped when it comes in pieces, glued to the answer, or behind a stray octet', async () => {
    const request = encodeRtu(1, encodeRead(3, 0, 1));
    const { clock, line, run } = setUp({ echo: 'unknown' });
    const first = run(read(0, 1));
    await clock.advance(REQUEST_MS);
    line.receive(request.subarray(0, 3));
    line.receive(Uint8Array.from([...request.subarray(3), ...answer(1, 1)]));
    await settle();
    expect(values(first.end)).toEqual([0, 1]);
    await clock.advance(50);
    const second = run(read(0, 1));
    await clock.advance(REQUEST_MS);
    line.receive(Uint8Array.from([0xff, ...request]));
    await clock.advance(10);
    line.receive(answer(1, 2));
    await settle();
    expect(values(second.end)).toEqual([0, 2]);
  });

  it('never confirms a command of a device that is off: a read shows the echo first', async () => {
    const { clock, line, run } = echoing(() => null);
    const one = run(write(coil));
    await clock.advance(3 * TIMEOUT_MS);
    expect(line.sent.map((bytes) => bytes[1])).toEqual([1, 5]);
    expect(one.end).toMatchObject({ ...failure('TIMEOUT_RESPONSE'), isSent: true });
  });

  it('leaves the confirmation behind it', async () => {
    const { clock, run } = echoing((request) => (request[1] === 5 ? request : null));
    const one = run(write(coil));
    await clock.advance(3 * TIMEOUT_MS);
    expect(one.end).toEqual({ kind: 'answer', pdu: coil });
  });

  it('needs no read first where the channel says that there is one, or where a read was made before', async () => {
    const said = echoing((request) => request, 'yes');
    said.run(write(coil));
    await said.clock.advance(50);
    expect(said.line.sent).toHaveLength(1);

    const { clock, line, run } = setUp({ echo: 'unknown' });
    run(read(0, 1));
    await clock.advance(20);
    line.receive(answer(1, 8));
    await settle();
    const one = run(write(coil));
    await clock.advance(GAP_MS + REQUEST_MS + 5);
    line.receive(encodeRtu(1, coil));
    await settle();
    expect(one.end?.kind).toBe('answer');
    expect(line.sent).toHaveLength(2);
  });

  it('is learnt to be missing by silence as well', async () => {
    const { clock, line, run } = setUp({ echo: 'unknown' });
    const one = run(write(coil));
    await clock.advance(REQUEST_MS + GAP_MS + TIMEOUT_MS + 1);
    expect(line.sent.map((bytes) => bytes[1])).toEqual([1, 5]);
    await clock.advance(REQUEST_MS + 5);
    line.receive(encodeRtu(1, coil));
    await settle();
    expect(one.end?.kind).toBe('answer');
  });

  it('that is damaged does not confirm a command either', async () => {
    const { clock, line, run } = setUp({ echo: 'yes' });
    const one = run(write(coil));
    await clock.advance(REQUEST_MS);
    line.receive(Uint8Array.from([0x80, ...encodeRtu(1, coil)]));
    await clock.advance(2 * TIMEOUT_MS);
    expect(one.end).toMatchObject({ kind: 'failed', isSent: true });
  });
});

describe('a broadcast', () => {
  it('is sent, answered by nobody, and followed by its turn-around', async () => {
    const { clock, session, run, sentAt, health } = setUp();
    const context = { signal: new AbortController().signal, isStopping: () => false, retries: 0 };
    expect(await session.tellAll(encodeRequest({ functionCode: 6, address: 1, value: 2 }), context)).toBeNull();
    run(read(0, 1));
    await clock.advance(200);
    expect(sentAt).toEqual([OPENED_MS, expect.closeTo(OPENED_MS + REQUEST_MS + 100, 6)]);
    expect(health.requests).toBe(2);
  });

  it('is not for questions', async () => {
    const { run } = setUp();
    const one = run(read(0, 1, 0));
    await settle();
    expect(one.end).toMatchObject({ ...failure('CONFIG_INVALID', /broadcast/), isSent: false });
  });
});
